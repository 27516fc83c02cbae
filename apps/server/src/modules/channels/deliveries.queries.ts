import type { ChannelDelivery } from '@pegasus/contracts/channels/channels'
import type { Queryable } from '../../platform/database/database.ts'
import { COUNT_CAP, type PageRequest } from '../../platform/http/paging.ts'
import type { ChannelEvent } from './channel-event.ts'

const SHOWN_ATTEMPTS = 10
const PURGED_AT_ONCE = 1000
/** Maximum number of deliveries that are sent to one recipient at the same time. */
const PER_RECIPIENT = 5

/** The recipient of deliveries: a channel, or a device of a person. */
export interface Recipient {
  kind: 'channel' | 'device'
  id: string
}

/** Returns the SQL condition for deliveries `d` to a recipient. */
const isTo = (sql: Queryable, { kind, id }: Recipient) =>
  kind === 'channel' ? sql`d.channel_id = ${id}` : sql`d.device_id = ${id}`

export interface DeliveryRow extends Omit<ChannelDelivery, 'type' | 'title'> {
  event: ChannelEvent['kind']
  title: string
}

const columns = (sql: Queryable) => sql`
  d.id, d.event, d.content ->> 'title' as title, d.state, d.created_at, d.next_attempt_at, d.finished_at,
  coalesce((
    select jsonb_agg(jsonb_build_object('number', a.number, 'at', to_char(a.at, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
      'duration_ms', a.duration_ms, 'status', a.status, 'note', a.note) order by a.number desc)
    from (select * from channel_attempts where delivery_id = d.id order by number desc limit ${sql.literal(SHOWN_ATTEMPTS)}) a
  ), '[]') as attempts`

const stateIs = (sql: Queryable, state: string | undefined) =>
  state === undefined ? sql`` : sql`and d.state = ${state}`

export function listDeliveries(
  sql: Queryable,
  recipient: Recipient,
  { state, cursor, limit }: PageRequest & { state: string | undefined },
): Promise<DeliveryRow[]> {
  const after = cursor
    ? sql`and (d.created_at, d.id) < (${cursor.createdAt}::timestamptz, ${cursor.id}::uuid)`
    : sql``
  return sql<DeliveryRow[]>`
    select ${columns(sql)} from channel_deliveries d
    where ${isTo(sql, recipient)} ${stateIs(sql, state)} ${after}
    order by d.created_at desc, d.id desc limit ${limit + 1}`
}

export async function countDeliveries(
  sql: Queryable,
  recipient: Recipient,
  state: string | undefined,
): Promise<number> {
  const [row] = await sql<[{ total: number }]>`
    select count(*)::int as total from (
      select from channel_deliveries d where ${isTo(sql, recipient)} ${stateIs(sql, state)} limit ${COUNT_CAP + 1}
    ) as counted`
  return row.total
}

export async function findDelivery(
  sql: Queryable,
  recipient: Recipient,
  id: string,
): Promise<DeliveryRow | undefined> {
  const [row] = await sql<DeliveryRow[]>`
    select ${columns(sql)} from channel_deliveries d where ${isTo(sql, recipient)} and d.id = ${id}`
  return row
}

/** Lists the enabled channels with the kinds of events that each wants. */
export const listListening = (tx: Queryable): Promise<{ id: string; events: string[] }[]> =>
  tx`select id, events from channels where is_enabled`

export interface NewDelivery {
  id: string
  channel_id?: string
  device_id?: string
  event: ChannelEvent['kind']
  content: ChannelEvent
  created_at: string
}

export async function insertDeliveries(tx: Queryable, deliveries: readonly NewDelivery[]): Promise<void> {
  await tx`
    insert into channel_deliveries (id, channel_id, device_id, event, content, state, next_attempt_at, created_at)
    select d.id, d.channel_id, d.device_id, d.event, d.content, 'waiting', d.created_at, d.created_at
    from jsonb_to_recordset(${tx.json(deliveries)})
      as d (id uuid, channel_id uuid, device_id uuid, event text, content jsonb, created_at timestamptz)`
}

/** A delivery that this process is about to send. */
export interface ClaimedDelivery {
  id: string
  content: ChannelEvent
  attempts: number
  tries: number
}

/** Returns the SQL columns of a claimed delivery `d`. */
export const claimedColumns = (sql: Queryable) => sql`d.id, d.content, d.attempts, d.tries`

/** A recipient with due deliveries, and its quiet hours. */
export interface DueRecipient {
  id: string
  quiet_from: string | null
  quiet_until: string | null
  time_zone: string
}

