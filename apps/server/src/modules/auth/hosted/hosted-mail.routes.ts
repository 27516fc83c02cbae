import {
  hostedRecover,
  hostedResend,
  hostedSignUp,
  hostedUpdateUser,
  hostedVerify,
  hostedVerifyLink,
} from '@pegasus/contracts/auth/hosted-auth'
import type { Clock } from '../../../platform/clock.ts'
import { AppError } from '../../../platform/errors/app-error.ts'
import type { Endpoints } from '../../../platform/http/endpoints.ts'
import { assertSms } from '../accounts/phone-field.ts'
import { readCodeChallenge } from '../mail-links/flow-states.ts'
import type { MailRequests } from '../mail-links/mail-requests.service.ts'
import { PKCE_PREFIX } from '../mail-links/one-time-tokens.ts'
import type { Redirects } from '../mail-links/redirects.ts'
import type { Proof, Verification, VerifyOutcome } from '../mail-links/verification.service.ts'
import type { OwnAccount } from '../own-account/own-account.service.ts'
import type { PhoneRequests } from '../phone-sign-in/phone-requests.service.ts'
import type { PhoneVerification } from '../phone-sign-in/phone-verification.service.ts'
import type { SignUp } from '../sign-in/sign-up.service.ts'
import { type Device, deviceOf } from '../audit/device.ts'
import { linkErrorFields, sessionFields } from './redirect-fields.ts'
import { presentNobody } from './hosted-user.present.ts'
import type { SignedInUsers } from './hosted-user.service.ts'

const APPROVAL_NOTICE =
  'Your email address is confirmed. An administrator must approve your account before you can sign in.'

const READY_NOTICE = 'Your account is ready. Sign in with your email address and password.'

interface ProofFields {
  type?: string | null | undefined
  token?: string | null | undefined
  token_hash?: string | null | undefined
  email?: string | null | undefined
  phone?: string | null | undefined
}

type PhoneProof = { type: 'sms' | 'phone_change'; phone: string; code: string }

/**
 * Reads the proof in a request. It is either the token of a link, or an email address or phone number together with its
 * code. Throws REQUEST_INCOMPLETE if a field is missing or both kinds are mixed.
 */
function readProof({ type, token, token_hash: tokenHash, email, phone }: ProofFields): Proof | PhoneProof {
  if (tokenHash) return { token: tokenHash }
  if (!token)
    throw new AppError('REQUEST_INCOMPLETE', { text: 'Verify requires either a token or a token hash' })
  const code = token.trim()
  const isForPhone = type === 'sms' || type === 'phone_change'
  if (phone && !email && isForPhone) return { type, phone, code }
  if (email && !phone && !isForPhone) return { email, code }
  throw new AppError('REQUEST_INCOMPLETE', {
    text: 'Only an email address or phone number should be provided on verify',
  })
}

/**
 * Adds the endpoints of the hosted auth service's protocol for sign-ups, and for the links and codes in emails and text
 * messages.
 */
