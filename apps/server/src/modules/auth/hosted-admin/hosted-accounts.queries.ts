import { v7 as uuidv7 } from 'uuid'
import type { Queryable } from '../../../platform/database/database.ts'
import { firstRow } from '../../../platform/database/first-row.ts'
import { type AccountRow, type IdentityRow, refreshProviders } from '../accounts/accounts.queries.ts'
import type { FactorRow } from '../second-factor/factors.queries.ts'
import { deleteCredentials } from '../webauthn/credentials.queries.ts'

export const listAccounts = (
  sql: Queryable,
  { page, perPage }: { page: number; perPage: number },
): Promise<AccountRow[]> =>
  sql<AccountRow[]>`
    select * from accounts where deleted_at is null
    order by created_at desc, id desc limit ${perPage} offset ${(page - 1) * perPage}`

export async function countAccounts(sql: Queryable): Promise<number> {
  const [row] = await sql<[{ accounts: number }]>`
    select count(*)::int as accounts from accounts where deleted_at is null`
  return row.accounts
}

export const listIdentitiesOf = (sql: Queryable, accountIds: readonly string[]): Promise<IdentityRow[]> =>
  sql<IdentityRow[]>`
    select * from identities where account_id = any(${[...accountIds]}::uuid[]) order by created_at, id`

export const listFactorsOf = (
  sql: Queryable,
  accountIds: readonly string[],
  unverifiedSince: Date,
): Promise<FactorRow[]> =>
  sql<FactorRow[]>`
    select * from factors
    where account_id = any(${[...accountIds]}::uuid[])
      and (status = 'verified' or created_at > ${unverifiedSince})
    order by created_at, id`

/** Returns an account that is not deleted, or null if there is none. */
export const findAccount = (sql: Queryable, id: string) =>
  firstRow(sql<AccountRow[]>`select * from accounts where id = ${id} and deleted_at is null`)

/** Returns whether any account has this id, including deleted accounts. */
export async function isIdTaken(sql: Queryable, id: string): Promise<boolean> {
  const [row] = await sql`select 1 from accounts where id = ${id}`
  return row !== undefined
}

/**
 * Sets an email address without sending a confirmation email. The account stays confirmed or unconfirmed as before. The
 * new address is not verified, so its owner takes the account over with the first mailed link or code.
 */
export async function setEmail(tx: Queryable, id: string, email: string, now: Date): Promise<void> {
  const fields = tx.json({ email })
  const firstFields = tx.json({ sub: id, email, email_verified: false, phone_verified: false })
  // An account without an email gets its first email identity.
  await tx`
    insert into identities (id, account_id, provider, provider_subject, identity_data, created_at, updated_at)
    select ${uuidv7()}, id, 'email', id::text, ${firstFields}, ${now}, ${now}
    from accounts where id = ${id} and not has_email`
  await tx`
    update accounts
    set email = ${email}, has_email = true, new_email = null, email_proved_at = null, updated_at = ${now},
        user_metadata = case when user_metadata ? 'email' then user_metadata || ${fields} else user_metadata end
    where id = ${id}`
  await tx`
    update identities set identity_data = identity_data || ${fields}, updated_at = ${now}
    where account_id = ${id} and provider = 'email'`
  await refreshProviders(tx, id)
}

/** Merges fields into `app_metadata`; null removes a field. */
export async function mergeAppMetadata(
  tx: Queryable,
  id: string,
  data: Record<string, unknown>,
): Promise<void> {
  await tx`
    update accounts set app_metadata = jsonb_strip_nulls(app_metadata || ${tx.json(data)}) where id = ${id}`
}

/** Deactivates an account until the given time. If the time is null, activates the account. */
export async function setBan(tx: Queryable, id: string, until: Date | null): Promise<void> {
  await tx`update accounts set is_active = ${until === null}, banned_until = ${until} where id = ${id}`
}

/** Activates the accounts whose ban has ended. Returns their ids. */
export async function liftEndedBans(tx: Queryable, now: Date): Promise<string[]> {
  const rows = await tx<{ id: string }[]>`
    update accounts set is_active = true, banned_until = null, revision = revision + 1, updated_at = ${now}
    where banned_until <= ${now} and deleted_at is null returning id`
  return rows.map(({ id }) => id)
}

/**
 * Deletes the address and all sign-in methods of an account. Keeps the row and the person's name, because orders and
 * the audit refer to them.
 */
export async function eraseAccount(tx: Queryable, id: string, now: Date): Promise<void> {
  await tx`delete from factors where account_id = ${id}`
  await deleteCredentials(tx, id)
  await tx`delete from identities where account_id = ${id}`
  await tx`
    update accounts
    set email = ${`deleted-${id}@deleted.invalid`}, username = ${`deleted-${id}`}, password_hash = null,
        email_confirmed_at = null, new_email = null, phone = null, phone_confirmed_at = null, phone_proved_at = null,
        new_phone = null, user_metadata = '{}', app_metadata = '{}', is_active = false, banned_until = null,
        sso_provider_id = null, sso_email = null, deleted_at = ${now}, updated_at = ${now}, revision = revision + 1
    where id = ${id}`
}
