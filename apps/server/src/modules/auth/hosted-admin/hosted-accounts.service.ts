import type { AdminUserBody } from '@pegasus/contracts/auth/hosted-admin'
import type { HostedUser } from '@pegasus/contracts/auth/hosted-auth'
import { hasRole, type Role } from '@pegasus/contracts/roles'
import { v7 as uuidv7, validate as isUuid, NIL } from 'uuid'
import type { AuditContext } from '../../../platform/actor.ts'
import { type Clock, addMs } from '../../../platform/clock.ts'
import type { Database, TransactionSql } from '../../../platform/database/database.ts'
import { AppError } from '../../../platform/errors/app-error.ts'
import { writeAudit } from '../../audit/index.ts'
import { type AccountSummaryRow, insertProfile, insertUser, replaceRole } from '../../users/index.ts'
import {
  bumpRevision,
  confirmEmail,
  endLinks,
  saveUserMetadata,
  updatePassword,
} from '../accounts/account-changes.queries.ts'
import { getAccountSummary } from '../accounts/account-summary.ts'
import {
  type AccountRow,
  findAccountByEmail,
  freeUsernameFor,
  getAccount,
  insertAccount,
  lockAccount,
  lockAccountNames,
} from '../accounts/accounts.queries.ts'
import { assertNotSsoManaged } from '../accounts/sso-managed.ts'
import { readEmail } from '../accounts/email-address.ts'
import {
  confirmPhone,
  findAccountByPhone,
  insertPhoneAccount,
  setPhone,
} from '../accounts/phone-accounts.queries.ts'
import { readPhone, usernameOfPhone } from '../accounts/phone-field.ts'
import { fullNameIn, mergeMetadata, ownMetadata } from '../accounts/user-metadata.ts'
import { lockRoles } from '../admin/manage-accounts.ts'
import { removePasskeys } from '../admin/remove-passkeys.ts'
import { accountEntity } from '../audit/account-audit.ts'
import { presentHostedUser } from '../hosted/hosted-user.present.ts'
import type { SignedInUsers } from '../hosted/hosted-user.service.ts'
import type { PasswordHashing } from '../passwords/password-hashing.ts'
import { UNVERIFIED_MS } from '../second-factor/factors.queries.ts'
import { forgetKnownAddresses } from '../accounts/known-addresses.queries.ts'
import { endSignIns } from '../sessions/sessions.queries.ts'
import {
  assertOffered,
  readBanMs,
  readPassword,
  readContacts,
  readRole,
  storedAppMetadata,
} from './admin-fields.ts'
import {
  countAccounts,
  eraseAccount,
  findAccount,
  isIdTaken,
  listAccounts,
  listFactorsOf,
  listIdentitiesOf,
  mergeAppMetadata,
  setBan,
  setEmail,
} from './hosted-accounts.queries.ts'

/** A page of accounts, with the total number of accounts. */
export interface HostedUserPage {
  users: HostedUser[]
  total: number
}

export interface NewHostedAccount {
  id?: string
  /** Null if the account has only a phone number. */
  email: string | null
  phone?: string | null
  isPhoneConfirmed?: boolean
  passwordHash: string | null
  isConfirmed: boolean
  userMetadata: Record<string, unknown>
  appMetadata?: Record<string, unknown> | null
  role: Role | null
}

/** Manages accounts for programs with a secret key. Accounts with the role admin or owner are read-only. */
export interface HostedAccounts {
  list(place: { page: number; perPage: number }): Promise<HostedUserPage>
  /** Returns an account. Throws ACCOUNT_NOT_FOUND. */
  get(id: string): Promise<HostedUser>
  /**
   * Creates an account. Throws OWNERS_ONLY, EMAIL_INVALID, EMAIL_TAKEN, PHONE_INVALID, PHONE_TAKEN,
   * ACCOUNT_ID_TAKEN, WEAK_PASSWORD or REQUEST_INCOMPLETE.
   */
  create(body: AdminUserBody, audit: AuditContext): Promise<HostedUser>
  /**
   * Changes an account. A new password or a ban ends all its sessions. Throws the errors of `create`, and
   * ACCOUNT_NOT_FOUND.
   */
  update(id: string, body: AdminUserBody, audit: AuditContext): Promise<HostedUser>
  /**
   * Deletes an account: erases its address, credentials, identities and sessions. Keeps the row and the person's name,
   * because orders and the audit refer to them. Throws ACCOUNT_NOT_FOUND or OWNERS_ONLY.
   */
  remove(id: string, audit: AuditContext): Promise<void>
  /** Inserts an approved account for an email address that no account has. Call this under `lockAccountNames`. */
  insert(tx: TransactionSql, account: NewHostedAccount, audit: AuditContext): Promise<AccountRow>
}

