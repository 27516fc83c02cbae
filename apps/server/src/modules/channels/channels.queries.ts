import type { Channel } from '@pegasus/contracts/channels/channels'
import type { Queryable } from '../../platform/database/database.ts'
import { COUNT_CAP, type PageRequest } from '../../platform/http/paging.ts'

/** A channel as clients see it. */
export type ChannelRow = Channel

/** The encrypted address and keys of a channel. */
export interface SealedChannel {
  id: string
  kind: Channel['kind']
  address_sealed: string
  key_sealed: string | null
  old_key_sealed: string | null
  old_key_until: string | null
}

const columns = (sql: Queryable) => sql`
  c.id, c.name, c.kind, c.shown_address, c.kind = 'ntfy' and c.key_sealed is not null as has_access_token, c.events,
  c.is_enabled, c.disabled_reason,
  case when c.quiet_from is not null then jsonb_build_object(
    'from', c.quiet_from, 'until', c.quiet_until, 'time_zone', c.time_zone
  ) end as quiet_hours,
  (select jsonb_build_object('state', d.state, 'created_at', to_char(d.created_at, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
   from channel_deliveries d where d.channel_id = c.id order by d.created_at desc, d.id desc limit 1) as last_delivery,
  (select count(*)::int from channel_deliveries d where d.channel_id = c.id and d.state = 'failed') as failed,
  (select count(*)::int from channel_deliveries d where d.channel_id = c.id and d.state = 'waiting') as waiting,
  c.revision, c.created_at, c.updated_at`

export function listChannels(sql: Queryable, { cursor, limit }: PageRequest): Promise<ChannelRow[]> {
  const after = cursor
    ? sql`where (c.created_at, c.id) < (${cursor.createdAt}::timestamptz, ${cursor.id}::uuid)`
    : sql``
  return sql<ChannelRow[]>`
    select ${columns(sql)} from channels c ${after} order by c.created_at desc, c.id desc limit ${limit + 1}`
}

export async function countChannels(sql: Queryable): Promise<number> {
  const [row] = await sql<[{ total: number }]>`
    select count(*)::int as total from (select from channels limit ${COUNT_CAP + 1}) as counted`
  return row.total
}

export async function findChannel(sql: Queryable, id: string): Promise<ChannelRow | undefined> {
  const [row] = await sql<ChannelRow[]>`select ${columns(sql)} from channels c where c.id = ${id}`
  return row
}

/** Locks a channel until the transaction ends. Returns its encrypted address and keys. */
export async function lockChannel(tx: Queryable, id: string): Promise<SealedChannel | undefined> {
  const [row] = await tx<SealedChannel[]>`
    select id, kind, address_sealed, key_sealed, old_key_sealed, old_key_until from channels where id = ${id} for update`
  return row
}

/** Makes transactions that add channels run one at a time, so that the number of channels stays below the limit. */
export async function lockChannels(tx: Queryable): Promise<void> {
  await tx`lock table channels in share row exclusive mode`
}

/** The values of a channel that are stored. */
export interface ChannelValues {
  name: string
  address_sealed: string
  shown_address: string
  key_sealed: string | null
  events: readonly string[]
  is_enabled: boolean
  quiet_from: string | null
  quiet_until: string | null
  time_zone: string
}

export async function insertChannel(
  tx: Queryable,
  { id, kind, now, ...values }: ChannelValues & { id: string; kind: string; now: Date },
): Promise<void> {
  await tx`
    insert into channels (id, name, kind, address_sealed, shown_address, key_sealed, events, is_enabled, quiet_from,
      quiet_until, time_zone, created_at, updated_at)
    values (${id}, ${values.name}, ${kind}, ${values.address_sealed}, ${values.shown_address}, ${values.key_sealed},
      ${values.events}, ${values.is_enabled}, ${values.quiet_from}, ${values.quiet_until}, ${values.time_zone}, ${now},
      ${now})`
}

/** Saves a channel. If a person switches the channel on, also removes the reason why the server switched it off. */
export async function updateChannel(
  tx: Queryable,
  id: string,
  values: ChannelValues,
  now: Date,
): Promise<void> {
  await tx`
    update channels set name = ${values.name}, address_sealed = ${values.address_sealed},
      shown_address = ${values.shown_address}, key_sealed = ${values.key_sealed}, events = ${values.events},
      is_enabled = ${values.is_enabled}, disabled_reason = case when ${values.is_enabled} then null else disabled_reason end,
      quiet_from = ${values.quiet_from}, quiet_until = ${values.quiet_until}, time_zone = ${values.time_zone},
      revision = revision + 1, updated_at = ${now}
    where id = ${id}`
}

export async function replaceKey(
  tx: Queryable,
  id: string,
  { sealed, oldUntil, now }: { sealed: string; oldUntil: Date; now: Date },
): Promise<void> {
  await tx`
    update channels set old_key_sealed = key_sealed, old_key_until = ${oldUntil}, key_sealed = ${sealed},
      revision = revision + 1, updated_at = ${now}
    where id = ${id}`
}

/** Switches off a channel whose receiver no longer exists. Returns the channel, or undefined if it was already off. */
export async function disableChannel(
  tx: Queryable,
  id: string,
  reason: string,
  now: Date,
): Promise<{ name: string } | undefined> {
  const [row] = await tx<{ name: string }[]>`
    update channels set is_enabled = false, disabled_reason = ${reason}, revision = revision + 1, updated_at = ${now}
    where id = ${id} and is_enabled
    returning name`
  return row
}

export async function deleteChannel(tx: Queryable, id: string): Promise<void> {
  await tx`delete from channels where id = ${id}`
}
