import type { QuietHours } from '@pegasus/contracts/channels/channels'
import type { PushDevice } from '@pegasus/contracts/channels/push-devices'
import type { Queryable } from '../../../platform/database/database.ts'
import { countUpToCap, newestFirst } from '../../../platform/database/list-queries.ts'
import { type Page, type PageRequest, toPage } from '../../../platform/http/paging.ts'
import { liveSessions } from '../../auth/index.ts'
import {
  type ClaimedDelivery,
  type DueRecipient,
  claimDue,
  claimedColumns,
  isDue,
} from '../deliveries.queries.ts'

/** A stored device, with the session to which it belongs. */
export interface DeviceRow extends Omit<PushDevice, 'device' | 'is_current'> {
  session_id: string
  user_agent: string | null
}

const columns = (sql: Queryable) => sql`
  p.id, p.session_id, s.user_agent, greatest(s.last_used_at, s.refreshed_at) as last_used_at,
  case when p.quiet_from is not null then jsonb_build_object(
    'from', p.quiet_from, 'until', p.quiet_until, 'time_zone', p.time_zone
  ) end as quiet_hours,
  (select jsonb_build_object('state', d.state, 'created_at', to_char(d.created_at, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
   from channel_deliveries d where d.device_id = p.id order by d.created_at desc, d.id desc limit 1) as last_delivery,
  (select count(*)::int from channel_deliveries d where d.device_id = p.id and d.state = 'failed') as failed,
  p.revision, p.created_at, p.updated_at`

/** The account whose devices a query reads. The query leaves out devices whose session ended before `now`. */
export interface Owner {
  accountId: string
  now: Date
}

const ownedBy = (sql: Queryable, { accountId, now }: Owner) => sql`
  from push_devices p join sessions s on s.id = p.session_id
  where s.account_id = ${accountId} and s.id in (${liveSessions(sql, now)})`

export async function listDevices(sql: Queryable, owner: Owner, page: PageRequest): Promise<Page<DeviceRow>> {
  const rows = await sql<DeviceRow[]>`
    select ${columns(sql)} ${ownedBy(sql, owner)} ${newestFirst(sql, page, sql`p.created_at`, sql`p.id`)}`
  return toPage([...rows], page.limit, await countDevices(sql, owner))
}

export const countDevices = (sql: Queryable, owner: Owner): Promise<number> =>
  countUpToCap(sql, sql`select 1 ${ownedBy(sql, owner)}`)

export async function findDevice(sql: Queryable, owner: Owner, id: string): Promise<DeviceRow | undefined> {
  const [row] = await sql<DeviceRow[]>`select ${columns(sql)} ${ownedBy(sql, owner)} and p.id = ${id}`
  return row
}

/** Locks a device until the transaction ends. */
export async function lockDevice(tx: Queryable, id: string): Promise<void> {
  await tx`select id from push_devices where id = ${id} for update`
}

/**
 * Makes transactions that add devices to an account run one at a time, so that the number of devices stays below the
 * limit.
 */
export async function lockDevicesOf(tx: Queryable, accountId: string): Promise<void> {
  await tx`select pg_advisory_xact_lock(hashtextextended(${`push_devices ${accountId}`}, 0))`
}

/** Returns the device with this address, and the account to which it belongs. */
export async function findByEndpoint(
  tx: Queryable,
  endpointHash: string,
): Promise<{ id: string; account_id: string } | undefined> {
  const [row] = await tx<{ id: string; account_id: string }[]>`
    select p.id, s.account_id from push_devices p join sessions s on s.id = p.session_id
    where p.endpoint_hash = ${endpointHash} for update of p`
  return row
}

/** Deletes the device of a session, unless its id is `exceptId`. */
export async function deleteDeviceOfSession(
  tx: Queryable,
  sessionId: string,
  exceptId: string | null,
): Promise<void> {
  await tx`delete from push_devices where session_id = ${sessionId} and id is distinct from ${exceptId}::uuid`
}

interface DeviceValues {
  id: string
  sessionId: string
  endpointHash: string
  sealed: string
  now: Date
}