/**
 * Locks an account that a program with a secret key may change. Throws ACCOUNT_NOT_FOUND. Throws OWNERS_ONLY for admins
 * and owners, so that no key can gain the rights of an owner.
 */
export async function lockBelowAdmin(tx: TransactionSql, id: string): Promise<AccountSummaryRow> {
  await lockRoles(tx)
  if (!(await lockAccount(tx, id))) throw new AppError('ACCOUNT_NOT_FOUND')
  const person = await getAccountSummary(tx, id)
  if (hasRole(person.role, 'admin')) throw new AppError('OWNERS_ONLY')
  return person
}

function readId(text: string | null | undefined): string {
  if (!text) return uuidv7()
  if (!isUuid(text) || text === NIL)
    throw new AppError('REQUEST_INCOMPLETE', { text: 'ID must conform to the uuid v4 format' })
  return text.toLowerCase()
}

export function createHostedAccounts(deps: {
  database: Database
  clock: Clock
  hashing: PasswordHashing
  person: SignedInUsers
}): HostedAccounts {
  const { database, clock, hashing, person: presented } = deps

  /**
   * Inserts an account with an email address, a phone number or both. The administrator vouches for those that are
   * confirmed from the beginning.
   */
  const insertWithContacts = async (
    tx: TransactionSql,
    account: NewHostedAccount & { id: string },
    audit: AuditContext,
  ): Promise<AccountRow> => {
    const { id, email, phone = null, passwordHash } = account
    const { now } = audit
    const phoneAt = account.isPhoneConfirmed ? now : null
    const ownPhone = phone === null ? null : { phone, confirmedAt: phoneAt, provedAt: phoneAt }
    const userMetadata = ownMetadata(account.userMetadata)
    const appMetadata = storedAppMetadata(account.appMetadata)
    const fields = { id, passwordHash, approvedAt: now, now }
    if (email === null && ownPhone !== null) {
      const username = await freeUsernameFor(tx, usernameOfPhone(ownPhone.phone))
      return insertPhoneAccount(tx, { ...fields, ...ownPhone, username, userMetadata, appMetadata })
    }
    const address = email ?? ''
    const row = await insertAccount(tx, {
      ...fields,
      email: address,
      username: await freeUsernameFor(tx, address),
      mustChangePassword: false,
      emailConfirmedAt: account.isConfirmed ? now : null,
      isVouchedFor: true,
      userMetadata: null,
      adminData: { userMetadata, appMetadata },
    })
    return ownPhone === null ? row : setPhone(tx, id, ownPhone, now)
  }

  const insert: HostedAccounts['insert'] = async (tx, account, audit) => {
    const { id = uuidv7(), email, phone = null, role } = account
    const row = await insertWithContacts(tx, { ...account, id }, audit)
    const { username } = row
    const userMetadata = ownMetadata(account.userMetadata)
    const fullName = fullNameIn(userMetadata)
    const systemAccess = hasRole(role, 'staff')
    // An account without a row in `user_roles` is a viewer.
    if (role === null) await insertProfile(tx, { accountId: id, fullName, systemAccess })
    else await insertUser(tx, { accountId: id, fullName, role, systemAccess })
    const after = {
      email,
      ...(phone !== null && { phone }),
      username,
      full_name: fullName,
      role: role ?? 'viewer',
      system_access: systemAccess,
    }
    await writeAudit(tx, { action: 'account.created', ...accountEntity({ id }), after }, audit)
    return row
  }

  const ban = async (tx: TransactionSql, person: AccountSummaryRow, banMs: number, audit: AuditContext) => {
    const until = banMs > 0 ? addMs(audit.now, banMs) : null
    if (until === null && person.is_enabled) return
    await setBan(tx, person.id, until)
    if (until !== null) await endLinks(tx, person.id)
    const ended =
      until === null ? {} : { ended_sessions: await endSignIns(tx, person.id), banned_until: until }
    const action = until === null ? 'account.reactivated' : 'account.deactivated'
    const sides = {
      before: { is_active: person.is_enabled },
      after: { is_active: until === null, ...ended },
    }
    await writeAudit(tx, { action, ...accountEntity(person), ...sides }, audit)
  }

  const changeEmail = async (
    tx: TransactionSql,
    person: AccountSummaryRow,
    email: string,
    audit: AuditContext,
  ): Promise<void> => {
    if (email === person.email.toLowerCase()) return
    if (await findAccountByEmail(tx, email)) throw new AppError('EMAIL_TAKEN')
    await setEmail(tx, person.id, email, audit.now)
    await endLinks(tx, person.id)
    const sides = { before: { email: person.email }, after: { email } }
    await writeAudit(tx, { action: 'email.changed', ...accountEntity(person), ...sides }, audit)
  }

  /** Sets a phone number without sending a code to it. The account stays confirmed or unconfirmed as before. */
  const changePhone = async (
    tx: TransactionSql,
    { id }: AccountSummaryRow,
    phone: string,
    audit: AuditContext,
  ): Promise<void> => {
    const account = await getAccount(tx, id)
    if (account.phone === phone) return
    if (await findAccountByPhone(tx, phone)) throw new AppError('PHONE_TAKEN')
    const confirmedAt = account.phone_confirmed_at === null ? null : audit.now
    await setPhone(tx, id, { phone, confirmedAt, provedAt: confirmedAt }, audit.now)
    await endLinks(tx, id)
    const sides = { before: { phone: account.phone }, after: { phone } }
    await writeAudit(tx, { action: 'phone.changed', ...accountEntity(account), ...sides }, audit)
  }

  /** Confirms the email address or phone number of an account if the request asks for it. */
  const confirm = async (
    tx: TransactionSql,
    person: AccountSummaryRow,
    body: AdminUserBody,
    audit: AuditContext,
  ): Promise<void> => {
    const account = await getAccount(tx, person.id)
    const confirmsEmail = body.email_confirm && person.email_confirmed_at === null && account.has_email
    if (confirmsEmail) await confirmEmail(tx, account.id, account.email, audit.now)
    const confirmsPhone = body.phone_confirm && account.phone !== null && account.phone_proved_at === null
    if (confirmsPhone) await confirmPhone(tx, account.id, audit.now)
    if (!confirmsEmail && !confirmsPhone) return
    const after = {
      ...(confirmsEmail && { email_confirmed: true }),
      ...(confirmsPhone && { phone_confirmed: true }),
    }
    await writeAudit(tx, { action: 'account.updated', ...accountEntity(person), after }, audit)
  }

  const changeRole = async (
    tx: TransactionSql,
    person: AccountSummaryRow,
    role: Role | null,
    audit: AuditContext,
  ): Promise<void> => {
    if (role === null || role === person.role) return
    await replaceRole(tx, person.id, role)
    const sides = { before: { role: person.role }, after: { role } }
    await writeAudit(tx, { action: 'account.updated', ...accountEntity(person), ...sides }, audit)
  }

  const changeMetadata = async (
    tx: TransactionSql,
    account: AccountRow,
    { user_metadata: data, app_metadata: appData }: AdminUserBody,
    audit: AuditContext,
  ): Promise<void> => {
    const appMetadata = storedAppMetadata(appData)
    if (data) await saveUserMetadata(tx, account.id, mergeMetadata(account.user_metadata, data), audit.now)
    if (Object.keys(appMetadata).length > 0) await mergeAppMetadata(tx, account.id, appMetadata)
    else if (!data) return
    // The metadata may contain anything, so the audit records only which part changed.
    const after = { ...(data && { metadata: 'changed' }), ...(appData && { app_metadata: 'changed' }) }
    await writeAudit(tx, { action: 'profile.updated', ...accountEntity(account), after }, audit)
  }

  const apply = async (
    tx: TransactionSql,
    person: AccountSummaryRow,
    { body, passwordHash }: { body: AdminUserBody; passwordHash: string | null },
    audit: AuditContext,
  ): Promise<void> => {
    const { id } = person
    if (body.email || body.phone || passwordHash !== null) assertNotSsoManaged(await getAccount(tx, id))
    if (body.email) await changeEmail(tx, person, readEmail(body.email), audit)
    if (body.phone) await changePhone(tx, person, readPhone(body.phone), audit)
    await changeRole(tx, person, readRole(body.app_metadata), audit)
    await changeMetadata(tx, await getAccount(tx, id), body, audit)
    await confirm(tx, person, body, audit)
    if (passwordHash !== null) {
      await updatePassword(tx, id, passwordHash, audit.now)
      await removePasskeys(tx, person, audit)
      const after = { ended_sessions: await endSignIns(tx, id) }
      await writeAudit(tx, { action: 'password.reset', ...accountEntity(person), after }, audit)
    }
    const banMs = readBanMs(body.ban_duration)
    if (banMs !== null) await ban(tx, person, banMs, audit)
    await bumpRevision(tx, id, audit.now)
  }

  return {
    insert,

    async list(place) {
      const [accounts, total] = await Promise.all([
        listAccounts(database.sql, place),
        countAccounts(database.sql),
      ])
      const ids = accounts.map(({ id }) => id)
      const [identities, factors] = await Promise.all([
        listIdentitiesOf(database.sql, ids),
        listFactorsOf(database.sql, ids, addMs(clock.now(), -UNVERIFIED_MS)),
      ])
      const isOf = (id: string) => (row: { account_id: string }) => row.account_id === id
      const users = accounts.map((account) =>
        presentHostedUser(account, {
          identities: identities.filter(isOf(account.id)),
          factors: factors.filter(isOf(account.id)),
        }),
      )
      return { users, total }
    },

    async get(id) {
      const account = await findAccount(database.sql, id)
      if (!account) throw new AppError('ACCOUNT_NOT_FOUND')
      return presented.asHostedUser(account)
    },

    async create(body, audit) {
      assertOffered(body)
      const { email, phone } = readContacts(body)
      const [id, role] = [readId(body.id), readRole(body.app_metadata)]
      const banMs = readBanMs(body.ban_duration)
      const passwordHash = await readPassword(body, hashing)
      const account = await database.transaction(async (tx) => {
        await lockAccountNames(tx)
        if (email !== null && (await findAccountByEmail(tx, email))) throw new AppError('EMAIL_TAKEN')
        if (phone !== null && (await findAccountByPhone(tx, phone))) throw new AppError('PHONE_TAKEN')
        if (await isIdTaken(tx, id)) throw new AppError('ACCOUNT_ID_TAKEN')
        const isConfirmed = body.email_confirm ?? false
        const isPhoneConfirmed = body.phone_confirm ?? false
        const { user_metadata: data, app_metadata: appMetadata = null } = body
        const contacts = { email, phone, isConfirmed, isPhoneConfirmed }
        const fields = { id, ...contacts, passwordHash, userMetadata: data ?? {}, appMetadata, role }
        await insert(tx, fields, audit)
        if (banMs !== null) await ban(tx, await getAccountSummary(tx, id), banMs, audit)
        return getAccount(tx, id)
      })
      return presented.asHostedUser(account)
    },

    async update(id, body, audit) {
      assertOffered(body)
      const passwordHash = await readPassword(body, hashing)
      const account = await database.transaction(async (tx) => {
        await lockAccountNames(tx)
        const person = await lockBelowAdmin(tx, id)
        await apply(tx, person, { body, passwordHash }, audit)
        return getAccount(tx, id)
      })
      return presented.asHostedUser(account)
    },

    remove: (id, audit) =>
      database.transaction(async (tx) => {
        const person = await lockBelowAdmin(tx, id)
        const ended = await endSignIns(tx, id)
        await endLinks(tx, id)
        await forgetKnownAddresses(tx, id)
        await eraseAccount(tx, id, audit.now)
        const { email, username } = person
        const sides = { before: { email, username }, after: { ended_sessions: ended } }
        const name = { entityName: person.full_name || username }
        await writeAudit(
          tx,
          { action: 'account.deleted', ...accountEntity({ id }), ...name, ...sides },
          audit,
        )
      }),
  }
}
