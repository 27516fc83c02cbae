import {
  hostedChallengeFactor,
  hostedCreateRecoveryCodes,
  hostedEnrollFactor,
  hostedGetRecoveryCodes,
  hostedRemoveFactor,
  hostedRemoveRecoveryCodes,
  hostedReplaceRecoveryCodes,
  hostedVerifyFactor,
  hostedVerifyRecoveryCode,
} from '@pegasus/contracts/auth/hosted-factors'
import type { CredentialAnswer } from '@pegasus/contracts/auth/webauthn'
import { validate as isUuid } from 'uuid'
import { AppError } from '../../../platform/errors/app-error.ts'
import type { Endpoints } from '../../../platform/http/endpoints.ts'
import { assertSms } from '../accounts/phone-field.ts'
import type { FactorChallenge } from '../second-factor/factor-challenges.service.ts'
import type { NewRecoveryCodes } from '../second-factor/recovery-codes.service.ts'
import type { SecondFactor } from '../second-factor/second-factor.ts'
import type { ClaimedSite, KeyProof } from '../second-factor/keys/factor-keys.service.ts'
import { deviceOf } from '../audit/device.ts'
import type { SignedInUsers } from './hosted-user.service.ts'

function readType(type: string | null | undefined): 'totp' | 'webauthn' | 'phone' {
  if (type === 'totp' || type === 'webauthn' || type === 'phone') return type
  throw new AppError('REQUEST_INCOMPLETE', { text: 'factor_type needs to be totp, phone, or webauthn' })
}

function readCode(code: string | null | undefined): string {
  if (!code?.trim()) throw new AppError('REQUEST_INCOMPLETE', { text: 'Code needs to be non-empty' })
  return code
}

/** Reads the id of a challenge. Throws CHALLENGE_NOT_FOUND if it is not a UUID, without querying the database. */
function readChallengeId(id: string | null | undefined): string {
  if (!id) throw new AppError('REQUEST_INCOMPLETE', { text: 'challenge_id needs to be non-empty' })
  if (!isUuid(id)) throw new AppError('CHALLENGE_NOT_FOUND')
  return id
}

interface SiteFields {
  rpId?: string | null | undefined
  rpOrigins?: string[] | null | undefined
}

const siteOf = ({ rpId, rpOrigins }: SiteFields): ClaimedSite => ({
  rpId: rpId || null,
  rpOrigins: rpOrigins?.length ? rpOrigins : null,
})

const keyProofOf = (
  ids: { factorId: string; challengeId: string },
  given: SiteFields & { type: 'create' | 'request'; credential_response: CredentialAnswer },
): KeyProof => ({ ...ids, site: siteOf(given), type: given.type, answer: given.credential_response })

const presentChallenge = (challenge: FactorChallenge) => {
  const fields = { id: challenge.id, expires_at: Math.floor(challenge.expiresAt.getTime() / 1000) }
  if (challenge.type !== 'webauthn') return { ...fields, type: challenge.type }
  const { type, publicKey } = challenge.question
  // Each type has its own type of options, and TypeScript does not accept one object literal for both.
  const webauthn =
    type === 'create'
      ? { type, credential_options: { publicKey } }
      : { type, credential_options: { publicKey } }
  return { ...fields, type: challenge.type, webauthn }
}

const presentNewCodes = ({ factorId, name, codes }: NewRecoveryCodes) => ({
  id: factorId,
  type: 'recovery_code' as const,
  friendly_name: name,
  total: codes.length,
  codes,
})

/** Adds the endpoints for the caller's own second factor, in the protocol of the hosted auth service. */
export function addHostedFactorRoutes(
  endpoints: Endpoints,
  deps: SecondFactor & { person: SignedInUsers },
): void {
  const { factors, factorChallenges, factorCodes, factorKeys, recoveryCodes, person } = deps

  endpoints.add(hostedEnrollFactor, async ({ user, body }) => {
    const type = readType(body?.factor_type)
    const name = body?.friendly_name ?? ''
    if (type === 'webauthn') {
      const { id } = await factors.enrollKey(user, name)
      return { id, type, friendly_name: name }
    }
    if (type === 'phone') {
      const { id, phone } = await factors.enrollPhone(user, { name, phone: body?.phone ?? null })
      return { id, type, friendly_name: name, phone }
    }
    const { id, qrCode, secret, uri } = await factors.enrollApp(user, { name, issuer: body?.issuer || null })
    return { id, type, friendly_name: name, totp: { qr_code: qrCode, secret, uri } }
  })

  endpoints.add(hostedChallengeFactor, async ({ user, params, body, request }) => {
    assertSms(body?.channel)
    const site = siteOf(body?.webauthn ?? {})
    return presentChallenge(await factorChallenges.start(user, params.id, site, deviceOf(request)))
  })

  endpoints.add(hostedVerifyFactor, async ({ user, params, body, request }) => {
    const device = deviceOf(request)
    const { code, webauthn } = body ?? {}
    // The protocol reports a missing code before it reports a missing challenge.
    const given = webauthn ?? readCode(code)
    const ids = { factorId: params.id, challengeId: readChallengeId(body?.challenge_id) }
    const session =
      typeof given === 'string'
        ? await factorCodes.verify(user, { ...ids, code: given }, device)
        : await factorKeys.verify(user, keyProofOf(ids, given), device)
    return person.asHostedSession(session)
  })

  endpoints.add(hostedRemoveFactor, async ({ user, params, request }) => {
    await factors.remove(user, params.id, deviceOf(request))
    return { id: params.id }
  })

  endpoints.add(hostedGetRecoveryCodes, async ({ user }) => {
    const { factorId, total, remaining } = await recoveryCodes.count(user)
    return { id: factorId, type: 'recovery_code' as const, total, remaining }
  })

  endpoints.add(hostedCreateRecoveryCodes, async ({ user, body, request }) =>
    presentNewCodes(await recoveryCodes.create(user, body?.friendly_name ?? null, deviceOf(request))),
  )

  endpoints.add(hostedReplaceRecoveryCodes, async ({ user, request }) =>
    presentNewCodes(await recoveryCodes.replace(user, deviceOf(request))),
  )

  endpoints.add(hostedVerifyRecoveryCode, async ({ user, body, request }) => {
    const { session, remaining } = await recoveryCodes.verify(user, readCode(body?.code), deviceOf(request))
    return { ...(await person.asHostedSession(session)), recovery_codes_remaining: remaining }
  })

  endpoints.add(hostedRemoveRecoveryCodes, async ({ user, request }) => {
    const { factorId } = await recoveryCodes.remove(user, deviceOf(request))
    return { id: factorId }
  })
}
