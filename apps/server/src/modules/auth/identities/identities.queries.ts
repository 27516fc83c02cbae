import { v7 as uuidv7 } from 'uuid'
import { firstRow } from '../../../platform/database/first-row.ts'
import type { Queryable } from '../../../platform/database/database.ts'
import { type AccountRow, type IdentityRow, refreshProviders } from '../accounts/accounts.queries.ts'

export interface IdentityKey {
  provider: string
  /** The provider's id of the person. */
  subject: string
}

export const findIdentity = (sql: Queryable, { provider, subject }: IdentityKey) =>
  firstRow(sql<IdentityRow[]>`
    select * from identities where provider = ${provider} and provider_subject = ${subject}`)

/** Returns whether an account has an identity of this provider. */
export async function hasIdentityOf(sql: Queryable, accountId: string, provider: string): Promise<boolean> {
  const rows = await sql`
    select from identities where account_id = ${accountId} and provider = ${provider} limit 1`
  return rows.length > 0
}

export async function insertIdentity(
  tx: Queryable,
  identity: IdentityKey & { accountId: string; data: Record<string, unknown>; now: Date },
): Promise<IdentityRow> {
  const { accountId, provider, subject, data, now } = identity
  const [row] = await tx<[IdentityRow]>`
    insert into identities (id, account_id, provider, provider_subject, identity_data, created_at, updated_at)
    values (${uuidv7()}, ${accountId}, ${provider}, ${subject}, ${tx.json(data)}, ${now}, ${now})
    returning *`
  await refreshProviders(tx, accountId)
  return row
}

/** The SAML provider that manages an account, and the email address that the provider states. */
export interface SsoAccount {
  providerId: string
  email: string
}

/** Stores the email address that the SAML provider has sent with the latest sign-in. */
export async function saveSsoEmail(tx: Queryable, accountId: string, email: string): Promise<void> {
  await tx`
    update accounts set sso_email = ${email}
    where id = ${accountId} and sso_provider_id is not null and sso_email is distinct from ${email}`
}

/** Stores the profile that the provider has sent with the latest sign-in. */
export async function saveIdentityData(
  tx: Queryable,
  id: string,
  data: Record<string, unknown>,
  now: Date,
): Promise<void> {
  await tx`update identities set identity_data = ${tx.json(data)}, updated_at = ${now} where id = ${id}`
}

/** Inserts an account without a password or identities. If it has an email address, this address must be verified. */
export async function insertPasswordlessAccount(
  tx: Queryable,
  account: Pick<AccountRow, 'id' | 'email' | 'username' | 'has_email'> & {
    approvedAt: Date | null
    userMetadata: Record<string, unknown>
    sso: SsoAccount | null
    now: Date
  },
): Promise<void> {
  const { id, now, sso } = account
  await tx`
    insert into accounts (id, email, username, has_email, email_confirmed_at, email_proved_at, approved_at,
                          user_metadata, app_metadata, sso_provider_id, sso_email, created_at, updated_at)
    values (${id}, ${account.email}, ${account.username}, ${account.has_email}, ${now},
            ${account.has_email ? now : null}, ${account.approvedAt}, ${tx.json(account.userMetadata)}, '{}',
            ${sso?.providerId ?? null}, ${sso?.email ?? null}, ${now}, ${now})`
}

export async function deleteIdentity(
  tx: Queryable,
  { id, account_id: accountId }: IdentityRow,
): Promise<void> {
  await tx`delete from identities where id = ${id}`
  // Deleting the identity also deletes followed links that have not become sessions yet, by `on delete cascade`.
  await refreshProviders(tx, accountId)
}

/**
 * Replaces the email address of an account whose email identity was unlinked. The new address is that of another
 * identity, or a placeholder. It does not count as verified (`email_proved_at`), because its provider may have verified
 * it long ago. Also removes the password, and ends mailed links and codes.
 */
export async function replaceLostEmail(
  tx: Queryable,
  accountId: string,
  { email, hasEmail, now }: { email: string; hasEmail: boolean; now: Date },
): Promise<void> {
  await tx`
    update accounts
    set email = ${email}, has_email = ${hasEmail}, new_email = null, email_proved_at = null,
        password_hash = null, revision = revision + 1, updated_at = ${now}
    where id = ${accountId}`
  await tx`delete from one_time_tokens where account_id = ${accountId}`
}