/** Inserts a device. If the device exists, replaces its session and address. */
export async function saveDevice(
  tx: Queryable,
  { id, sessionId, endpointHash, sealed, now }: DeviceValues,
): Promise<void> {
  await tx`
    insert into push_devices (id, session_id, endpoint_hash, subscription_sealed, created_at, updated_at)
    values (${id}, ${sessionId}, ${endpointHash}, ${sealed}, ${now}, ${now})
    on conflict (id) do update set session_id = excluded.session_id,
      subscription_sealed = excluded.subscription_sealed, revision = push_devices.revision + 1,
      updated_at = excluded.updated_at`
}

export async function saveQuietHours(
  tx: Queryable,
  id: string,
  quiet: QuietHours | null,
  now: Date,
): Promise<void> {
  await tx`
    update push_devices set quiet_from = ${quiet?.from ?? null}, quiet_until = ${quiet?.until ?? null},
      time_zone = ${quiet?.time_zone ?? 'UTC'}, revision = revision + 1, updated_at = ${now}
    where id = ${id}`
}

/** Deletes a device with its deliveries. Returns whether it existed. */
export async function deleteDevice(tx: Queryable, id: string): Promise<boolean> {
  const rows = await tx`delete from push_devices where id = ${id} returning id`
  return rows.length > 0
}

/** Lists the devices of these accounts whose sessions have not ended, each with its account. */
export const listDevicesOf = (
  tx: Queryable,
  accountIds: readonly string[],
  now: Date,
): Promise<{ id: string; account_id: string }[]> =>
  tx`
    select p.id, s.account_id from push_devices p join sessions s on s.id = p.session_id
    where s.account_id = any (${accountIds}::uuid[]) and s.id in (${liveSessions(tx, now)})`

/** A delivery to a device that this process is about to send. */
export interface DeviceDelivery extends ClaimedDelivery {
  device_id: string
  subscription_sealed: string
  /** The metadata of the device's owner. It contains the owner's language. */
  metadata: Record<string, unknown>
}

/** Returns an SQL expression for the metadata of the account to which a device `e` belongs. */
const ownerMetadata = (sql: Queryable) => sql`
  (select a.user_metadata from sessions s join accounts a on a.id = s.account_id where s.id = e.session_id)`

/** Returns the SQL statement that lists the devices whose owner is signed in and not deactivated. */
const reachable = (sql: Queryable, now: Date) => sql`
  select p.id from push_devices p join sessions s on s.id = p.session_id join people a on a.id = s.account_id
  where a.is_active and s.id in (${liveSessions(sql, now)})`

/** Lists the devices with due deliveries, including those in their quiet hours. */
export const listDueDevices = (sql: Queryable, now: Date): Promise<DueRecipient[]> =>
  sql<DueRecipient[]>`
    select id, quiet_from, quiet_until, time_zone from push_devices
    where id in (${reachable(sql, now)})
      and exists (select from channel_deliveries d where d.device_id = push_devices.id and ${isDue(sql, now)})`

/** Claims due deliveries of a device until the time `until`. */
export const claimDeviceDeliveries = (
  sql: Queryable,
  id: string,
  range: { now: Date; until: Date },
): Promise<DeviceDelivery[]> =>
  sql<DeviceDelivery[]>`
    ${claimDue(sql, { kind: 'device', id }, range)}
    from push_devices e
    where e.id = d.device_id and e.id in (${reachable(sql, range.now)}) and d.id in (select id from due)
    returning ${claimedColumns(sql)}, d.device_id, e.subscription_sealed, ${ownerMetadata(sql)} as metadata`

/** Returns a test delivery together with the address and the keys of its device. */
export async function toSend(
  tx: Queryable,
  deviceId: string,
  test: ClaimedDelivery,
): Promise<DeviceDelivery> {
  const [row] = await tx<[Pick<DeviceDelivery, 'subscription_sealed' | 'metadata'>]>`
    select e.subscription_sealed, ${ownerMetadata(tx)} as metadata from push_devices e where e.id = ${deviceId}`
  return { ...test, device_id: deviceId, ...row }
}

/** Returns the account of a device and its user agent, for the audit. */
export async function findDeviceName(
  tx: Queryable,
  id: string,
): Promise<{ user_agent: string | null } | undefined> {
  const [row] = await tx<{ user_agent: string | null }[]>`
    select s.user_agent from push_devices p join sessions s on s.id = p.session_id where p.id = ${id}`
  return row
}
