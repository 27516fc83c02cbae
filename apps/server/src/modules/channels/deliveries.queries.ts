import type { ChannelDelivery } from '@pegasus/contracts/channels'
import type { Queryable } from '../../platform/database/database.ts'
import { COUNT_CAP, type PageRequest } from '../../platform/http/paging.ts'
import type { ChannelEvent } from './channel-event.ts'
import type { SealedChannel } from './channels.queries.ts'

const SHOWN_ATTEMPTS = 10
const PURGED_AT_ONCE = 1000
/** Maximum number of deliveries that are sent to one channel at the same time. */
const PER_CHANNEL = 5

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
  channelId: string,
  { state, cursor, limit }: PageRequest & { state: string | undefined },
): Promise<DeliveryRow[]> {
  const after = cursor
    ? sql`and (d.created_at, d.id) < (${cursor.createdAt}::timestamptz, ${cursor.id}::uuid)`
    : sql``
  return sql<DeliveryRow[]>`
    select ${columns(sql)} from channel_deliveries d
    where d.channel_id = ${channelId} ${stateIs(sql, state)} ${after}
    order by d.created_at desc, d.id desc limit ${limit + 1}`
}

export async function countDeliveries(
  sql: Queryable,
  channelId: string,
  state: string | undefined,
): Promise<number> {
  const [row] = await sql<[{ total: number }]>`
    select count(*)::int as total from (
      select from channel_deliveries d where d.channel_id = ${channelId} ${stateIs(sql, state)} limit ${COUNT_CAP + 1}
    ) as counted`
  return row.total
}

export async function findDelivery(
  sql: Queryable,
  channelId: string,
  id: string,
): Promise<DeliveryRow | undefined> {
  const [row] = await sql<DeliveryRow[]>`
    select ${columns(sql)} from channel_deliveries d where d.channel_id = ${channelId} and d.id = ${id}`
  return row
}

/** The channels that get events. */
export const listListening = (tx: Queryable): Promise<{ id: string; events: string[] }[]> =>
  tx`select id, events from channels where is_enabled`

export interface NewDelivery {
  id: string
  channel_id: string
  event: ChannelEvent['kind']
  content: ChannelEvent
  created_at: string
}

export async function insertDeliveries(tx: Queryable, deliveries: readonly NewDelivery[]): Promise<void> {
  await tx`
    insert into channel_deliveries (id, channel_id, event, content, state, next_attempt_at, created_at)
    select d.id, d.channel_id, d.event, d.content, 'waiting', d.created_at, d.created_at
    from jsonb_to_recordset(${tx.json(deliveries)})
      as d (id uuid, channel_id uuid, event text, content jsonb, created_at timestamptz)`
}

/** A delivery that this process is about to send. */
export interface ClaimedDelivery extends Omit<SealedChannel, 'id'> {
  id: string
  channel_id: string
  content: ChannelEvent
  attempts: number
  tries: number
}

const claimed = (tx: Queryable) => tx`
  d.id, d.channel_id, d.content, d.attempts, d.tries, c.kind, c.address_sealed, c.key_sealed, c.old_key_sealed,
  c.old_key_until`

/** The quiet hours of a channel that has deliveries to send. */
export interface DueChannel {
  id: string
  quiet_from: string | null
  quiet_until: string | null
  time_zone: string
}

/** Lists the channels that have due deliveries, including channels in their quiet hours. */
export const listDueChannels = (sql: Queryable, now: Date): Promise<DueChannel[]> =>
  sql<DueChannel[]>`
    select id, quiet_from, quiet_until, time_zone from channels
    where is_enabled and exists (
      select from channel_deliveries
      where channel_id = channels.id and state = 'waiting' and next_attempt_at <= ${now}
    )`

/**
 * Claims due deliveries of a channel until the time `until`. If this process dies, another process sends them
 * after that time.
 */
export const claimDueDeliveries = (
  sql: Queryable,
  channelId: string,
  { now, until }: { now: Date; until: Date },
): Promise<ClaimedDelivery[]> =>
  sql<ClaimedDelivery[]>`
    with due as (
      select id from channel_deliveries
      where channel_id = ${channelId} and state = 'waiting' and next_attempt_at <= ${now}
      order by next_attempt_at limit ${PER_CHANNEL} for update skip locked
    )
    update channel_deliveries d
    set attempts = d.attempts + 1, tries = d.tries + 1, next_attempt_at = ${until}
    from channels c
    where c.id = d.channel_id and c.is_enabled and d.id in (select id from due)
    returning ${claimed(sql)}`

/**
 * Inserts a delivery that its caller sends at once, and returns it. It has failed until its attempt succeeds, so that no
 * other process sends it too, and a crash does not repeat it.
 */
export async function insertTest(
  tx: Queryable,
  { id, channel_id, event, content, created_at }: NewDelivery,
): Promise<ClaimedDelivery> {
  await tx`
    insert into channel_deliveries (id, channel_id, event, content, state, attempts, tries, created_at, finished_at)
    values (${id}, ${channel_id}, ${event}, ${tx.json(content)}, 'failed', 1, 1, ${created_at}, ${created_at})`
  const [row] = await tx<[ClaimedDelivery]>`
    select ${claimed(tx)} from channel_deliveries d join channels c on c.id = d.channel_id where d.id = ${id}`
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
 * The attempt to which a change belongs. The change has no effect if a newer attempt or a replay has begun.
 */
interface AttemptOf {
  id: string
  number: number
}

/** Ends a delivery. */
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
 * Ends the waiting deliveries of a channel that is off. They would be outdated when somebody switches the
 * channel on again.
 */
export async function failWaiting(tx: Queryable, channelId: string, now: Date): Promise<void> {
  await tx`
    update channel_deliveries set state = 'failed', next_attempt_at = null, finished_at = ${now}
    where channel_id = ${channelId} and state = 'waiting'`
}

/**
 * Makes a finished delivery due again or, without an id, all failed deliveries of the channel. Returns their
 * number.
 */
export async function replay(
  tx: Queryable,
  { channelId, id, now }: { channelId: string; id?: string; now: Date },
): Promise<number> {
  const rows = await tx`
    update channel_deliveries
    set state = 'waiting', tries = 0, next_attempt_at = ${now}, finished_at = null
    where channel_id = ${channelId}
      and ${id === undefined ? tx`state = 'failed'` : tx`id = ${id} and state <> 'waiting'`}
    returning id`
  return rows.length
}

/** Deletes old deliveries with their attempts. Returns whether there may be more. */
export async function deleteDeliveriesBefore(sql: Queryable, before: Date): Promise<boolean> {
  const rows = await sql`
    delete from channel_deliveries where id in (
      select id from channel_deliveries where created_at < ${before}
      limit ${PURGED_AT_ONCE} for update skip locked
    ) returning id`
  return rows.length === PURGED_AT_ONCE
}
