import type { ServiceKeyKind } from '@pegasus/contracts/service-keys'
import { MINUTE_MS, addMs } from '../../../platform/clock.ts'
import { firstRow } from '../../../platform/database/first-row.ts'
import type { Row } from '../../../platform/database/column-types.ts'
import type { Queryable } from '../../../platform/database/database.ts'

export type ServiceKeyRow = Row<
  'service_keys',
  | 'id'
  | 'kind'
  | 'label'
  | 'key_hint'
  | 'expires_at'
  | 'usage_count'
  | 'created_at'
  | 'last_used'
  | 'last_used_ip'
>

const columns = (sql: Queryable) =>
  sql`id, kind, label, key_hint, expires_at, usage_count, created_at, last_used, last_used_ip`

export const listKeys = (sql: Queryable): Promise<ServiceKeyRow[]> =>
  sql<ServiceKeyRow[]>`select ${columns(sql)} from service_keys order by created_at desc, id desc`

/**
 * Counts the keys. Holds a lock until the transaction ends, so that no other transaction can add a key in the meantime.
 */
export async function countKeysLocked(tx: Queryable): Promise<number> {
  await tx`select pg_advisory_xact_lock(hashtextextended('service-keys', 0))`
  const [row] = await tx<[{ keys: number }]>`select count(*)::int as keys from service_keys`
  return row.keys
}

export async function findKeyByHash(sql: Queryable, hash: Buffer): Promise<ServiceKeyRow | null> {
  const [row] = await sql<ServiceKeyRow[]>`select ${columns(sql)} from service_keys where key_hash = ${hash}`
  return row ?? null
}

export const findKey = (sql: Queryable, id: string) =>
  firstRow(sql<ServiceKeyRow[]>`select ${columns(sql)} from service_keys where id = ${id}`)

/** Locks a key until the transaction ends, and returns it; null if it does not exist. */
export const lockKey = (tx: Queryable, id: string) =>
  firstRow(tx<ServiceKeyRow[]>`select ${columns(tx)} from service_keys where id = ${id} for update`)

export interface NewServiceKey {
  id: string
  kind: ServiceKeyKind
  label: string
  hint: string
  hash: Buffer
  expiresAt: Date | null
  now: Date
}

export async function insertKey(tx: Queryable, key: NewServiceKey): Promise<ServiceKeyRow> {
  const [row] = await tx<[ServiceKeyRow]>`
    insert into service_keys (id, kind, label, key_hint, key_hash, expires_at, created_at, updated_at)
    values (${key.id}, ${key.kind}, ${key.label}, ${key.hint}, ${key.hash}, ${key.expiresAt}, ${key.now}, ${key.now})
    returning ${columns(tx)}`
  return row
}

export async function replaceSecret(
  tx: Queryable,
  { id, hint, hash, expiresAt, now }: Omit<NewServiceKey, 'kind' | 'label'>,
): Promise<ServiceKeyRow> {
  const [row] = await tx<[ServiceKeyRow]>`
    update service_keys
    set key_hint = ${hint}, key_hash = ${hash}, expires_at = ${expiresAt}, updated_at = ${now}
    where id = ${id}
    returning ${columns(tx)}`
  return row
}

export async function deleteKey(tx: Queryable, id: string): Promise<void> {
  await tx`delete from service_keys where id = ${id}`
}

/** The uses of a key since the last write to the database. */
export interface ServiceKeyUse {
  count: number
  lastUsed: Date
  lastIp: string | null
}

export async function addUses(tx: Queryable, uses: ReadonlyMap<string, ServiceKeyUse>): Promise<void> {
  for (const [id, { count, lastUsed, lastIp }] of uses)
    await tx`
      update service_keys
      set usage_count = usage_count + ${count}, last_used = greatest(last_used, ${lastUsed}::timestamptz),
          last_used_ip = ${lastIp}
      where id = ${id}`
}

/**
 * Claims the right to write the audit entry about a key's use of an endpoint. This right is granted once per minute.
 * Returns false if it was already granted.
 */
export async function takeUseTurn(
  tx: Queryable,
  { keyId, endpoint, now }: { keyId: string; endpoint: string; now: Date },
): Promise<boolean> {
  const [taken] = await tx`
    insert into service_key_uses (key_id, endpoint, at)
    select id, ${endpoint}, ${now} from service_keys where id = ${keyId}
    on conflict (key_id, endpoint) do update set at = excluded.at
    where service_key_uses.at <= ${addMs(now, -MINUTE_MS)} or service_key_uses.at > ${addMs(now, MINUTE_MS)}
    returning at`
  return taken !== undefined
}
