import type { AuditEntity } from '@pegasus/contracts/audit'
import type { ApiKeyScope } from '@pegasus/contracts/roles'
import { MINUTE_MS, addMs } from '../../platform/clock.ts'
import { firstRow } from '../../platform/database/first-row.ts'
import type { Queryable } from '../../platform/database/database.ts'
import type { AccountSummaryRow } from '../users/index.ts'

/** The key of a request, the current data of its owner, and the minute in which the request is counted. */
export interface PresentedKey extends AccountSummaryRow {
  key_id: string
  key_label: string
  key_scopes: ApiKeyScope[]
  key_hash: Buffer
  key_is_active: boolean
  key_expires_at: string | null
  /** Whether the key may be used from the client's IP address. */
  is_allowed_here: boolean
  /**
   * The start of the minute in which the request is counted. Null if the request is not counted, because the secret is
   * wrong or the IP address is not allowed.
   */
  window_started_at: string | null
  window_calls: number | null
}

/**
 * Finds a key by its beginning and counts the request. Uses a single statement, because every request with a key waits
 * for it. Counts only requests with the complete key from an allowed IP address, because the beginning of a key is not
 * secret.
 */
export async function findAndCount(
  sql: Queryable,
  presented: { prefix: string; hash: Buffer; ip: string | null; now: Date },
): Promise<PresentedKey | null> {
  const { prefix, hash, ip, now } = presented
  const [windowsSince, windowsUntil] = [addMs(now, -MINUTE_MS), addMs(now, MINUTE_MS)]
  return firstRow(sql<PresentedKey[]>`
    with found as materialized (
      select k.id as key_id, k.label as key_label, k.scopes as key_scopes, k.key_hash, k.is_active as key_is_active,
             k.expires_at as key_expires_at, p.*,
             k.allowed_addresses is null or coalesce(${ip}::inet <<= any (k.allowed_addresses), false)
               as is_allowed_here
      from api_keys k
      join people p on p.id = k.account_id
      where k.key_prefix = ${prefix}
    ), counted as (
      insert into key_windows as w (key_id, started_at, calls)
      select key_id, ${now}, 1 from found where key_hash = ${hash} and is_allowed_here
      on conflict (key_id) do update
      -- A minute in the future was begun before the clock was put back, and is over.
      set started_at = case when w.started_at > ${windowsSince} and w.started_at <= ${windowsUntil} then w.started_at
                            else excluded.started_at end,
          calls = case when w.started_at > ${windowsSince} and w.started_at <= ${windowsUntil} then w.calls + 1
                       else 1 end
      returning started_at, calls
    )
    select found.*, counted.started_at as window_started_at, counted.calls as window_calls
    from found left join counted on true`)
}

/** Deletes the request counters of past minutes. */
export async function deleteOldWindows(sql: Queryable, now: Date): Promise<void> {
  await sql`delete from key_windows where started_at <= ${addMs(now, -MINUTE_MS)}`
}

/**
 * Returns whether the audit has an entry about a refusal of this key at this endpoint within the last minute. The lock
 * makes parallel calls wait, so that only one of them records the refusal.
 */
export async function wasRefusedLately(
  tx: Queryable,
  refusal: { keyId: string; entity: AuditEntity; entityId: string; now: Date },
): Promise<boolean> {
  const { keyId, entity, entityId, now } = refusal
  await tx`select pg_advisory_xact_lock(hashtextextended(${`key-refusal:${keyId}:${entityId}`}, 0))`
  const [row] = await tx`
    select 1 from audit_entries
    where actor_id = ${keyId} and action = 'access.refused' and entity = ${entity} and entity_id = ${entityId}
      and at > ${addMs(now, -MINUTE_MS)}
    limit 1`
  return row !== undefined
}
