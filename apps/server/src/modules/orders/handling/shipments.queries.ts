import { SHOP_NOTES } from '@pegasus/contracts/orders/shop-notes'
import type { ActorColumns } from '../../../platform/actor.ts'
import type { Insert, Row } from '../../../platform/database/column-types.ts'
import type { Queryable } from '../../../platform/database/database.ts'
import { firstRow } from '../../../platform/database/first-row.ts'
import type { Fragment } from '../../../platform/database/search-patterns.ts'
import { insertInto } from '../../../platform/database/write-rows.ts'

export interface NewShipment
  extends Pick<
    Insert<'shipments'>,
    'carrier' | 'tracking_number' | 'tracking_url' | 'postage_minor' | 'notify_shop' | 'made_at_shop'
  > {
  id: string
  orderId: string
  by: ActorColumns
  now: Date
}

/** Adds a shipment with the next number of its order. The caller must hold a lock on the order. */
export async function insertShipment(tx: Queryable, shipment: NewShipment): Promise<void> {
  const { id, orderId, by, now, ...columns } = shipment
  const [last] = await tx<[{ number: number; is_of_shop: boolean }]>`
    select coalesce((select max(number) from shipments where order_id = ${orderId}), 0) as number,
           source <> 'manual' as is_of_shop
    from orders where id = ${orderId}`
  await tx`${insertInto(tx, 'shipments', {
    id,
    order_id: orderId,
    number: last.number + 1,
    ...columns,
    // The shop does not know orders that were entered by hand here, so it is not told of their shipments.
    notify_shop: last.is_of_shop && columns.notify_shop !== false,
    ...by,
    created_at: now,
  })}`
}

export async function insertShipmentLines(
  tx: Queryable,
  lines: readonly Insert<'shipment_lines'>[],
): Promise<void> {
  await tx`${insertInto(tx, 'shipment_lines', lines)}`
}

export interface ShipmentLine
  extends Row<'shipment_lines', 'order_line_id' | 'quantity' | 'from_reserved' | 'movement_id'> {
  /** Whether pieces of the line were returned after the shipment. */
  was_returned_since: boolean
}

/** SQL for whether pieces of the line of `p` in `shipment_lines` were returned after its shipment `s`. */
export const wasReturnedSince = (sql: Queryable): Fragment => sql`exists (
    select from order_returns r
    where r.order_line_id = p.order_line_id and r.undone_at is null and r.created_at > s.created_at
  )`

/**
 * Returns the pieces in a shipment of an order, sorted by item id. The list is empty if there is no such shipment, or
 * if it was undone.
 */
export const listShipmentLines = (
  tx: Queryable,
  { id, orderId }: { id: string; orderId: string },
): Promise<ShipmentLine[]> =>
  tx<ShipmentLine[]>`
    select p.order_line_id, p.quantity, p.from_reserved, p.movement_id, ${wasReturnedSince(tx)} as was_returned_since
    from shipment_lines p join shipments s on s.id = p.shipment_id
    where s.id = ${id} and s.order_id = ${orderId} and s.undone_at is null
    order by (select item_id from order_lines where id = p.order_line_id), p.order_line_id`

/**
 * Returns whether a shipment was undone after its report to the shop had begun, and the shop may still count pieces of
 * it as sent. A report can reach the shop although its response is lost.
 */
export async function hasReportedShipmentTakenBack(tx: Queryable, orderId: string): Promise<boolean> {
  const found = await tx`
    select from shipments
    where order_id = ${orderId} and undone_at is not null
      and (told_at is not null or told_tracking is not null or tell_attempts > 0)
      and exists (select from shipment_lines p where p.shipment_id = shipments.id and p.quantity > p.withdrawn_quantity) limit 1`
  return found.length > 0
}

/** Removes the note about pieces that are left to ship if the order has ended. */
export async function clearPiecesLeftProblem(tx: Queryable, orderId: string): Promise<void> {
  await tx`
    update orders set shop_problem = null
    where id = ${orderId} and status in ('completed', 'cancelled') and shop_problem = ${SHOP_NOTES.piecesLeft()}`
}

/** Returns whether an order has a shipment with a higher number. Undone shipments do not count. */
export async function hasLaterShipment(tx: Queryable, orderId: string, number: number): Promise<boolean> {
  const found = await tx`
    select from shipments where order_id = ${orderId} and number > ${number} and undone_at is null limit 1`
  return found.length > 0
}

export async function setShipmentUndone(tx: Queryable, id: string, now: Date): Promise<void> {
  await tx`update shipments set undone_at = ${now} where id = ${id}`
}

export type Tracking = Row<'shipments', 'carrier' | 'tracking_number' | 'tracking_url'>
/** The tracking of a shipment, its number in the order, and its postage in minor units. Unknown values are null. */
export type Parcel = Tracking & Row<'shipments', 'number' | 'postage_minor'>

