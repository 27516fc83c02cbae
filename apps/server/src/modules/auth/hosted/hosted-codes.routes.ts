import { hostedOtp, hostedReauthenticate } from '@pegasus/contracts/auth/hosted-auth'
import type { Endpoints } from '../../../platform/http/endpoints.ts'
import { readCodeChallenge } from '../mail-links/flow-states.ts'
import type { MailedCodes } from '../mail-links/mailed-codes.service.ts'
import type { Redirects } from '../mail-links/redirects.ts'
import type { MagicLinks } from '../sign-in/magic-links.service.ts'
import { deviceOf } from '../audit/device.ts'

/** Adds the endpoints for mails that sign in or reauthenticate, in the protocol of the hosted auth service. */
export function addHostedCodeRoutes(
  endpoints: Endpoints,
  deps: { magicLinks: MagicLinks; mailedCodes: MailedCodes; redirects: Redirects },
): void {
  const { magicLinks, mailedCodes, redirects } = deps

  endpoints.add(hostedOtp, async ({ body, query, request }) => {
    const wish = {
      email: body?.email ?? null,
      phone: body?.phone ?? null,
      createsAccount: body?.create_user ?? true,
      data: body?.data ?? {},
      challenge: readCodeChallenge(body ?? {}),
      redirectTo: redirects.allow(query.redirect_to),
    }
    await magicLinks.send(wish, deviceOf(request))
    return {}
  })

  endpoints.add(hostedReauthenticate, async ({ user, request }) => {
    await mailedCodes.send(user, deviceOf(request))
    return {}
  })
}
