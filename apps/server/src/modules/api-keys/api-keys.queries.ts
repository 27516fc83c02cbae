import type { ApiKeyScope } from '@pegasus/contracts/roles'
import type { Row } from '../../platform/database/column-types.ts'
import { firstRow } from '../../platform/database/first-row.ts'
import type { Queryable } from '../../platform/database/database.ts'
import { countUpToCap, newestFirst } from '../../platform/database/list-queries.ts'
import type { PageRequest } from '../../platform/http/paging.ts'

/** A key with the name of its owner, as admins see it. */
export interface ApiKeyRow
  extends Row<
    'api_keys',
    | 'id'
    | 'key_prefix'
    | 'label'
    | 'is_active'
    | 'expires_at'
    | 'allowed_addresses'
    | 'usage_count'
    | 'created_at'
    | 'last_used'
    | 'last_used_ip'
  > {
  user_id: string
  username: string
  owner_in_force: boolean
  scope: ApiKeyScope[]
}

const selectKey = (sql: Queryable) => sql`
  select k.id, k.key_prefix, k.label, k.account_id as user_id, p.username,
         p.is_active and p.system_access as owner_in_force, k.scopes as scope, k.is_active, k.expires_at,
         k.allowed_addresses::text[], k.usage_count, k.created_at, k.last_used, k.last_used_ip
  from api_keys k
  join people p on p.id = k.account_id`

export const listKeys = (sql: Queryable, page: PageRequest): Promise<ApiKeyRow[]> =>
  sql<ApiKeyRow[]>`
    ${selectKey(sql)}
    where true ${newestFirst(sql, page, sql`k.created_at`, sql`k.id`)}`

export const countKeys = (sql: Queryable): Promise<number> => countUpToCap(sql, sql`select 1 from api_keys`)

export const findKey = (sql: Queryable, id: string) =>
  firstRow(sql<ApiKeyRow[]>`${selectKey(sql)} where k.id = ${id}`)

/** Locks a key until the transaction ends, and returns it; null if it does not exist. */
export const lockKey = (tx: Queryable, id: string) =>
  firstRow(tx<ApiKeyRow[]>`${selectKey(tx)} where k.id = ${id} for update of k`)

export interface NewKey {
  id: string
  accountId: string
  label: string
  scopes: readonly ApiKeyScope[]
  prefix: string
  hash: Buffer
  expiresAt: Date | null
  /**
   * The IP addresses and address ranges from which the key may be used, each stored as a network. Null allows all
   * addresses.
   */
  allowedAddresses: readonly string[] | null
  now: Date
}

export async function insertKey(tx: Queryable, key: NewKey): Promise<void> {
  const { allowedAddresses } = key
  const networks =
    allowedAddresses === null
      ? tx`null`
      : tx`array(select network(address::inet) from unnest(${[...allowedAddresses]}::text[]) address)`
  await tx`
    insert into api_keys (id, account_id, label, scopes, key_prefix, key_hash, expires_at, allowed_addresses,
                          created_at, updated_at)
    values (${key.id}, ${key.accountId}, ${key.label}, ${[...key.scopes]}, ${key.prefix}, ${key.hash},
            ${key.expiresAt}, ${networks}, ${key.now}, ${key.now})`
}

export async function replaceSecret(
  tx: Queryable,
  id: string,
  { prefix, hash }: { prefix: string; hash: Buffer },
  now: Date,
): Promise<void> {
  await tx`update api_keys set key_prefix = ${prefix}, key_hash = ${hash}, updated_at = ${now} where id = ${id}`
}

export async function setActive(tx: Queryable, id: string, isActive: boolean, now: Date): Promise<void> {
  await tx`update api_keys set is_active = ${isActive}, updated_at = ${now} where id = ${id}`
}

/** Disables the keys of an account. Returns the ids of the keys that were enabled before. */
export async function disableKeys(tx: Queryable, accountId: string, now: Date): Promise<string[]> {
  const rows = await tx<{ id: string }[]>`
    update api_keys set is_active = false, updated_at = ${now}
    where account_id = ${accountId} and is_active returning id`
  return rows.map(({ id }) => id)
}

export async function deleteKey(tx: Queryable, id: string): Promise<void> {
  await tx`delete from api_keys where id = ${id}`
}
