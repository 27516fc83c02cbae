import type { Clock } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database/database.ts'
import { AppError } from '../../../platform/errors/app-error.ts'
import type { UserPrincipal } from '../../../platform/http/principal.ts'
import { writeAudit } from '../../audit/index.ts'
import { type AccountRow, getAccount } from '../accounts/accounts.queries.ts'
import { type Attempt, type AttemptLimits, judged } from '../rate-limit/attempt-limits.ts'
import { accountEntity, ownAuditContext } from '../audit/account-audit.ts'
import type { Device } from '../audit/device.ts'
import type { AccountMails } from './account-mails.ts'
import type { OneTimeTokens } from './one-time-tokens.ts'

const NO_ADDRESS = 'Reauthentication requires the user to have an email or a phone number'

/**
 * Sends and checks mailed codes. They reauthenticate a signed-in person, because only that person can read the
 * account's mails.
 */
export interface MailedCodes {
  /**
   * Mails a code to the account's own address. Throws TOO_MANY_MAILS or TOO_MANY_REQUESTS, or REQUEST_INCOMPLETE for an
   * account without an address.
   */
  send(principal: UserPrincipal, device: Device): Promise<void>
  /**
   * Returns whether this is the last mailed code. The code stays valid until the password changes, so that a refused
   * password needs no second mail. A wrong code is counted and recorded in the audit. Throws TOO_MANY_SIGN_INS.
   */
  isRight(principal: UserPrincipal, account: AccountRow, code: string, device: Device): Promise<boolean>
}

export function createMailedCodes(deps: {
  database: Database
  clock: Clock
  mails: AccountMails
  tokens: OneTimeTokens
  codeLimits: AttemptLimits
  requestLimits: AttemptLimits
}): MailedCodes {
  const { database, clock, mails, tokens, codeLimits, requestLimits } = deps

  return {
    async send({ accountId }, { ip }) {
      await requestLimits.count({ key: 'reauthentication', ip })
      await database.transaction(async (tx) => {
        const { email, has_email: hasEmail } = await getAccount(tx, accountId)
        if (!hasEmail) throw new AppError('REQUEST_INCOMPLETE', { say: NO_ADDRESS })
        await mails.takeTurn(tx, { to: email, kind: 'reauthentication' })
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
      // The result is returned instead of thrown, because an error would roll back the count of the wrong code.
      return judged(
        codeLimits,
        attempt,
        async ({ isUsedUp }) =>
          !isUsedUp &&
          (await database.transaction((tx) => tokens.findByCode(tx, proof, clock.now()))) !== null,
      )
    },
  }
}
