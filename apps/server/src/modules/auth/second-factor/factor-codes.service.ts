import type { Clock } from '../../../platform/clock.ts'
import type { Database, TransactionSql } from '../../../platform/database/database.ts'
import { AppError } from '../../../platform/errors/app-error.ts'
import type { UserPrincipal } from '../../../platform/http/principal.ts'
import { type Attempt, type AttemptLimits, addressKey, judged } from '../rate-limit/attempt-limits.ts'
import type { IssuedSession, Sessions } from '../sessions/sessions.service.ts'
import type { Device } from '../audit/device.ts'
import { codeAttempt } from './factor-audit.ts'
import type { FactorProofs } from './factor-proof.ts'
import type { FactorSecrets } from './factor-secrets.ts'
import type { ChallengeRow } from './challenges.queries.ts'
import {
  type FactorRow,
  type TotpFactorRow,
  isTotpFactor,
  listVerifiedTotpFactors,
  noteStep,
} from './factors.queries.ts'
import { isElsewhere } from '../accounts/known-addresses.queries.ts'
import { type PhoneFactors, isPhoneFactor } from './phones/phone-factors.ts'
import { type Holder, lockHolder } from './second-step.ts'
import { findTotpStep } from './totp.ts'

/** A code in response to a challenge. */
export interface CodeProof {
  factorId: string
  challengeId: string
  code: string
}

/**
 * Checks the codes of authenticator apps and phones. A code is accepted only once, and the number of wrong codes is
 * limited.
 */
export interface FactorCodes {
  /**
   * Checks a code. If it is right, raises the session to aal2, marks the factor as verified, and ends the account's
   * other sessions below aal2. Throws FACTOR_NOT_FOUND, one of the CHALLENGE_ errors, FACTOR_CODE_WRONG,
   * PHONE_CODE_WRONG, PHONE_VERIFICATION_DISABLED or TOO_MANY_CODES.
   */
  verify(principal: UserPrincipal, proof: CodeProof, device: Device): Promise<IssuedSession>
  /**
   * Returns whether this is a current code of a verified authenticator app of the account. If so, the code cannot be
   * used again. Throws TOO_MANY_CODES.
   */
  isCodeOf(principal: UserPrincipal, code: string, device: Device): Promise<boolean>
}

export function createFactorCodes(deps: {
  database: Database
  clock: Clock
  secrets: FactorSecrets
  limits: AttemptLimits
  /** Limits the wrong codes for an account from all unknown IP addresses together. */
  anywhereLimits: AttemptLimits
  sessions: Sessions
  proofs: FactorProofs
  phones: PhoneFactors
}): FactorCodes {
  const { database, clock, secrets, limits, anywhereLimits, sessions, proofs, phones } = deps

  /** Accepts a code that is right and newer than the last accepted code. Returns whether the code was accepted. */
  const take = async (tx: TransactionSql, factor: TotpFactorRow, code: string): Promise<boolean> => {
    const step = findTotpStep(secrets.open(factor), code, clock.now())
    if (step === null || step <= (factor.last_step ?? -1)) return false
    await noteStep(tx, factor.id, step)
    return true
  }

  const isCodeFor = async (
    tx: TransactionSql,
    { factor, challenge }: { factor: FactorRow; challenge: ChallengeRow },
    code: string,
  ): Promise<boolean> => {
    if (isPhoneFactor(factor)) return phones.isRight(tx, challenge, code)
    return isTotpFactor(factor) && take(tx, factor, code)
  }

  /** Returns null instead of throwing, because an error would roll back the count of the wrong code. */
  const tryProof = (principal: UserPrincipal, proof: CodeProof, device: Device): Promise<Holder | null> =>
    database.transaction(async (tx) => {
      const holder = await lockHolder(tx, principal)
      const factor = await proofs.getFactor(tx, principal, proof.factorId)
      const challenge = await proofs.getChallenge(tx, principal, proof, device)
      if (!(await isCodeFor(tx, { factor, challenge }, proof.code))) return null
      return proofs.pass(tx, principal, { holder, factor, challenge, device })
    })

  const tryCode = (principal: UserPrincipal, code: string): Promise<boolean> =>
    database.transaction(async (tx) => {
      await lockHolder(tx, principal)
      for (const factor of await listVerifiedTotpFactors(tx, principal.accountId))
        if (await take(tx, factor, code)) return true
      return false
    })

  /**
   * Checks a code under the limits. Somebody who knows the password could guess codes from many IP addresses, so all
   * unknown IP addresses share a limit. This limit does not apply to known addresses, or to sessions that have passed
   * the second step.
   */
  const judge = async <T>(principal: UserPrincipal, attempt: Attempt, work: () => Promise<T>): Promise<T> => {
    const { accountId } = principal
    const place = { address: addressKey(attempt.ip), now: clock.now() }
    const judgeAttempt = () => judged(limits, attempt, work)
    if (!(await isElsewhere(database.sql, principal, place))) return judgeAttempt()
    return judged(anywhereLimits, { key: accountId, ip: attempt.ip }, judgeAttempt)
  }

  return {
    async verify(principal, proof, device) {
      const { factor_type: type } = await proofs.getFactor(database.sql, principal, proof.factorId)
      const factor = { id: proof.factorId, type }
      const attempt = codeAttempt(principal, factor, { device, clock })
      const passed = await judge(principal, attempt, () => tryProof(principal, proof, device))
      if (!passed) throw new AppError(type === 'phone' ? 'PHONE_CODE_WRONG' : 'FACTOR_CODE_WRONG')
      return sessions.issue(passed.session, passed.account)
    },

    isCodeOf(principal, code, device) {
      const attempt = codeAttempt(principal, { id: null, type: 'totp' }, { device, clock })
      return judge(principal, attempt, () => tryCode(principal, code))
    },
  }
}
