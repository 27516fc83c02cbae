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
import { validate as isUuid } from 'uuid'
import { AppError } from '../../../platform/errors/app-error.ts'
import type { Endpoints } from '../../../platform/http/endpoints.ts'
import type { FactorCodes } from '../second-factor/factor-codes.service.ts'
import type { Factors } from '../second-factor/factors.service.ts'
import type { NewRecoveryCodes, RecoveryCodes } from '../second-factor/recovery-codes.service.ts'
import { deviceOf } from '../audit/device.ts'
import type { SignedInUsers } from './hosted-user.service.ts'

/** The protocol has three kinds of factors. We offer authenticator apps. */
function assertOffered(type: string | null | undefined): void {
  if (type === 'totp') return
  if (type === 'phone') throw new AppError('PHONE_FACTORS_DISABLED')
  if (type === 'webauthn') throw new AppError('WEBAUTHN_FACTORS_DISABLED')
  throw new AppError('REQUEST_INCOMPLETE', { say: 'factor_type needs to be totp, phone, or webauthn' })
}

function readCode(code: string | null | undefined): string {
  if (!code?.trim()) throw new AppError('REQUEST_INCOMPLETE', { say: 'Code needs to be non-empty' })
  return code
}

/** A text that is not a UUID names no challenge, so the database is not asked. */
function readChallengeId(id: string | null | undefined): string {
  if (!id) throw new AppError('REQUEST_INCOMPLETE', { say: 'challenge_id needs to be non-empty' })
  if (!isUuid(id)) throw new AppError('CHALLENGE_NOT_FOUND')
  return id
}

const presentNewCodes = ({ factorId, name, codes }: NewRecoveryCodes) => ({
  id: factorId,
  type: 'recovery_code' as const,
  friendly_name: name,
  total: codes.length,
  codes,
})

/** Endpoints for one's own second factor, in the protocol of the hosted auth service. */
export function addHostedFactorRoutes(
  endpoints: Endpoints,
  deps: { factors: Factors; factorCodes: FactorCodes; recoveryCodes: RecoveryCodes; person: SignedInUsers },
): void {
  const { factors, factorCodes, recoveryCodes, person } = deps

  endpoints.add(hostedEnrollFactor, async ({ user, body }) => {
    assertOffered(body?.factor_type)
    const wish = { name: body?.friendly_name ?? '', issuer: body?.issuer || null }
    const { id, name, qrCode, secret, uri } = await factors.enroll(user, wish)
    return { id, type: 'totp' as const, friendly_name: name, totp: { qr_code: qrCode, secret, uri } }
  })

  endpoints.add(hostedChallengeFactor, async ({ user, params, request }) => {
    const { id, expiresAt } = await factorCodes.challenge(user, params.id, deviceOf(request))
    return { id, type: 'totp' as const, expires_at: Math.floor(expiresAt.getTime() / 1000) }
  })

  endpoints.add(hostedVerifyFactor, async ({ user, params, body, request }) => {
    const code = readCode(body?.code)
    const proof = { factorId: params.id, challengeId: readChallengeId(body?.challenge_id), code }
    return person.asHostedSession(await factorCodes.verify(user, proof, deviceOf(request)))
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
