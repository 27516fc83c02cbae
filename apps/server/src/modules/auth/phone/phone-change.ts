import type { Clock } from '../../../platform/clock.ts'
import type { Database, TransactionSql } from '../../../platform/database/database.ts'
import { AppError } from '../../../platform/errors/app-error.ts'
import type { UserPrincipal } from '../../../platform/http/principal.ts'
import { writeAudit } from '../../audit/index.ts'
import { getAccountSummary } from '../accounts/account-summary.ts'
import {
  type AccountRow,
  freeUsernameFor,
  getAccount,
  lockAccountNames,
} from '../accounts/accounts.queries.ts'
import {
  findAccountByPhone,
  hasPhoneFactor,
  setNewPhone,
  setPhone,
  settleAnonymousPhone,
} from '../accounts/phone-accounts.queries.ts'
import { readPhone, usernameOfPhone } from '../accounts/phone-field.ts'
import { assertNotSsoManaged } from '../accounts/sso-managed.ts'
import { accountEntity, ownAuditContext } from '../audit/account-audit.ts'
import type { Device } from '../audit/device.ts'
import type { AccountMails } from '../mail-links/account-mails.ts'
import { addressKey } from '../rate-limit/attempt-limits.ts'
import { assertRecent } from '../sessions/recent-sign-in.ts'
import { assertPhonesEnabled } from './assert-phones-enabled.ts'
import type { PhoneMessages } from './phone-messages.ts'
import { composePhoneChangeNotice } from './phone-mails.ts'
import type { PhoneSettings } from './phone-settings.ts'

/** Changes the phone number of the caller's own account. */
export interface PhoneChanges {
  /**
   * Reads the requested number and claims the right to send its message. Returns null if the request contains no
   * number, or the account already has it. Call this outside a transaction. Throws PHONE_DISABLED, PHONE_INVALID,
   * SSO_MANAGED, PHONE_TAKEN, PHONE_FACTOR_EXISTS, REAUTHENTICATION_REQUIRED or TOO_MANY_SMS.
   */
  prepare(principal: UserPrincipal, text: string | null, device: Device): Promise<string | null>
  /**
   * Stores the requested number for an account that the caller has locked, and sends a code to this number. The account
   * gets the number when the code is used.
   */
  begin(
    tx: TransactionSql,
    phone: string,
    by: { principal: UserPrincipal; account: AccountRow; device: Device },
  ): Promise<void>
}

/**
 * Gives a locked account its requested number. Throws CODE_EXPIRED if the account has requested a different number by
 * now, or PHONE_TAKEN. Throws PHONE_FACTOR_EXISTS if the number is a second factor of the account, because one stolen
 * phone would then pass both steps of a sign-in.
 */
export type CompletePhoneChange = (
  tx: TransactionSql,
  phone: string,
  by: { account: AccountRow; device: Device },
) => Promise<void>

export function createPhoneChanges(deps: {
  settings: PhoneSettings
  database: Database
  clock: Clock
  messages: PhoneMessages
}): PhoneChanges {
  const { settings, database, clock, messages } = deps
  return {
    async prepare(principal, text, { ip }) {
      if (text === null) return null
      assertPhonesEnabled(settings, 'Unsupported phone provider')
      const phone = readPhone(text)
      const { accountId } = principal
      const account = await getAccount(database.sql, accountId)
      if (account.phone === phone && account.phone_proved_at !== null) return null
      assertNotSsoManaged(account)
      // An anonymous person has no password for a reauthentication, so an old sign-in is enough.
      if (!principal.isAnonymous) assertRecent(principal.authenticatedAt, clock)
      const other = await findAccountByPhone(database.sql, phone)
      if (other && other.id !== accountId) {
        await messages.limits.countTaken(accountId, ip)
        throw new AppError('PHONE_TAKEN')
      }
      if (await hasPhoneFactor(database.sql, accountId, phone)) throw new AppError('PHONE_FACTOR_EXISTS')
      await messages.limits.claimOwn(
        { accountId, phone, kind: 'phone_change', isProved: false, isElsewhere: false },
        ip,
      )
      return phone
    },

    async begin(tx, phone, { principal, account, device }) {
      const now = clock.now()
      await setNewPhone(tx, account.id, phone, now)
      const address = addressKey(device.ip)
      await messages.sendCode(tx, { account, phone, type: 'phone_change', passwordHash: null, address })
      const event = {
        ...accountEntity(account),
        before: { new_phone: account.new_phone },
        after: { new_phone: phone },
      }
      const by = ownAuditContext(principal.user, device, now)
      await writeAudit(tx, { action: 'profile.updated', ...event }, by)
    },
  }
}

export const createPhoneChangeCompletion =
  ({
    clock,
    mails,
    approvesSignUps,
  }: {
    clock: Clock
    mails: AccountMails
    approvesSignUps: boolean
  }): CompletePhoneChange =>
  async (tx, phone, { account, device }) => {
    if (account.new_phone !== phone) throw new AppError('CODE_EXPIRED', { detail: 'another number by now' })
    await lockAccountNames(tx)
    const other = await findAccountByPhone(tx, phone)
    if (other && other.id !== account.id) throw new AppError('PHONE_TAKEN')
    if (await hasPhoneFactor(tx, account.id, phone)) throw new AppError('PHONE_FACTOR_EXISTS')
    const now = clock.now()
    const { id } = account
    await setPhone(tx, id, { phone, confirmedAt: now, provedAt: now }, now)
    if (account.is_anonymous) {
      const username = await freeUsernameFor(tx, usernameOfPhone(phone))
      await settleAnonymousPhone(tx, { id, username, approves: approvesSignUps, now })
    }
    const sides = { before: { phone: account.phone }, after: { phone } }
    const by = ownAuditContext(await getAccountSummary(tx, id), device, now)
    await writeAudit(tx, { action: 'phone.changed', ...accountEntity(account), ...sides }, by)
    if (mails.reachPeople) await mails.notify(tx, account, composePhoneChangeNotice(phone))
  }
