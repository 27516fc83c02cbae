import { v7 as uuidv7 } from 'uuid'
import { firstRow } from '../../../platform/database/first-row.ts'
import type { Queryable } from '../../../platform/database/database.ts'
import { type AccountRow, getAccount, placeholderEmail, refreshProviders } from './accounts.queries.ts'

/** A phone number of an account, and when the person proved to own it. */
export interface OwnPhone {
  /** The digits of the number. */
  phone: string
  confirmedAt: Date | null
  /** Null if nobody has proved that they own the number. */
  provedAt: Date | null
}

export const findAccountByPhone = (sql: Queryable, phone: string) =>
  firstRow(sql<AccountRow[]>`select * from accounts where phone = ${phone}`)

/**
 * Returns the id of the identity that belongs to an account's phone number. Returns null if the account has no such
 * identity.
 */
export async function findPhoneIdentityId(sql: Queryable, accountId: string): Promise<string | null> {
  const [row] = await sql<{ id: string }[]>`
    select id from identities where account_id = ${accountId} and provider = 'phone'`
  return row?.id ?? null
}

/** Finds the account whose change of phone number waits for its code. `phone` is either the old or the new number. */
export const findPhoneChange = (sql: Queryable, phone: string) =>
  firstRow(sql<AccountRow[]>`
    select * from accounts where new_phone is not null and (phone = ${phone} or new_phone = ${phone})
    order by phone = ${phone} desc nulls last, phone_change_sent_at desc limit 1`)

export interface NewPhoneAccount extends OwnPhone {
  id: string
  username: string
  passwordHash: string | null
  approvedAt: Date | null
  userMetadata: Record<string, unknown>
  appMetadata: Record<string, unknown>
  now: Date
}

/** Inserts an account that has a phone number and no email address. */
export async function insertPhoneAccount(tx: Queryable, account: NewPhoneAccount): Promise<AccountRow> {
  const { id, now } = account
  await tx`
    insert into accounts (id, email, username, password_hash, has_email, approved_at, user_metadata, app_metadata,
                          created_at, updated_at)
    values (${id}, ${placeholderEmail(id)}, ${account.username}, ${account.passwordHash}, false,
            ${account.approvedAt}, ${tx.json(account.userMetadata)},
            ${tx.json({ ...account.appMetadata, provider: 'phone', providers: ['phone'] })}, ${now}, ${now})`
  return setPhone(tx, id, account, now)
}

/**
 * Gives an account a phone number and the identity for it. Throws the constraint error if the number is
 * taken.
 */
export async function setPhone(
  tx: Queryable,
  accountId: string,
  { phone, confirmedAt, provedAt }: OwnPhone,
  now: Date,
): Promise<AccountRow> {
  const fields = tx.json({
    sub: accountId,
    phone,
    email_verified: false,
    phone_verified: confirmedAt !== null,
  })
  await tx`
    update accounts
    set phone = ${phone}, phone_confirmed_at = ${confirmedAt}, phone_proved_at = ${provedAt}, new_phone = null,
        revision = revision + 1, updated_at = ${now}
    where id = ${accountId}`
  await tx`
    insert into identities (id, account_id, provider, provider_subject, identity_data, created_at, updated_at)
    values (${uuidv7()}, ${accountId}, 'phone', ${accountId}, ${fields}, ${now}, ${now})
    on conflict (provider, provider_subject) do update
    set identity_data = excluded.identity_data, updated_at = excluded.updated_at`
  await refreshProviders(tx, accountId)
  return getAccount(tx, accountId)
}

/** Marks an account's phone number as confirmed, and stores that the person has proved that the number is theirs. */
export async function confirmPhone(tx: Queryable, accountId: string, now: Date): Promise<void> {
  await tx`
    update accounts
    set phone_confirmed_at = coalesce(phone_confirmed_at, ${now}::timestamptz), phone_proved_at = ${now},
        revision = revision + 1, updated_at = ${now},
        user_metadata = case when user_metadata ? 'phone_verified'
                        then user_metadata || '{"phone_verified": true}' else user_metadata end
    where id = ${accountId} and phone is not null and phone_proved_at is null`
  await tx`
    update identities set identity_data = identity_data || '{"phone_verified": true}', updated_at = ${now}
    where account_id = ${accountId} and provider = 'phone'`
}

/** Stores the new number of a change that is waiting for confirmation. */
export async function setNewPhone(tx: Queryable, accountId: string, phone: string, now: Date): Promise<void> {
  await tx`
    update accounts
    set new_phone = ${phone}, phone_change_sent_at = ${now}, revision = revision + 1, updated_at = ${now}
    where id = ${accountId}`
}

/**
 * Removes the phone number of an account, and ends the codes that were sent to it. An account without an email address
 * still counts as confirmed, because it has another identity.
 */
export async function losePhone(tx: Queryable, accountId: string, now: Date): Promise<void> {
  await tx`
    update accounts
    set email_confirmed_at = case when has_email then email_confirmed_at
                             else coalesce(email_confirmed_at, phone_confirmed_at) end,
        phone = null, phone_confirmed_at = null, phone_proved_at = null, new_phone = null,
        revision = revision + 1, updated_at = ${now}
    where id = ${accountId}`
  await tx`delete from one_time_tokens where account_id = ${accountId} and phone is not null`
}

/**
 * Makes an anonymous account with a verified phone number permanent. If `approves` is false, the account waits for an
 * administrator, like any other sign-up. Call this after `setPhone`.
 */
export async function settleAnonymousPhone(
  tx: Queryable,
  { id, username, approves, now }: { id: string; username: string; approves: boolean; now: Date },
): Promise<void> {
  const fields = { sub: id, email_verified: false, phone_verified: true }
  await tx`
    update accounts
    set username = ${username}, is_anonymous = false, email_confirmed_at = null,
        approved_at = ${approves ? now : null}, user_metadata = user_metadata || ${tx.json(fields)}
    where id = ${id}`
}

/** Returns whether the number is a verified second factor of the account. */
export async function hasPhoneFactor(sql: Queryable, accountId: string, phone: string): Promise<boolean> {
  const [row] = await sql`
    select from factors where account_id = ${accountId} and phone = ${phone} and status = 'verified'`
  return row !== undefined
}
