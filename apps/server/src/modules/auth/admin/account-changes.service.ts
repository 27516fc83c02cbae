import { type Role, hasRole } from '@pegasus/contracts/roles'
import type { UpdateUserBody, User } from '@pegasus/contracts/users/users'
import type { AuditContext } from '../../../platform/actor.ts'
import type { Database, TransactionSql } from '../../../platform/database/database.ts'
import { AppError } from '../../../platform/errors/app-error.ts'
import { assertRevision } from '../../../platform/errors/assert-revision.ts'
import { type AuditEvent, writeAudit } from '../../audit/index.ts'
import {
  type AccountSummaryRow,
  countActiveOwners,
  presentUser,
  replaceRole,
  setSystemAccess,
} from '../../users/index.ts'
import {
  bumpRevision,
  endLinks,
  setApproved,
  setEnabled,
  settleSignUp,
} from '../accounts/account-changes.queries.ts'
import { lockAccount } from '../accounts/accounts.queries.ts'
import { getAccountSummary } from '../accounts/account-summary.ts'
import type { AccountMails } from '../mail-links/account-mails.ts'
import type { PhoneMessages } from '../phone/phone-messages.ts'
import { endSignIns } from '../sessions/sessions.queries.ts'
import { accountEntity } from '../audit/account-audit.ts'
import { assertMayManage, lockRoles } from './manage-accounts.ts'
import { composeApprovalMail } from './admin-mails.ts'

export interface UpdateOptions {
  actorId: string
  audit: AuditContext
  /** The revision from `If-Match`; null accepts any revision. */
  revision: number | null
}

/** Changes that admins and owners make to accounts. */
export interface AccountChanges {
  /**
   * Changes an account. Throws OWNERS_ONLY, OWN_ROLE, LAST_OWNER, FIRST_OWNER, ACCOUNT_NOT_FOUND or
   * PRECONDITION_FAILED.
   */
  update(id: string, change: UpdateUserBody, options: UpdateOptions): Promise<User>
}

const isStaff = (role: string): boolean => hasRole(role, 'staff')

/**
 * Returns the value of `system_access` (the right to own API keys) after a change. A promotion to staff grants this
 * right, and a demotion below staff removes it. A value in the request takes precedence.
 */
function systemAccessAfter(
  person: AccountSummaryRow,
  { role, system_access: given }: UpdateUserBody,
): boolean {
  if (given !== undefined) return given
  if (role === undefined || isStaff(role) === isStaff(person.role)) return person.system_access
  return isStaff(role)
}

/** Returns whether a change gives an account another role, or stops it from signing in. */
const changesStanding = (person: AccountSummaryRow, change: UpdateUserBody): boolean =>
  (change.role !== undefined && change.role !== person.role) ||
  change.is_active === false ||
  change.approved === false

type Change = Pick<AuditEvent, 'action' | 'before' | 'after'>

/** Returns one audit event for each kind of change to an account, or an empty list if nothing changed. */
function changesOf(before: AccountSummaryRow, after: AccountSummaryRow, endedSessions: number): Change[] {
  const changes: Change[] = []
  const ended = after.is_active ? {} : { ended_sessions: endedSessions }
  const rights = (['role', 'system_access'] as const).filter((name) => before[name] !== after[name])
  const pick = (person: AccountSummaryRow) => Object.fromEntries(rights.map((name) => [name, person[name]]))
  if (rights.length > 0) changes.push({ action: 'account.updated', before: pick(before), after: pick(after) })
  // If an account is deactivated before it was ever approved, the audit says that its sign-up was declined.
  const declined = !after.is_enabled && before.approved_at === null ? { declined: true } : {}
  if (before.is_enabled !== after.is_enabled)
    changes.push({
      action: after.is_enabled ? 'account.reactivated' : 'account.deactivated',
      before: { is_active: before.is_enabled },
      after: { is_active: after.is_enabled, ...declined, ...ended },
    })
  const [wasApproved, isApproved] = [before.approved_at !== null, after.approved_at !== null]
  if (wasApproved !== isApproved)
    changes.push({
      action: isApproved ? 'account.approved' : 'account.updated',
      before: { approved: wasApproved },
      after: { approved: isApproved, ...ended },
    })
  return changes
}

