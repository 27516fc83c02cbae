import { USERNAME_MAX_LENGTH, isUsername, normalizeName } from '@pegasus/contracts/users'
import { v7 as uuidv7 } from 'uuid'
import type { Queryable } from '../../platform/database/database.ts'
import type { AccountRow } from './auth.queries.ts'

export interface NewAccount {
  id: string
  email: string
  username: string
  /** Null for an invited person, who has still to choose one. */
  passwordHash: string | null
  mustChangePassword: boolean
  emailConfirmedAt: Date | null
  approvedAt: Date | null
  /** What the person says about themselves; grants nothing. Null keeps the hosted protocol's fields out of it. */
  userMetadata: Record<string, unknown> | null
  now: Date
}

/** Names are looked up before they are taken, so makers of accounts go one at a time. */
export async function lockAccountNames(tx: Queryable): Promise<void> {
  await tx`select pg_advisory_xact_lock(hashtextextended('account-names', 0))`
}

export async function insertAccount(tx: Queryable, account: NewAccount): Promise<AccountRow> {
  const { id, now, email, emailConfirmedAt } = account
  const fields = { sub: id, email, email_verified: emailConfirmedAt !== null, phone_verified: false }
  const identity = { ...account.userMetadata, ...fields }
  const metadata = account.userMetadata === null ? {} : identity
  const [row] = await tx<[AccountRow]>`
    insert into accounts (id, email, username, password_hash, email_confirmed_at, approved_at,
                          must_change_password, user_metadata, created_at, updated_at)
    values (${id}, ${email}, ${account.username}, ${account.passwordHash}, ${emailConfirmedAt},
            ${account.approvedAt}, ${account.mustChangePassword}, ${tx.json(metadata as never)}, ${now}, ${now})
    returning *`
  await tx`
    insert into identities (id, account_id, provider, provider_subject, identity_data, created_at, updated_at)
    values (${uuidv7()}, ${id}, 'email', ${id}, ${tx.json(identity as never)}, ${now}, ${now})`
  return row
}

export async function findAccountByEmail(sql: Queryable, email: string): Promise<AccountRow | null> {
  const [row] = await sql<AccountRow[]>`select * from accounts where lower(email) = ${email}`
  return row ?? null
}

export async function isUsernameTaken(sql: Queryable, username: string): Promise<boolean> {
  const [row] = await sql`select 1 from accounts where lower(username) = ${username}`
  return row !== undefined
}

/** Room for the number that tells namesakes apart. */
const STEM_MAX_LENGTH = USERNAME_MAX_LENGTH - 12

/** A username that nobody has, made of what stands before the @. To be called under `lockAccountNames`. */
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

export async function lockAccount(tx: Queryable, id: string): Promise<AccountRow | null> {
  const [row] = await tx<AccountRow[]>`select * from accounts where id = ${id} for update`
  return row ?? null
}

/** Notes that the person reads mails to this address; it counts only while it is still the account's. */
export async function confirmEmail(
  tx: Queryable,
  accountId: string,
  email: string,
  now: Date,
): Promise<void> {
  const [row] = await tx`
    update accounts
    set email_confirmed_at = ${now}, revision = revision + 1, updated_at = ${now},
        user_metadata = case when user_metadata ? 'email_verified'
                        then user_metadata || '{"email_verified": true}' else user_metadata end
    where id = ${accountId} and lower(email) = lower(${email}) and email_confirmed_at is null
    returning id`
  if (!row) return
  await tx`
    update identities set identity_data = identity_data || '{"email_verified": true}', updated_at = ${now}
    where account_id = ${accountId} and provider = 'email'`
}

/** Makes a proven address the account's own. Throws the constraint's error if another account has it by now. */
export async function replaceEmail(
  tx: Queryable,
  accountId: string,
  email: string,
  now: Date,
): Promise<void> {
  const fields = tx.json({ email, email_verified: true })
  await tx`
    update accounts
    set email = ${email}, new_email = null, email_confirmed_at = ${now}, revision = revision + 1,
        updated_at = ${now},
        user_metadata = case when user_metadata ? 'email' then user_metadata || ${fields} else user_metadata end
    where id = ${accountId}`
  await tx`
    update identities set identity_data = identity_data || ${fields}, updated_at = ${now}
    where account_id = ${accountId} and provider = 'email'`
}

export async function setNewEmail(tx: Queryable, accountId: string, email: string, now: Date): Promise<void> {
  await tx`
    update accounts
    set new_email = ${email}, email_change_sent_at = ${now}, revision = revision + 1, updated_at = ${now}
    where id = ${accountId}`
}

export async function saveUserMetadata(
  tx: Queryable,
  accountId: string,
  metadata: Record<string, unknown>,
  now: Date,
): Promise<void> {
  await tx`
    update accounts set user_metadata = ${tx.json(metadata as never)}, updated_at = ${now} where id = ${accountId}`
}

const SENT_COLUMN = {
  signup: 'confirmation_sent_at',
  recovery: 'recovery_sent_at',
  invite: 'invited_at',
  email_change: 'email_change_sent_at',
} as const

export async function noteMailSent(
  tx: Queryable,
  accountId: string,
  kind: keyof typeof SENT_COLUMN,
  now: Date,
): Promise<void> {
  await tx`update accounts set ${tx(SENT_COLUMN[kind])} = ${now} where id = ${accountId}`
}

export async function setEnabled(tx: Queryable, accountId: string, isEnabled: boolean): Promise<void> {
  await tx`update accounts set is_active = ${isEnabled} where id = ${accountId}`
}

/** `confirms`: the approval stands for the proof of the address as well. */
export async function setApproved(
  tx: Queryable,
  accountId: string,
  { approved, confirms, now }: { approved: boolean; confirms: boolean; now: Date },
): Promise<void> {
  await tx`
    update accounts
    set approved_at = ${approved ? now : null},
        email_confirmed_at = case when ${confirms} then coalesce(email_confirmed_at, ${now}::timestamptz)
                             else email_confirmed_at end
    where id = ${accountId}`
}

/** Who is given a password is known to whoever gives it: an invitation asks for no proof of the address any more. */
export async function confirmInvited(tx: Queryable, accountId: string, now: Date): Promise<void> {
  await tx`
    update accounts set email_confirmed_at = ${now}
    where id = ${accountId} and invited_at is not null and email_confirmed_at is null`
}

export async function bumpRevision(tx: Queryable, accountId: string, now: Date): Promise<void> {
  await tx`update accounts set revision = revision + 1, updated_at = ${now} where id = ${accountId}`
}
