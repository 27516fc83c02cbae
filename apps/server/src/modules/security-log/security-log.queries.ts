import type { AuditAction } from '@pegasus/contracts/audit'
import { actorOfColumns } from '../../platform/actor.ts'
import { addMs } from '../../platform/clock.ts'
import type { Row } from '../../platform/database/column-types.ts'
import type { Queryable } from '../../platform/database/database.ts'
import type { SecurityEvent } from './security-event.ts'

type EntryRow = Row<'audit_entries'>

/** Sets the actions whose entries are queued from now on. Null stops the queue and empties it. */
export async function setQueuedActions(
  sql: Queryable,
  actions: readonly AuditAction[] | null,
): Promise<void> {
  const list = actions && [...actions]
  await sql`update security_log set actions = ${list}::text[] where actions is distinct from ${list}::text[]`
  if (actions === null) await sql`delete from security_log_queue`
}

/** An entry of the queue that this process is sending. */
export interface QueuedEvent {
  queueId: string
  event: SecurityEvent
}

/** Claims the oldest entries that no process is sending. */
export async function claimEvents(
  sql: Queryable,
  { limit, claimMs, now }: { limit: number; claimMs: number; now: Date },
): Promise<QueuedEvent[]> {
  const rows = await sql<(EntryRow & { queue_id: string })[]>`
    with claimed as (
      update security_log_queue set claimed_until = ${addMs(now, claimMs)}
      where id in (
        select id from security_log_queue where claimed_until is null or claimed_until <= ${now}
        order by id limit ${limit} for update skip locked)
      returning id, entry_id
    )
    select claimed.id::text as queue_id, e.* from claimed join audit_entries e on e.id = claimed.entry_id
    order by claimed.id`
  return rows.map((row) => ({
    queueId: row.queue_id,
    event: {
      id: row.id,
      at: new Date(row.at).toISOString(),
      actor: actorOfColumns(row),
      action: row.action,
      entity: row.entity,
      entity_id: row.entity_id,
      entity_name: row.entity_name,
      before: row.before as Record<string, unknown> | null,
      after: row.after as Record<string, unknown> | null,
      ip: row.ip,
      request_id: row.request_id,
    },
  }))
}

export async function deleteEvents(sql: Queryable, queueIds: readonly string[]): Promise<void> {
  await sql`delete from security_log_queue where id = any(${[...queueIds]}::bigint[])`
}

export async function releaseEvents(sql: Queryable, queueIds: readonly string[]): Promise<void> {
  await sql`update security_log_queue set claimed_until = null where id = any(${[...queueIds]}::bigint[])`
}

/** Deletes the oldest entries above the limit, counts them as dropped, and returns how many they were. */
export async function dropEventsAbove(sql: Queryable, limit: number): Promise<number> {
  const [row] = await sql<[{ dropped: number }]>`
    with doomed as (
      delete from security_log_queue
      where id <= (select id from security_log_queue order by id desc offset ${limit} limit 1)
      returning id
    ), counted as (
      update security_log set dropped = dropped + (select count(*) from doomed)
      where exists (select from doomed)
    )
    select count(*)::int as dropped from doomed`
  return row.dropped
}

export async function countDropped(sql: Queryable): Promise<number> {
  const [row] = await sql<[{ dropped: number }]>`select dropped::int as dropped from security_log`
  return row.dropped
}

export async function noteReportedDrops(sql: Queryable, reported: number): Promise<void> {
  await sql`update security_log set dropped = greatest(dropped - ${reported}, 0)`
}