export function createAccountChanges(deps: {
  database: Database
  mails: AccountMails
  messages: Pick<PhoneMessages, 'reachPeople'>
}): AccountChanges {
  const { database, mails, messages } = deps

  const changeRole = async (tx: TransactionSql, person: AccountSummaryRow, role: Role): Promise<void> => {
    await replaceRole(tx, person.id, role)
    // While the role was lower, admins could read the links of this account. Such a link must not open an account with
    // the role admin.
    if (hasRole(role, 'admin')) await endLinks(tx, person.id)
  }

  const changeApproval = async (
    tx: TransactionSql,
    person: AccountSummaryRow,
    { approved, now }: { approved: boolean; now: Date },
  ): Promise<void> => {
    // Without a mail server nobody can confirm an email address, so the approval confirms it. Without a way to send
    // text messages, the approval also confirms the phone number of an account without an email address.
    const way = person.has_email || person.phone === null ? mails : messages
    const confirms = approved && !way.reachPeople
    await setApproved(tx, person.id, { approved, confirms, now })
    if (confirms) await settleSignUp(tx, person.id)
    if (approved) await mails.notify(tx, person, composeApprovalMail(mails.publicUrl))
  }

  const apply = async (
    tx: TransactionSql,
    person: AccountSummaryRow,
    { change, now }: { change: UpdateUserBody; now: Date },
  ): Promise<void> => {
    const { role, is_active: isEnabled, approved } = change
    if (role !== undefined && role !== person.role) await changeRole(tx, person, role)
    const systemAccess = systemAccessAfter(person, change)
    if (systemAccess !== person.system_access) await setSystemAccess(tx, person.id, systemAccess)
    if (isEnabled !== undefined && isEnabled !== person.is_enabled) await setEnabled(tx, person.id, isEnabled)
    if (approved !== undefined && approved !== (person.approved_at !== null))
      await changeApproval(tx, person, { approved, now })
  }

  /**
   * Ends everything that could still give access to an account that is being deactivated. Returns the number of ended
   * sessions.
   */
  const shut = async (tx: TransactionSql, id: string): Promise<number> => {
    await endLinks(tx, id)
    return endSignIns(tx, id)
  }

  return {
    update: (id, change, options) =>
      database.transaction(async (tx) => {
        const { actorId, audit, revision } = options
        await lockRoles(tx)
        if (!(await lockAccount(tx, id))) throw new AppError('ACCOUNT_NOT_FOUND')
        const person = await getAccountSummary(tx, id)
        await assertMayManage(tx, actorId, [person.role, ...(change.role === undefined ? [] : [change.role])])
        assertRevision(revision, person, () => presentUser(person))
        await apply(tx, person, { change, now: audit.now })
        if ((await countActiveOwners(tx)) === 0) throw new AppError('LAST_OWNER')
        if (changesStanding(person, change)) {
          if (id === actorId) throw new AppError('OWN_ROLE')
          if (person.is_first_owner) throw new AppError('FIRST_OWNER')
        }
        const after = await getAccountSummary(tx, id)
        const ended = after.is_active ? 0 : await shut(tx, id)
        const events = changesOf(person, after, ended)
        // An update without changes keeps the revision, so that the `If-Match` values of other clients stay valid.
        if (events.length === 0) return presentUser(person)
        for (const event of events) await writeAudit(tx, { ...event, ...accountEntity(person) }, audit)
        await bumpRevision(tx, id, audit.now)
        return presentUser(await getAccountSummary(tx, id))
      }),
  }
}