/** Returns the SQL condition for deliveries `d` that are due. */
export const isDue = (sql: Queryable, now: Date) => sql`d.state = 'waiting' and d.next_attempt_at <= ${now}`

/**
 * Returns the beginning of an SQL statement that claims due deliveries `d` until the time `until`. If this process
 * dies, another process sends them after that time. The caller adds `from`, `where` and `returning`.
 */
export const claimDue = (
  sql: Queryable,
  recipient: Recipient,
  { now, until }: { now: Date; until: Date },
) => sql`
  with due as (
    select d.id from channel_deliveries d
    where ${isTo(sql, recipient)} and ${isDue(sql, now)}
    order by d.next_attempt_at limit ${PER_RECIPIENT} for update skip locked
  )
  update channel_deliveries d
  set attempts = d.attempts + 1, tries = d.tries + 1, next_attempt_at = ${until}`

/**
 * Inserts a test delivery and returns it. The caller sends it at once. Until its attempt succeeds, it is stored as
 * failed, so that no other process sends it and a crash does not repeat it.
 */
export async function insertTest(
  tx: Queryable,
  { id, channel_id: channelId, device_id: deviceId, event, content, created_at }: NewDelivery,
): Promise<ClaimedDelivery> {
  const [row] = await tx<[ClaimedDelivery]>`
    insert into channel_deliveries as d (id, channel_id, device_id, event, content, state, attempts, tries, created_at,
      finished_at)
    values (${id}, ${channelId ?? null}, ${deviceId ?? null}, ${event}, ${tx.json(content)}, 'failed', 1, 1, ${created_at},
      ${created_at})
    returning ${claimedColumns(tx)}`
  return row
}

export interface Attempt {
  delivery_id: string
  number: number
  at: Date
  duration_ms: number | null
  status: number | null
  note: string | null
}

export async function insertAttempt(tx: Queryable, attempt: Attempt): Promise<void> {
  await tx`
    insert into channel_attempts (delivery_id, number, at, duration_ms, status, note)
    select id, ${attempt.number}, ${attempt.at}, ${attempt.duration_ms}, ${attempt.status}, ${attempt.note}
    from channel_deliveries where id = ${attempt.delivery_id}
    on conflict do nothing`
}

/**
 * Identifies the attempt that a change belongs to. The change has no effect if a newer attempt or a replay has begun.
 */
interface AttemptOf {
  id: string
  number: number
}

/** Stores the final state of a delivery. */
export async function finishDelivery(
  tx: Queryable,
  { id, number }: AttemptOf,
  state: 'delivered' | 'failed',
  now: Date,
): Promise<void> {
  await tx`
    update channel_deliveries set state = ${state}, next_attempt_at = null, finished_at = ${now}
    where id = ${id} and attempts = ${number}`
}

export async function putOffDelivery(tx: Queryable, { id, number }: AttemptOf, until: Date): Promise<void> {
  await tx`
    update channel_deliveries set next_attempt_at = ${until}
    where id = ${id} and state = 'waiting' and attempts = ${number}`
}

/**
 * Ends the waiting deliveries of a channel that was switched off. They would be outdated when somebody switches it on
 * again.
 */
export async function failWaiting(tx: Queryable, channelId: string, now: Date): Promise<void> {
  await tx`
    update channel_deliveries set state = 'failed', next_attempt_at = null, finished_at = ${now}
    where channel_id = ${channelId} and state = 'waiting'`
}

/**
 * Makes a finished delivery due again. Without an id, does this for all failed deliveries of the recipient. Returns the
 * number of deliveries.
 */
export async function replay(
  tx: Queryable,
  { recipient, id, now }: { recipient: Recipient; id?: string; now: Date },
): Promise<number> {
  const rows = await tx`
    update channel_deliveries d
    set state = 'waiting', tries = 0, next_attempt_at = ${now}, finished_at = null
    where ${isTo(tx, recipient)}
      and ${id === undefined ? tx`d.state = 'failed'` : tx`d.id = ${id} and d.state <> 'waiting'`}
    returning d.id`
  return rows.length
}

/**
 * Deletes old deliveries with their attempts, a limited number at a time. Returns whether more old deliveries may
 * remain.
 */
export async function deleteDeliveriesBefore(sql: Queryable, before: Date): Promise<boolean> {
  const rows = await sql`
    delete from channel_deliveries where id in (
      select id from channel_deliveries where created_at < ${before}
      limit ${PURGED_AT_ONCE} for update skip locked
    ) returning id`
  return rows.length === PURGED_AT_ONCE
}
