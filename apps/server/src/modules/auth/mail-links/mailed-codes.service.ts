import type { Clock } from '../../../platform/clock.ts'
import type { Database, Queryable } from '../../../platform/database/database.ts'
import { AppError } from '../../../platform/errors/app-error.ts'
import type { UserPrincipal } from '../../../platform/http/principal.ts'
import { writeAudit } from '../../audit/index.ts'
import { type AccountRow, getAccount } from '../accounts/accounts.queries.ts'
import { type Attempt, type AttemptLimits, judged } from '../rate-limit/attempt-limits.ts'
import { accountEntity, ownAuditContext } from '../audit/account-audit.ts'
import type { Device } from '../audit/device.ts'
import type { AccountMails } from './account-mails.ts'
import type { OneTimeTokens } from './one-time-tokens.ts'

/** Sends codes to the phones of people who have no email address, and checks these codes. */
export interface PhoneReauthentication {
  /** Claims the right to send a message. Call this outside a transaction. Throws TOO_MANY_SMS. */
  claimSlot(account: AccountRow & { phone: string }, ip: string): Promise<void>
  send(tx: Queryable, account: AccountRow & { phone: string }): Promise<void>
  /**
   * Returns whether the code is the one that was sent last. Counts wrong codes, so the caller must commit in
   * both cases.
   */
  isRight(tx: Queryable, phone: string, code: string): Promise<boolean>
}

/**
 * Sends and checks mailed codes, with which a signed-in person can reauthenticate. Only that person can read the
 * account's emails.
 */
export interface MailedCodes {
  /**
   * Emails a code to the account's own address. For an account without an address, sends it to the phone.
   * Throws TOO_MANY_MAILS, TOO_MANY_SMS or TOO_MANY_REQUESTS, or REQUEST_INCOMPLETE if the account has
   * neither.
   */
  send(principal: UserPrincipal, device: Device): Promise<void>
  /**
   * Returns whether the code is the latest mailed code. A right code stays valid until the password changes, so that a
   * person whose new password is refused needs no second email. A wrong code is counted and audited. Throws
   * TOO_MANY_SIGN_INS.
   */
  isRight(principal: UserPrincipal, account: AccountRow, code: string, device: Device): Promise<boolean>
}

/** Returns whether the account has a confirmed phone number, to which codes can be sent. */
const hasOwnPhone = (account: AccountRow): account is AccountRow & { phone: string } =>
  account.phone !== null && account.phone_confirmed_at !== null

export function createMailedCodes(deps: {
  database: Database
  clock: Clock
  mails: AccountMails
  tokens: OneTimeTokens
  phones: PhoneReauthentication
  codeLimits: AttemptLimits
  requestLimits: AttemptLimits
}): MailedCodes {
  const { database, clock, mails, tokens, phones, codeLimits, requestLimits } = deps

  const sendToPhone = async (account: AccountRow, ip: string): Promise<void> => {
    if (!hasOwnPhone(account))
      throw new AppError('REQUEST_INCOMPLETE', {
        text: 'Reauthentication requires the user to have an email or a phone number',
      })
    await phones.claimSlot(account, ip)
    await database.transaction((tx) => phones.send(tx, account))
  }

  return {
    async send({ accountId }, { ip }) {
      await requestLimits.count({ key: 'reauthentication', ip })
      const account = await getAccount(database.sql, accountId)
      if (!account.has_email) return sendToPhone(account, ip)
      await database.transaction(async (tx) => {
        const { email } = await getAccount(tx, accountId)
        await mails.claimSlot(tx, { to: email, kind: 'reauthentication' })
        await mails.send(tx, { type: 'reauthentication', accountId, to: email, showsCode: true })
      })
    },

    isRight({ user }, account, code, device) {
      const event = {
        action: 'session.refused',
        ...accountEntity(account),
        after: { reason: 'wrong_mail_code' },
      } as const
      const attempt: Attempt = {
        key: account.id,
        accountId: account.id,
        isOwn: true,
        ip: device.ip,
        onWrong: (tx) => writeAudit(tx, event, ownAuditContext(user, device, clock.now())),
      }
      const proof = {
        email: account.email.toLowerCase(),
        code: code.trim(),
        types: ['reauthentication'],
      } as const
      // Return the result instead of throwing: an error would roll back the count of the wrong code.
      return judged(
        codeLimits,
        attempt,
        async ({ isUsedUp }) =>
          !isUsedUp &&
          (await database.transaction(async (tx) =>
            hasOwnPhone(account) && !account.has_email
              ? phones.isRight(tx, account.phone, proof.code)
              : (await tokens.findByCode(tx, proof, clock.now())) !== null,
          )),
      )
    },
  }
}
