import { USERNAME_MAX_LENGTH, isUsername, normalizeName } from '@pegasus/contracts/users/users'
import { v7 as uuidv7 } from 'uuid'
import type { Row } from '../../../platform/database/column-types.ts'
import { firstRow } from '../../../platform/database/first-row.ts'
import type { Queryable } from '../../../platform/database/database.ts'
import type { OwnAddress } from './account-changes.queries.ts'

export type AccountRow = Row<'accounts'>

export type IdentityRow = Row<'identities'>

export interface NewAccount {
  id: string
  email: string
  username: string
  /** Null if the person was invited and has not chosen a password yet. */
  passwordHash: string | null
  mustChangePassword: boolean
  emailConfirmedAt: Date | null
  /**
   * Whether an administrator vouches for the address. If so, a confirmed address also counts as verified
   * (`email_proved_at`).
   */
  isVouchedFor: boolean
  approvedAt: Date | null
  /** Data that people enter about themselves. It grants no rights. Null omits the fields of the hosted protocol. */
  userMetadata: Record<string, unknown> | null
  /**
   * The metadata that a program with a service key sent. It is stored unchanged, without the protocol's own fields.
   * Missing for accounts that no such program creates.
   */
  adminData?: { userMetadata: Record<string, unknown>; appMetadata: Record<string, unknown> }
  now: Date
}

/** The metadata of an account that signs in with its email address. Programs cannot change it. */
const EMAIL_PROVIDER = { provider: 'email', providers: ['email'] }

/**
 * Returns a placeholder address for the email column of an account without an address. The placeholder cannot
 * receive email.
 */
export const placeholderEmail = (id: string): string => `no-address-${id}@no-address.invalid`

/**
 * Makes transactions that create accounts run one at a time. Call this before checking whether a name is
 * free.
 */
export async function lockAccountNames(tx: Queryable): Promise<void> {
  await tx`select pg_advisory_xact_lock(hashtextextended('account-names', 0))`
}

export async function insertAccount(tx: Queryable, account: NewAccount): Promise<AccountRow> {
  const { id, now, email, emailConfirmedAt } = account
  const fields = { sub: id, email, email_verified: emailConfirmedAt !== null, phone_verified: false }
  const identity = { ...account.userMetadata, ...fields }
  const ownMetadata = account.userMetadata === null ? {} : identity
  const { userMetadata: metadata, appMetadata } = account.adminData ?? {
    userMetadata: ownMetadata,
    appMetadata: {},
  }
  const [row] = await tx<[AccountRow]>`
    insert into accounts (id, email, username, password_hash, email_confirmed_at, email_proved_at, approved_at,
                          must_change_password, user_metadata, app_metadata, created_at, updated_at)
    values (${id}, ${email}, ${account.username}, ${account.passwordHash}, ${emailConfirmedAt},
            ${account.isVouchedFor ? emailConfirmedAt : null}, ${account.approvedAt}, ${account.mustChangePassword}, ${tx.json(metadata)},
            ${tx.json({ ...appMetadata, ...EMAIL_PROVIDER })}, ${now}, ${now})
    returning *`
  await tx`
    insert into identities (id, account_id, provider, provider_subject, identity_data, created_at, updated_at)
    values (${uuidv7()}, ${id}, 'email', ${id}, ${tx.json(identity)}, ${now}, ${now})`
  return row
}

/**
 * Inserts an anonymous account. It is confirmed and approved from the start, because otherwise it could have no
 * sessions.
 */
export async function insertAnonymousAccount(
  tx: Queryable,
  {
    id,
    email,
    username,
    userMetadata,
    now,
  }: Pick<NewAccount, 'id' | 'email' | 'username' | 'userMetadata' | 'now'>,
): Promise<AccountRow> {
  const [row] = await tx<[AccountRow]>`
    insert into accounts (id, email, username, email_confirmed_at, approved_at, is_anonymous, has_email, user_metadata,
                          app_metadata, created_at, updated_at)
    values (${id}, ${email}, ${username}, ${now}, ${now}, true, false, ${tx.json(userMetadata ?? {})}, '{}', ${now}, ${now})
    returning *`
  return row
}

/**
 * Makes an anonymous account permanent by giving it its first address. If `approves` is false, the account waits for an
 * administrator, like any other sign-up.
 */
