import type { PhoneCodeType } from '@pegasus/contracts/auth/hosted-auth'
import { phoneDigits } from '@pegasus/contracts/auth/phone-number'
import type { Clock } from '../../../platform/clock.ts'
import type { Database, TransactionSql } from '../../../platform/database/database.ts'
import { AppError } from '../../../platform/errors/app-error.ts'
import { writeAudit } from '../../audit/index.ts'
import { updatePassword } from '../accounts/account-changes.queries.ts'
import { getAccountSummary } from '../accounts/account-summary.ts'
import { type AccountRow, getAccount, lockAccount } from '../accounts/accounts.queries.ts'
import { isAdmitted } from '../accounts/admission.ts'
import { confirmPhone, findPhoneIdentityId } from '../accounts/phone-accounts.queries.ts'
import type { TakeOver } from '../take-over/take-over.ts'
import { accountEntity, auditRefusedSignIn, ownAuditContext } from '../audit/account-audit.ts'
import type { Device } from '../audit/device.ts'
import { type OneTimeTokens, type PhoneCodeRow, deleteTokensOf } from '../mail-links/one-time-tokens.ts'
import { type Attempt, type AttemptLimits, addressKey, judged } from '../rate-limit/attempt-limits.ts'
import type { SessionRow } from '../sessions/sessions.queries.ts'
import type { IssuedSession, Sessions } from '../sessions/sessions.service.ts'
import { noteKnownPhoneAddress } from '../phone/known-phone-addresses.queries.ts'
import type { CompletePhoneChange } from '../phone/phone-change.ts'

export type PhoneVerifyOutcome =
  | { kind: 'session'; session: IssuedSession }
  /** The number is confirmed, but the account is still waiting for approval. */
  | { kind: 'waiting'; account: AccountRow }

/** Handles the use of codes from text messages. */
export interface PhoneVerification {
  /**
   * Consumes a code, confirms the number and opens a session. Throws CODE_EXPIRED if the code is wrong, used
   * or expired, and for an unknown number. Also throws PHONE_INVALID, PHONE_TAKEN, ACCOUNT_DEACTIVATED or
   * TOO_MANY_SIGN_INS.
   */
  verify(
    type: 'sms' | 'phone_change',
    proof: { phone: string; code: string },
    device: Device,
  ): Promise<PhoneVerifyOutcome>
}

export function createPhoneVerification(deps: {
  database: Database
  clock: Clock
  limits: AttemptLimits
  sessions: Sessions
  tokens: OneTimeTokens
  takeOver: TakeOver
  completeChange: CompletePhoneChange
}): PhoneVerification {
  const { database, clock, limits, sessions, tokens, takeOver, completeChange } = deps

  /**
   * Handles the first verification of a number. Somebody else may have created the account in the hope that the owner
   * of the number uses it later. So only a password that was requested together with this code, at this IP address, is
   * kept. The address is compared because a stranger may sign up with the number in the meantime, so that the owner
   * enters the code of the stranger's message.
   */
  const handOver = async (
    tx: TransactionSql,
    row: PhoneCodeRow,
    { account, device }: { account: AccountRow; device: Device },
  ): Promise<void> => {
    const now = clock.now()
    const passwordHash = row.address === addressKey(device.ip) ? row.password_hash : null
    const options = { keepsPassword: false, keepsPhone: true, flowStateId: null, now }
    const ended = await takeOver(tx, account.id, options)
    const by = ownAuditContext(await getAccountSummary(tx, account.id), device, now)
    if (passwordHash !== null) await updatePassword(tx, account.id, passwordHash, now)
    const subject = accountEntity(account)
    if (passwordHash !== null && passwordHash !== account.password_hash)
      await writeAudit(tx, { action: 'password.changed', ...subject, after: { by: 'link' } }, by)
    // An account with an unconfirmed number had no sessions, so nobody can have used it.
    if (account.phone_confirmed_at === null) return
    await writeAudit(tx, { action: 'account.updated', ...subject, after: ended }, by)
  }

  const apply = async (
    tx: TransactionSql,
    row: PhoneCodeRow,
    by: { account: AccountRow; device: Device },
  ): Promise<void> => {
    const { account } = by
    if (row.type === 'phone_change') return completeChange(tx, row.phone, by)
    // The number of the account has changed since the message was sent.
    if (row.phone !== account.phone)
      throw new AppError('CODE_EXPIRED', { detail: 'sent to an earlier number' })
    if (account.phone_proved_at === null) await handOver(tx, row, by)
    await confirmPhone(tx, account.id, clock.now())
  }

  const use = async (
    tx: TransactionSql,
    row: PhoneCodeRow,
    device: Device,
  ): Promise<{ account: AccountRow; session: SessionRow | null }> => {
    const before = await lockAccount(tx, row.account_id)
    if (!before?.is_active) throw new AppError('ACCOUNT_DEACTIVATED')
    await deleteTokensOf(tx, row.account_id)
    await apply(tx, row, { account: before, device })
    const place = { phone: row.phone, address: addressKey(device.ip), now: clock.now() }
    await noteKnownPhoneAddress(tx, row.account_id, place)
    const account = await getAccount(tx, row.account_id)
    if (!isAdmitted(account)) return { account, session: null }
    const identityId = await findPhoneIdentityId(tx, account.id)
    const way = identityId === null ? 'otp' : { method: 'otp', identityId }
    return sessions.openWithin(tx, account, device, way)
  }

  /** Returns null instead of throwing, because an error would roll back the count of the wrong code. */
  const findAndUse = (
    proof: { phone: string; code: string; type: PhoneCodeType },
    device: Device,
  ): Promise<{ account: AccountRow; session: SessionRow | null } | null> =>
    database.transaction(async (tx) => {
      const row = await tokens.takeByPhone(tx, { ...proof, address: addressKey(device.ip) }, clock.now())
      return row && use(tx, row, device)
    })

  return {
    async verify(type, { phone: text, code }, device) {
      const phone = phoneDigits(text)
      if (phone === null) throw new AppError('PHONE_INVALID')
      const refused = { account: null, reason: 'wrong_phone_code' }
      const attempt: Attempt = {
        key: 'phone-code',
        ip: device.ip,
        onWrong: (tx) => auditRefusedSignIn(tx, refused, device, clock.now()),
      }
      const used = await judged(limits, attempt, () => findAndUse({ phone, code, type }, device))
      if (!used) throw new AppError('CODE_EXPIRED')
      const { account, session } = used
      if (session === null) return { kind: 'waiting', account }
      return { kind: 'session', session: await sessions.issue(session, account) }
    },
  }
}
