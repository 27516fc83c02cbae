import type { AuditAction } from '@pegasus/contracts/audit'
import { actorOfColumns } from '../../platform/actor.ts'
import { addMs } from '../../platform/clock.ts'
import type { Row } from '../../platform/database/column-types.ts'
import type { Queryable } from '../../platform/database/database.ts'
import type { SecurityEvent } from './security-event.ts'

type EntryRow = Row<'audit_entries'>

/** Sets the audit actions whose entries are queued as security events from now on. */
export async function setQueuedActions(sql: Queryable, actions: readonly AuditAction[]): Promise<void> {
  const list = [...actions]
  await sql`update security_log set actions = ${list}::text[] where actions is distinct from ${list}::text[]`
}

/**
 * Queues these actions again if another process has stopped queuing some of them. Writes nothing if all of them are
 * queued.
 */
export async function keepActionsQueued(sql: Queryable, actions: readonly AuditAction[]): Promise<void> {
  const list = [...actions]
  await sql`
    update security_log
    set actions = array(select unnest(actions) union select unnest(${list}::text[]))
    where actions is null or not actions @> ${list}::text[]`
}

/**
 * Stops queuing and empties the queue. Returns how many entries were deleted. Returns null if queuing had already
 * stopped.
 */
export async function stopQueue(sql: Queryable): Promise<number | null> {
  const [row] = await sql<{ deleted: number }[]>`
    with stopped as (
      update security_log set actions = null where actions is not null returning is_only
    ), deleted as (
      delete from security_log_queue where exists (select from stopped) returning id
    )
    select (select count(*) from deleted)::int as deleted from stopped`
  return row?.deleted ?? null
}

/** A queued event that this process is sending. */
export interface QueuedEvent {
  queueId: string
  event: SecurityEvent
}

/** Claims the oldest queued events that no process is sending. */
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

/**
 * Deletes the oldest events above the limit, except those that a process is sending. Counts them as dropped, and
 * returns their number.
 */
export async function dropEventsAbove(sql: Queryable, limit: number, now: Date): Promise<number> {
  const [row] = await sql<[{ dropped: number }]>`
    with doomed as (
      delete from security_log_queue
      where id <= (select id from security_log_queue order by id desc offset ${limit} limit 1)
        and (claimed_until is null or claimed_until <= ${now})
      returning id
    ), counted as (
      update security_log set dropped = dropped + (select count(*) from doomed)
      where exists (select from doomed)
    )
    select count(*)::int as dropped from doomed`
  return row.dropped
}

/** Deletes events that the other system refuses, and counts them as dropped. */
export async function dropEvents(sql: Queryable, queueIds: readonly string[]): Promise<void> {
  await sql`
    with doomed as (
      delete from security_log_queue where id = any(${[...queueIds]}::bigint[]) returning id
    )
    update security_log set dropped = dropped + (select count(*) from doomed)`
}

/** Returns the number of dropped events that were not reported yet, and sets it to 0. */
export async function takeDropped(sql: Queryable): Promise<number> {
  const [row] = await sql<{ dropped: number }[]>`
    with taken as (select dropped from security_log where dropped > 0 for update)
    update security_log set dropped = 0 from taken returning taken.dropped::int as dropped`
  return row?.dropped ?? 0
}

/** Adds a number of dropped events again, because its report could not be sent. */
export async function returnDropped(sql: Queryable, dropped: number): Promise<void> {
  await sql`update security_log set dropped = dropped + ${dropped}`
}

export async function countWaitingEvents(sql: Queryable): Promise<number> {
  const [row] = await sql<[{ waiting: number }]>`select count(*)::int as waiting from security_log_queue`
  return row.waiting
}
