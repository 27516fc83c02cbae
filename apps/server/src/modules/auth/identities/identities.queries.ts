import { v7 as uuidv7 } from 'uuid'
import { firstRow } from '../../../platform/database/first-row.ts'
import type { Queryable } from '../../../platform/database/database.ts'
import type { AccountRow, IdentityRow } from '../accounts/accounts.queries.ts'

export interface IdentityKey {
  provider: string
  /** The provider's own id of the person. */
  subject: string
}

export const findIdentity = (sql: Queryable, { provider, subject }: IdentityKey) =>
  firstRow(sql<IdentityRow[]>`
    select * from identities where provider = ${provider} and provider_subject = ${subject}`)

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

/** Stores what the provider says about the person at a later sign-in. */
export async function saveIdentityData(
  tx: Queryable,
  id: string,
  data: Record<string, unknown>,
  now: Date,
): Promise<void> {
  await tx`update identities set identity_data = ${tx.json(data)}, updated_at = ${now} where id = ${id}`
}

/** Lists the providers of the account's identities in `app_metadata`, where access tokens carry them. */
export async function refreshProviders(tx: Queryable, accountId: string): Promise<void> {
  await tx`
    update accounts a set app_metadata = a.app_metadata || jsonb_build_object(
      'provider', coalesce(found.names ->> 0, 'email'), 'providers', found.names)
    from (
      select coalesce(jsonb_agg(provider order by since), '[]') as names
      from (
        select provider, min(created_at) as since from identities where account_id = ${accountId} group by provider
      ) each
    ) found
    where a.id = ${accountId}`
}

/** Inserts an account without a password and without identities. */
export async function insertPasswordlessAccount(
  tx: Queryable,
  account: Pick<AccountRow, 'id' | 'email' | 'username' | 'has_email'> & {
    approvedAt: Date | null
    userMetadata: Record<string, unknown>
    now: Date
  },
): Promise<void> {
  const { id, now } = account
  await tx`
    insert into accounts (id, email, username, has_email, email_confirmed_at, approved_at, user_metadata, app_metadata,
                          created_at, updated_at)
    values (${id}, ${account.email}, ${account.username}, ${account.has_email}, ${now}, ${account.approvedAt},
            ${tx.json(account.userMetadata)}, '{}', ${now}, ${now})`
}