export async function settleAnonymous(
  tx: Queryable,
  {
    id,
    email,
    isProved,
    username,
    approves,
    now,
  }: OwnAddress & { id: string; username: string; approves: boolean; now: Date },
): Promise<void> {
  const fields = { sub: id, email, email_verified: true, phone_verified: false }
  await tx`
    update accounts
    set email = ${email}, username = ${username}, new_email = null, is_anonymous = false, has_email = true,
        email_confirmed_at = ${now}, email_proved_at = ${isProved ? now : null},
        approved_at = ${approves ? now : null}, app_metadata = app_metadata || ${tx.json(EMAIL_PROVIDER)},
        user_metadata = user_metadata || ${tx.json(fields)}, revision = revision + 1, updated_at = ${now}
    where id = ${id}`
  await tx`
    insert into identities (id, account_id, provider, provider_subject, identity_data, created_at, updated_at)
    values (${uuidv7()}, ${id}, 'email', ${id}, ${tx.json(fields)}, ${now}, ${now})`
}

export async function findAccountByEmail(sql: Queryable, email: string): Promise<AccountRow | null> {
  const [row] = await sql<AccountRow[]>`select * from accounts where lower(email) = ${email}`
  return row ?? null
}

export async function isUsernameTaken(sql: Queryable, username: string): Promise<boolean> {
  const [row] = await sql`select 1 from accounts where lower(username) = ${username}`
  return row !== undefined
}

/** The maximum length of a username without the number that distinguishes equal names. */
const STEM_MAX_LENGTH = USERNAME_MAX_LENGTH - 12

/** Derives an unused username from the part of an email address before the @. Call this under `lockAccountNames`. */
export async function freeUsernameFor(tx: Queryable, email: string): Promise<string> {
  const [local = ''] = normalizeName(email).split('@', 1)
  const cleaned = local.replace(/[^a-z0-9._-]+/g, '-').replace(/^[^a-z0-9]+|[^a-z0-9]+$/g, '')
  const stem = isUsername(cleaned) ? cleaned.slice(0, STEM_MAX_LENGTH) : 'user'
  const rows = await tx<{ username: string }[]>`
    select lower(username) as username from accounts
    where lower(username) = ${stem} or starts_with(lower(username), ${`${stem}-`})`
  const taken = new Set(rows.map((row) => row.username))
  if (!taken.has(stem)) return stem
  for (let number = 2; ; number += 1) if (!taken.has(`${stem}-${number}`)) return `${stem}-${number}`
}

export const lockAccount = (tx: Queryable, id: string) =>
  firstRow(tx<AccountRow[]>`select * from accounts where id = ${id} for update`)

/** The kind of name with which a person signs in. A phone number is passed as digits only. */
export type SignInName = 'email' | 'username-or-email' | 'phone'

export async function findAccountByName(
  sql: Queryable,
  name: string,
  kind: SignInName,
): Promise<AccountRow | null> {
  // PostgreSQL cannot store NUL characters, and searching for one fails.
  if (name.includes('\0')) return null
  if (kind === 'phone') return firstRow(sql<AccountRow[]>`select * from accounts where phone = ${name}`)
  const byUsername = kind === 'username-or-email' ? sql`or lower(username) = lower(${name})` : sql``
  return firstRow(sql<AccountRow[]>`select * from accounts where lower(email) = lower(${name}) ${byUsername}`)
}

export async function getAccount(sql: Queryable, id: string): Promise<AccountRow> {
  const [row] = await sql<AccountRow[]>`select * from accounts where id = ${id}`
  if (!row) throw new Error(`account ${id} is gone`)
  return row
}

/**
 * Replaces the password hash `from` with another hash of the same password. Returns the account, or null if the account
 * has a different hash by now.
 */
export const replacePasswordHash = (
  sql: Queryable,
  accountId: string,
  { from, to }: { from: string; to: string },
): Promise<AccountRow | null> =>
  firstRow(sql<AccountRow[]>`
    update accounts set password_hash = ${to} where id = ${accountId} and password_hash = ${from} returning *`)

export const listIdentities = (sql: Queryable, accountId: string): Promise<IdentityRow[]> =>
  sql<IdentityRow[]>`select * from identities where account_id = ${accountId} order by created_at, id`

/** Updates the list of providers in `app_metadata`, which is part of access tokens. */
export async function refreshProviders(tx: Queryable, accountId: string): Promise<void> {
  await tx`
    update accounts a set app_metadata = a.app_metadata || jsonb_build_object(
      'provider', coalesce(found.names ->> 0, 'email'), 'providers', found.names)
    from (
      select coalesce(jsonb_agg(provider order by since, first_id), '[]') as names
      from (
        select provider, min(created_at) as since, min(id::text) as first_id
        from identities where account_id = ${accountId} group by provider
      ) each
    ) found
    where a.id = ${accountId}`
}
