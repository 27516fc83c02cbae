import type { AuditContext } from '../../../platform/actor.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { TransactionSql } from '../../../platform/database/database.ts'
import { AppError } from '../../../platform/errors/app-error.ts'
import type { UserPrincipal } from '../../../platform/http/principal.ts'
import { writeAudit } from '../../audit/index.ts'
import { replaceEmail, setNewEmail } from '../accounts/account-changes.queries.ts'
import { type AccountRow, findAccountByEmail } from '../accounts/accounts.queries.ts'
import type { UpgradeAnonymous } from '../accounts/anonymous-upgrade.ts'
import { assertNotSsoManaged } from '../accounts/sso-managed.ts'
import { assertRecent } from '../sessions/recent-sign-in.ts'
import { accountEntity, ownAuditContext } from '../audit/account-audit.ts'
import type { Device } from '../audit/device.ts'
import type { AccountMails } from './account-mails.ts'
import type { CodeChallenge } from './flow-states.ts'
import { composeEmailChangeNotice } from './link-mails.ts'

export interface EmailChange {
  /** The address in normalized form, as `readEmail` returns it. */
  email: string
  challenge: CodeChallenge | null
  redirectTo: string | null
  /** Whether the email shows the code next to the link. */
  showsCode: boolean
}

/**
 * Changes the email address of the caller's account, which the caller must have locked. If the server sends no emails,
 * the address changes at once. Otherwise the new address must first be confirmed. Does nothing if the account already
 * has that address. Throws REAUTHENTICATION_REQUIRED, SSO_MANAGED, EMAIL_TAKEN or TOO_MANY_MAILS.
 */
export type ChangeEmail = (
  tx: TransactionSql,
  change: EmailChange,
  by: { principal: UserPrincipal; account: AccountRow; device: Device },
) => Promise<void>

export const createEmailChange =
  ({
    clock,
    mails,
    upgradeAnonymous,
  }: {
    clock: Clock
    mails: AccountMails
    upgradeAnonymous: UpgradeAnonymous
  }): ChangeEmail =>
  async (tx, { email, challenge, redirectTo, showsCode }, { principal, account, device }) => {
    if (email === account.email.toLowerCase() || email === account.sso_email?.toLowerCase()) return
    assertNotSsoManaged(account)
    // An anonymous person has no password for a reauthentication, so an old sign-in is enough.
    if (!account.is_anonymous) assertRecent(principal.authenticatedAt, clock)
    if (await findAccountByEmail(tx, email)) throw new AppError('EMAIL_TAKEN')
    const now = clock.now()
    const audit = ownAuditContext(principal.user, device, now)
    if (!mails.reachPeople) {
      const address = { email, isProved: false }
      if (account.is_anonymous) await upgradeAnonymous(tx, account, address, now)
      else await replaceEmail(tx, account.id, address, now)
      await auditNewEmail(tx, account, email, audit)
      return
    }
    // The limit for the new address prevents its inbox from being flooded. The limit for the old address prevents one
    // person from sending emails to many addresses in our name.
    await mails.claimSlot(tx, { to: email, kind: 'email_change' })
    if (account.has_email) await mails.claimSlot(tx, { to: account.email, kind: 'email_change' })
    await setNewEmail(tx, account.id, email, now)
    await mails.notify(tx, account, composeEmailChangeNotice(email))
    await mails.send(tx, {
      type: 'email_change',
      accountId: account.id,
      to: email,
      challenge,
      redirectTo,
      showsCode,
    })
    const event = {
      ...accountEntity(account),
      before: { new_email: account.new_email },
      after: { new_email: email },
    }
    await writeAudit(tx, { action: 'profile.updated', ...event }, audit)
  }

/** Records in the audit that an account has a new address. */
export const auditNewEmail = (
  tx: TransactionSql,
  account: AccountRow,
  email: string,
  by: AuditContext,
): Promise<void> =>
  writeAudit(
    tx,
    {
      action: 'email.changed',
      ...accountEntity(account),
      before: { email: account.has_email ? account.email : null },
      after: { email },
    },
    by,
  )
