import type { Clock } from '../../../platform/clock.ts'
import type { Database, TransactionSql } from '../../../platform/database/database.ts'
import { AppError, orThrow } from '../../../platform/errors/app-error.ts'
import type { UserPrincipal } from '../../../platform/http/principal.ts'
import { writeAudit } from '../../audit/index.ts'
import { bumpRevision } from '../accounts/account-changes.queries.ts'
import { type Attempt, type AttemptLimits, addressKey, judged } from '../rate-limit/attempt-limits.ts'
import type { AccountMails } from '../mail-links/account-mails.ts'
import type { IssuedSession, Sessions } from '../sessions/sessions.service.ts'
import { ownAuditContext, sessionEntity } from '../audit/account-audit.ts'
import type { Device } from '../audit/device.ts'
import { type ChallengeRow, findChallenge, insertChallenge, markChallengeUsed } from './challenges.queries.ts'
import { codeAttempt, factorFields, factorEntity } from './factor-audit.ts'
import { composeFactorAdded } from './factor-mails.ts'
import type { FactorSecrets } from './factor-secrets.ts'
import {
  type TotpFactorRow,
  acceptStep,
  deleteUnverifiedFactors,
  findTotpFactor,
  listVerifiedTotpFactors,
  noteChallenged,
} from './factors.queries.ts'
import { isKnownAddress } from './known-addresses.queries.ts'
import { type Holder, lockHolder, passSecondStep } from './second-step.ts'
import { findTotpStep } from './totp.ts'

/** A code as the response to a challenge. */
export interface FactorProof {
  factorId: string
  challengeId: string
  code: string
}

/** Codes of authenticator apps. Each counts once, and a limited number is checked. */
export interface FactorCodes {
  /** Throws FACTOR_NOT_FOUND. */
  challenge(
    principal: UserPrincipal,
    factorId: string,
    device: Device,
  ): Promise<{ id: string; expiresAt: Date }>
  /**
   * Raises the session to aal2, marks the factor as verified, and ends the account's sessions below aal2. Throws
   * FACTOR_NOT_FOUND, one of the CHALLENGE_ errors, FACTOR_CODE_WRONG or TOO_MANY_CODES.
   */
  verify(principal: UserPrincipal, proof: FactorProof, device: Device): Promise<IssuedSession>
  /** Whether a verified factor of the account produces this code now; uses the code up. Throws TOO_MANY_CODES. */
  isCodeOf(principal: UserPrincipal, code: string, device: Device): Promise<boolean>
}