export function addHostedMailRoutes(
  endpoints: Endpoints,
  deps: {
    signUp: SignUp
    phoneRequests: PhoneRequests
    phoneVerification: PhoneVerification
    mailRequests: MailRequests
    verification: Verification
    ownAccount: OwnAccount
    redirects: Redirects
    person: SignedInUsers
    clock: Clock
  },
): void {
  const { signUp, phoneRequests, phoneVerification, mailRequests, verification, ownAccount, redirects } = deps
  const { person, clock } = deps

  endpoints.add(hostedSignUp, async ({ body, query, request }) => {
    const device = deviceOf(request)
    const { email = null, phone } = body ?? {}
    const fields = { password: body?.password ?? '', data: body?.data ?? {} }
    const challenge = readCodeChallenge(body ?? {})
    if (email && phone)
      throw new AppError('REQUEST_INCOMPLETE', {
        text: 'Only an email address or phone number should be provided on signup.',
      })
    if (phone) {
      assertSms(body?.channel)
      if (challenge)
        throw new AppError('REQUEST_INCOMPLETE', { text: 'PKCE not supported for phone signups' })
    }
    const outcome = phone
      ? await phoneRequests.signUp({ phone, ...fields }, device)
      : await signUp.signUp(
          { email, ...fields, challenge, redirectTo: redirects.allow(query.redirect_to) },
          device,
        )
    if (outcome.kind === 'signed-in') return person.asHostedSession(outcome.session)
    if (outcome.kind === 'known') return presentNobody(outcome, clock.now())
    return person.asHostedUser(outcome.account)
  })

  endpoints.add(hostedVerify, async ({ body, request }) => {
    const proof = readProof(body ?? {})
    const device = deviceOf(request)
    if ('phone' in proof) {
      const used = await phoneVerification.verify(proof.type, proof, device)
      return used.kind === 'session'
        ? person.asHostedSession(used.session)
        : person.asHostedUser(used.account)
    }
    const outcome = await verification.verify(body?.type ?? '', proof, device, { asCode: false })
    if (outcome.kind === 'session') return person.asHostedSession(outcome.session)
    if (outcome.kind === 'code') throw new Error('a code was made that nobody asked for')
    return person.asHostedUser(outcome.account)
  })

  const locationOf = (outcome: VerifyOutcome, redirectTo: string | null, isPkce: boolean): string => {
    if (outcome.kind === 'code') return redirects.withFields(redirectTo, { code: outcome.authCode }, 'query')
    if (outcome.kind === 'session')
      return redirects.withFields(
        redirectTo,
        { ...sessionFields(outcome.session), type: outcome.type },
        'fragment',
      )
    const notice =
      outcome.kind === 'ready'
        ? { message: READY_NOTICE, account: 'ready', sb: '' }
        : { message: APPROVAL_NOTICE, sb: '' }
    return redirects.withFields(redirectTo, notice, isPkce ? 'both' : 'fragment')
  }

  const followLink = async (
    { type = '', token }: { type?: string | undefined; token: string },
    redirectTo: string | null,
    device: Device,
  ): Promise<string> => {
    const isPkce = token.startsWith(PKCE_PREFIX)
    try {
      const outcome = await verification.verify(type, { token }, device, { asCode: isPkce })
      return locationOf(outcome, redirectTo, isPkce)
    } catch (error) {
      return redirects.withFields(redirectTo, linkErrorFields(error), isPkce ? 'both' : 'fragment')
    }
  }

  endpoints.add(hostedVerifyLink, async ({ query, request, reply }) => {
    const redirectTo = redirects.allow(query.redirect_to)
    // Programs that scan links in emails send HEAD requests. Only GET consumes the link.
    if (request.method === 'HEAD') return reply.redirect(redirectTo ?? redirects.home, 303)
    const link = { type: query.type, token: query.token_hash ?? query.token ?? '' }
    return reply.redirect(await followLink(link, redirectTo, deviceOf(request)), 303)
  })

  endpoints.add(hostedResend, async ({ body, query, request }) => {
    const { email, phone, type = null } = body ?? {}
    if (email && phone)
      throw new AppError('REQUEST_INCOMPLETE', {
        text: 'Only an email address or phone number should be provided.',
      })
    if (phone) {
      await phoneRequests.resend({ type, phone }, deviceOf(request))
      return {}
    }
    const challenge = readCodeChallenge(body ?? {})
    const redirectTo = redirects.allow(query.redirect_to)
    const mail = { type, email: email ?? null, challenge, redirectTo }
    await mailRequests.resend(mail, deviceOf(request))
    return {}
  })

  endpoints.add(hostedRecover, async ({ body, query, request }) => {
    const challenge = readCodeChallenge(body ?? {})
    const redirectTo = redirects.allow(query.redirect_to)
    await mailRequests.recover({ email: body?.email ?? null, challenge, redirectTo }, deviceOf(request))
    return {}
  })

  endpoints.add(hostedUpdateUser, async ({ user, body, query, request }) => {
    assertSms(body?.channel)
    const change = {
      email: body?.email || null,
      phone: body?.phone || null,
      password: body?.password || null,
      currentPassword: body?.current_password || null,
      nonce: body?.nonce || null,
      data: body?.data ?? null,
      challenge: readCodeChallenge(body ?? {}),
      redirectTo: redirects.allow(query.redirect_to),
    }
    const account = await ownAccount.update(user, change, deviceOf(request))
    return person.asHostedUser(account)
  })
}