/**
 * Locks a shipment that was not undone, and returns its tracking and postage. Returns null if there is no such
 * shipment.
 */
export const lockParcel = (
  tx: Queryable,
  { id, orderId }: { id: string; orderId: string },
): Promise<Parcel | null> =>
  firstRow(
    tx<Parcel[]>`
      select number, carrier, tracking_number, tracking_url, postage_minor from shipments
      where id = ${id} and order_id = ${orderId} and undone_at is null for update`,
  )

/**
 * SQL for the tracking of a shipment `s`, in the same form as the column `told_tracking`, which holds the reported
 * tracking.
 */
export const presentTracking = (sql: Queryable): Fragment =>
  sql`jsonb_build_array(s.carrier, s.tracking_number, s.tracking_url)`

/** For the page of an order: whether the shop still has to get a changed tracking of a shipment. */
export interface TrackingInShop extends Row<'shipments', 'notify_shop' | 'tracking_problem'> {
  is_tracking_old_in_shop: boolean
  /** When the tracking that is still to be sent was changed. Null if nothing has to be sent. */
  tracking_due_since: string | null
}

/** SQL for the names and values of `TrackingInShop`, as arguments of `json_build_object`. */
export const trackingInShop = (sql: Queryable): Fragment => sql`
  'notify_shop', s.notify_shop, 'tracking_problem', s.tracking_problem,
  'is_tracking_old_in_shop', s.tracking_due or coalesce(s.told_at is not null and s.told_tracking <> ${presentTracking(sql)}, false),
  'tracking_due_since', case when s.tracking_due then to_char(s.tracking_changed_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') end`

/**
 * Changes the tracking of a shipment. If the shop has other values, the new ones are due to be sent. Earlier versions
 * did not record which tracking they reported. For their shipments, the previous tracking is recorded as the reported
 * one.
 */
export async function saveTracking(
  tx: Queryable,
  { id, now, ...next }: Tracking & { id: string; now: Date },
): Promise<void> {
  const { carrier, tracking_number: number, tracking_url: url } = next
  const known = tx`coalesce(told_tracking, jsonb_build_array(carrier, tracking_number, tracking_url))`
  const isOther = tx`${known} <> jsonb_build_array(${carrier}::text, ${number}::text, ${url}::text)`
  await tx`
    update shipments set carrier = ${carrier}, tracking_number = ${number}, tracking_url = ${url},
      told_tracking = case when told_at is null then told_tracking else ${known} end,
      tracking_due = told_at is not null and (sent_tracking is not null or ${isOther}),
      tracking_changed_at = ${now}, tracking_attempts = 0, tracking_after = null, tracking_problem = null
    where id = ${id}`
}

/** Saves the postage of a shipment in minor units. Null means that it is unknown. */
export async function savePostage(tx: Queryable, id: string, postageMinor: number | null): Promise<void> {
  await tx`update shipments set postage_minor = ${postageMinor} where id = ${id}`
}

/** Number of the latest shipments whose carriers are suggested. */
const SHIPMENTS_WITH_CARRIERS = 500

/** Returns the carriers of the latest shipments, last used first. */
export async function listLatestCarriers(sql: Queryable, limit: number): Promise<string[]> {
  const rows = await sql<{ carrier: string }[]>`
    select carrier from (
      select carrier, created_at from shipments where undone_at is null
      order by created_at desc limit ${SHIPMENTS_WITH_CARRIERS}
    ) latest
    where carrier is not null
    group by carrier order by max(created_at) desc, carrier limit ${limit}`
  return rows.map(({ carrier }) => carrier)
}

/** Adds to the numbers of shipped pieces of lines, without a stock movement. A negative quantity subtracts. */
export async function addShipped(
  tx: Queryable,
  parts: readonly { line: { id: string }; quantity: number }[],
): Promise<void> {
  if (parts.length === 0) return
  const ids = parts.map(({ line }) => line.id)
  const quantities = parts.map(({ quantity }) => quantity)
  await tx`
    update order_lines l set shipped_quantity = l.shipped_quantity + p.quantity
    from (
      select id, sum(quantity) as quantity from unnest(${ids}::uuid[], ${quantities}::int[]) as part (id, quantity) group by id
    ) p
    where l.id = p.id`
}

/**
 * Sets the status of an order according to its reserved and shipped pieces. Call it after a change without a stock
 * movement; stock movements set the status themselves.
 */
export async function advanceOrder(
  tx: Queryable,
  id: string,
  isTakenBack: boolean,
  now: Date,
): Promise<void> {
  await tx`select advance_order(${id}::uuid, ${isTakenBack}::boolean, ${now}::timestamptz)`
}
