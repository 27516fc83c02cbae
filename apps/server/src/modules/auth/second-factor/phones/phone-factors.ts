import { createHmac, timingSafeEqual } from 'node:crypto'
import type { TransactionSql } from '../../../../platform/database/database.ts'
import { AppError } from '../../../../platform/errors/app-error.ts'
import type { UserPrincipal } from '../../../../platform/http/principal.ts'
import type { AccountRow } from '../../accounts/accounts.queries.ts'
import { readPhone } from '../../accounts/phone-field.ts'
import { randomCode } from '../../mail-links/one-time-tokens.ts'
import type { PhoneMessages } from '../../phone/phone-messages.ts'
import type { PhoneSettings } from '../../phone/phone-settings.ts'
import { type ChallengeRow, noteWrongCode, setChallengeCode } from '../challenges.queries.ts'
import { type FactorRow, deleteFactor, listFactors } from '../factors.queries.ts'

/** After this number of wrong codes, a challenge accepts no more codes. */
const MAX_WRONG_CODES = 5

/** A factor that is a phone. */
export type PhoneFactorRow = FactorRow & { phone: string }

export const isPhoneFactor = (factor: FactorRow): factor is PhoneFactorRow => factor.factor_type === 'phone'

/** Uses phones as a second factor: each challenge sends a code. */
export interface PhoneFactors {
  /**
   * Reads the phone number of a new factor from a request. Throws PHONE_FACTORS_DISABLED, REQUEST_INCOMPLETE or
   * PHONE_INVALID.
   */
  readNumber(text: string | null): string
  /**
   * Deletes an unverified factor with this number, so that a new one can be added. Throws PHONE_FACTOR_EXISTS if a
   * verified factor has the number. Throws PHONE_SIGNS_IN if the account signs in with the number, because one stolen
   * phone would then pass both steps. Call this under the lock of the account.
   */
  makeRoom(tx: TransactionSql, account: AccountRow, phone: string, now: Date): Promise<void>
  /**
   * Claims the right to send the message of a challenge. `isElsewhere` is true for a session at an unknown IP address
   * that has not passed the second step. Requests of such sessions must not delay the owner. Call this outside a
   * transaction. Throws PHONE_VERIFICATION_DISABLED or TOO_MANY_SMS.
   */
  claimSlot(
    principal: UserPrincipal,
    factor: PhoneFactorRow,
    place: { ip: string; isElsewhere: boolean },
  ): Promise<void>
  /** Creates the code for a challenge and sends it. */
  send(
    tx: TransactionSql,
    factor: PhoneFactorRow,
    challenge: { id: string; expiresAt: Date; account: AccountRow },
  ): Promise<void>
  /**
   * Returns whether this is the code of the challenge. Counts wrong codes, so the caller must commit in both cases.
   * Throws PHONE_VERIFICATION_DISABLED.
   */
  isRight(tx: TransactionSql, challenge: ChallengeRow, code: string): Promise<boolean>
}

export function createPhoneFactors(deps: {
  settings: PhoneSettings['factor']
  messages: PhoneMessages
  /** The key with which codes are hashed. */
  key: Buffer
}): PhoneFactors {
  const { settings, messages, key } = deps

  const hashCode = (challengeId: string, code: string): string =>
    createHmac('sha256', key).update(`${challengeId}\n${code}`).digest('base64url')

  const assertCanVerify = (): void => {
    if (!settings.canVerify) throw new AppError('PHONE_VERIFICATION_DISABLED')
  }

  return {
    readNumber(text) {
      if (!settings.canEnroll) throw new AppError('PHONE_FACTORS_DISABLED')
      if (!text)
        throw new AppError('REQUEST_INCOMPLETE', { text: 'Phone number required to enroll Phone factor' })
      return readPhone(text)
    },

    async makeRoom(tx, { id, phone: own }, phone, now) {
      if (phone === own) throw new AppError('PHONE_SIGNS_IN')
      for (const factor of await listFactors(tx, id, now)) {
        if (factor.phone !== phone) continue
        if (factor.status === 'verified') throw new AppError('PHONE_FACTOR_EXISTS')
        await deleteFactor(tx, factor.id)
      }
    },

    async claimSlot({ accountId }, { phone, status }, { ip, isElsewhere }) {
      assertCanVerify()
      const isProved = status === 'verified'
      await messages.limits.claimOwn({ accountId, phone, kind: 'factor', isProved, isElsewhere }, ip)
    },

    async send(tx, { phone }, { id, expiresAt, account }) {
      const code = randomCode(settings.digits)
      await setChallengeCode(tx, id, hashCode(id, code))
      await messages.sendFactorCode(tx, { account, phone, code, expiresAt })
    },

    async isRight(tx, { id, code_hash: hash, wrong_codes: wrongCodes }, code) {
      assertCanVerify()
      const isOpen = hash !== null && wrongCodes < MAX_WRONG_CODES
      if (isOpen && timingSafeEqual(Buffer.from(hashCode(id, code.trim())), Buffer.from(hash))) return true
      await noteWrongCode(tx, id)
      return false
    },
  }
}
