import { hostedOtp, hostedReauthenticate } from '@pegasus/contracts/auth/hosted-codes'
import { AppError } from '../../../platform/errors/app-error.ts'
import type { Endpoints } from '../../../platform/http/endpoints.ts'
import { assertSms } from '../accounts/phone-field.ts'
import { readCodeChallenge } from '../mail-links/flow-states.ts'
import type { MailedCodes } from '../mail-links/mailed-codes.service.ts'
import type { Redirects } from '../mail-links/redirects.ts'
import type { PhoneRequests } from '../phone-sign-in/phone-requests.service.ts'
import type { MagicLinks } from '../sign-in/magic-links.service.ts'
import { deviceOf } from '../audit/device.ts'

/**
 * Adds the endpoints of the hosted auth service's protocol that send emails and text messages for a sign-in or a
 * reauthentication.
 */
export function addHostedCodeRoutes(
  endpoints: Endpoints,
  deps: {
    magicLinks: MagicLinks
    phoneRequests: PhoneRequests
    mailedCodes: MailedCodes
    redirects: Redirects
  },
): void {
  const { magicLinks, phoneRequests, mailedCodes, redirects } = deps

  endpoints.add(hostedOtp, async ({ body, query, request }) => {
    const { email = null, phone, channel, create_user, data } = body ?? {}
    const device = deviceOf(request)
    const account = { createsAccount: create_user ?? true, data: data ?? {} }
    if (email && phone)
      throw new AppError('REQUEST_INCOMPLETE', {
        text: 'Only an email address or phone number should be provided',
      })
    if (phone) {
      assertSms(channel)
      await phoneRequests.sendCode({ phone, ...account }, device)
      return {}
    }
    const challenge = readCodeChallenge(body ?? {})
    const redirectTo = redirects.allow(query.redirect_to)
    await magicLinks.send({ email, ...account, challenge, redirectTo }, device)
    return {}
  })

  endpoints.add(hostedReauthenticate, async ({ user, request }) => {
    await mailedCodes.send(user, deviceOf(request))
    return {}
  })
}