export function createFactorCodes(deps: {
  database: Database
  clock: Clock
  secrets: FactorSecrets
  limits: AttemptLimits
  /** Counted for an account over all addresses. */
  anywhereLimits: AttemptLimits
  sessions: Sessions
  mails: AccountMails
}): FactorCodes {
  const { database, clock, secrets, limits, anywhereLimits, sessions, mails } = deps

  const getFactor = async (tx: TransactionSql, principal: UserPrincipal, factorId: string) => {
    const { accountId } = principal
    return orThrow(await findTotpFactor(tx, { accountId, factorId }, clock.now()), 'FACTOR_NOT_FOUND')
  }

  const getChallenge = async (
    tx: TransactionSql,
    { sessionId }: UserPrincipal,
    { factorId, challengeId: id }: FactorProof,
    device: Device,
  ): Promise<ChallengeRow> => {
    const challenge = await findChallenge(tx, { id, factorId, sessionId })
    if (!challenge) throw new AppError('CHALLENGE_NOT_FOUND')
    if (challenge.used_at !== null || challenge.address !== addressKey(device.ip))
      throw new AppError('CHALLENGE_USED_OR_ELSEWHERE')
    if (new Date(challenge.expires_at) <= clock.now()) throw new AppError('CHALLENGE_EXPIRED')
    return challenge
  }

  /** Accepts a code if it is right and newer than the last accepted one. */
  const take = async (tx: TransactionSql, factor: TotpFactorRow, code: string): Promise<boolean> => {
    const now = clock.now()
    const step = findTotpStep(secrets.open(factor), code, now)
    if (step === null || step <= (factor.last_step ?? -1)) return false
    await acceptStep(tx, factor, step, now)
    return true
  }

  const pass = async (
    tx: TransactionSql,
    principal: UserPrincipal,
    { holder, factor, device }: { holder: Holder; factor: TotpFactorRow; device: Device },
  ): Promise<Holder> => {
    const now = clock.now()
    const audit = ownAuditContext(principal.user, device, now)
    await deleteUnverifiedFactors(tx, holder.account.id)
    const passed = await passSecondStep(tx, holder, {
      method: 'totp',
      factorId: factor.id,
      address: addressKey(device.ip),
      now,
    })
    const level = { aal: 'aal2', method: 'totp', ended_sessions: passed.endedSessions }
    if (factor.status === 'verified') {
      const session = sessionEntity(passed.session.id, principal.user)
      await writeAudit(tx, { action: 'session.confirmed', ...session, after: level }, audit)
      return passed
    }
    const after = { ...factorFields(factor), ...level }
    await bumpRevision(tx, holder.account.id, now)
    await writeAudit(
      tx,
      { action: 'factor.enrolled', ...factorEntity(factor.id, principal.user), after },
      audit,
    )
    if (mails.reachPeople) await mails.notify(tx, holder.account, composeFactorAdded())
    return passed
  }

  /** Returned instead of thrown, because an error would roll back the count of the wrong code. */
  const tryProof = (principal: UserPrincipal, proof: FactorProof, device: Device): Promise<Holder | null> =>
    database.transaction(async (tx) => {
      const holder = await lockHolder(tx, principal)
      const factor = await getFactor(tx, principal, proof.factorId)
      const challenge = await getChallenge(tx, principal, proof, device)
      if (!(await take(tx, factor, proof.code))) return null
      await markChallengeUsed(tx, challenge.id, clock.now())
      return pass(tx, principal, { holder, factor, device })
    })

  const tryCode = (principal: UserPrincipal, code: string): Promise<boolean> =>
    database.transaction(async (tx) => {
      await lockHolder(tx, principal)
      for (const factor of await listVerifiedTotpFactors(tx, principal.accountId))
        if (await take(tx, factor, code)) return true
      return false
    })

  /**
   * Checks a code under the limits. Somebody who knows the password could guess from many addresses, so all unknown
   * addresses share a limit. Attempts elsewhere do not affect a known address or a session that has passed its second
   * step.
   */
  const judge = async <T>(principal: UserPrincipal, attempt: Attempt, work: () => Promise<T>): Promise<T> => {
    const { accountId } = principal
    const place = { accountId, address: addressKey(attempt.ip), now: clock.now() }
    const judgeAttempt = () => judged(limits, attempt, work)
    if (!principal.isSecondFactorDue || (await isKnownAddress(database.sql, place))) return judgeAttempt()
    return judged(anywhereLimits, { key: accountId, ip: attempt.ip }, judgeAttempt)
  }

  return {
    challenge: (principal, factorId, { ip }) =>
      database.transaction(async (tx) => {
        const now = clock.now()
        await lockHolder(tx, principal)
        const factor = await getFactor(tx, principal, factorId)
        await noteChallenged(tx, factor.id, now)
        const { sessionId } = principal
        return insertChallenge(tx, { factorId, sessionId, address: addressKey(ip), now })
      }),

    async verify(principal, proof, device) {
      const factor = { id: proof.factorId, type: 'totp' } as const
      const attempt = codeAttempt(principal, factor, { device, clock })
      const passed = await judge(principal, attempt, () => tryProof(principal, proof, device))
      if (!passed) throw new AppError('FACTOR_CODE_WRONG')
      return sessions.issue(passed.session, passed.account)
    },

    isCodeOf(principal, code, device) {
      const attempt = codeAttempt(principal, { id: null, type: 'totp' }, { device, clock })
      return judge(principal, attempt, () => tryCode(principal, code))
    },
  }
}
