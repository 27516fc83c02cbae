import type { Clock } from '../../../platform/clock.ts'
import type { Queryable, TransactionSql } from '../../../platform/database/database.ts'
import { AppError, orThrow } from '../../../platform/errors/app-error.ts'
import type { UserPrincipal } from '../../../platform/http/principal.ts'
import { writeAudit } from '../../audit/index.ts'
import { bumpRevision } from '../accounts/account-changes.queries.ts'
import { ownAuditContext, sessionEntity } from '../audit/account-audit.ts'
import type { Device } from '../audit/device.ts'
import type { AccountMails } from '../mail-links/account-mails.ts'
import { addressKey } from '../rate-limit/attempt-limits.ts'
import type { SecondStepMethod } from '../sessions/session-level.queries.ts'
import { type ChallengeRow, findChallenge, markChallengeUsed } from './challenges.queries.ts'
import { factorFields, factorEntity } from './factor-audit.ts'
import { composeFactorAdded } from './factor-mails.ts'
import { type FactorRow, deleteUnverifiedFactors, findFactor, markVerified } from './factors.queries.ts'
import { type Holder, passSecondStep } from './second-step.ts'

/** The method in the `amr` claim (authentication methods) for each factor type. The audit uses it, too. */
const METHODS = {
  totp: 'totp',
  webauthn: 'mfa/webauthn',
  phone: 'mfa/phone',
  recovery_code: 'mfa/recovery_code',
} as const satisfies Record<FactorRow['factor_type'], SecondStepMethod>

/** The steps that are the same for all factor types. Call them under the lock of the account. */
export interface FactorProofs {
  /** Returns a factor. Throws FACTOR_NOT_FOUND. */
  getFactor(sql: Queryable, principal: UserPrincipal, factorId: string): Promise<FactorRow>
  /** Returns the challenge that a proof answers. Throws one of the CHALLENGE_ errors. */
  getChallenge(
    tx: TransactionSql,
    principal: UserPrincipal,
    asked: { factorId: string; challengeId: string },
    device: Device,
  ): Promise<ChallengeRow>
  /** Accepts a correct proof: marks the challenge as used, verifies the factor and raises the session. */
  pass(
    tx: TransactionSql,
    principal: UserPrincipal,
    proven: { holder: Holder; factor: FactorRow; challenge: ChallengeRow; device: Device },
  ): Promise<Holder>
}

export function createFactorProofs(deps: { clock: Clock; mails: AccountMails }): FactorProofs {
  const { clock, mails } = deps

  return {
    getFactor: async (sql, { accountId }, factorId) =>
      orThrow(await findFactor(sql, { accountId, factorId }, clock.now()), 'FACTOR_NOT_FOUND'),

    async getChallenge(tx, { sessionId }, { factorId, challengeId: id }, device) {
      const challenge = orThrow(await findChallenge(tx, { id, factorId, sessionId }), 'CHALLENGE_NOT_FOUND')
      if (challenge.used_at !== null || challenge.address !== addressKey(device.ip))
        throw new AppError('CHALLENGE_USED_OR_ELSEWHERE')
      if (new Date(challenge.expires_at) <= clock.now()) throw new AppError('CHALLENGE_EXPIRED')
      return challenge
    },

    async pass(tx, principal, { holder, factor, challenge, device }) {
      const now = clock.now()
      const method = METHODS[factor.factor_type]
      const audit = ownAuditContext(principal.user, device, now)
      await markChallengeUsed(tx, challenge.id, now)
      await markVerified(tx, factor.id, now)
      await deleteUnverifiedFactors(tx, holder.account.id)
      const proof = { method, factorId: factor.id, address: addressKey(device.ip), now }
      const passed = await passSecondStep(tx, holder, proof)
      const level = { aal: 'aal2', method, ended_sessions: passed.endedSessions }
      if (factor.status === 'verified') {
        const session = sessionEntity(passed.session.id, principal.user)
        await writeAudit(tx, { action: 'session.confirmed', ...session, after: level }, audit)
        return passed
      }
      const event = {
        ...factorEntity(factor.id, principal.user),
        after: { ...factorFields(factor), ...level },
      }
      await bumpRevision(tx, holder.account.id, now)
      await writeAudit(tx, { action: 'factor.enrolled', ...event }, audit)
      if (mails.reachPeople) await mails.notify(tx, holder.account, composeFactorAdded(factor.factor_type))
      return passed
    },
  }
}
