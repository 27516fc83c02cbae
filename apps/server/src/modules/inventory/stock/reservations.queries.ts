import type { OrderStatus } from '@pegasus/contracts/statuses'
import type { Row } from '../../../platform/database/column-types.ts'
import type { Queryable } from '../../../platform/database/database.ts'
import { firstRow } from '../../../platform/database/first-row.ts'

/**
 * Locks an order, unless it is in the trash. Returns null if there is no such order. Other transactions can still add
 * rows that refer to the order, such as print jobs. If they had to wait, one that holds the item could wait for the
 * order while this transaction waits for the item.
 */
export const lockOrderOf = (
  tx: Queryable,
  id: string,
): Promise<Row<'placed_orders', 'order_number' | 'status'> | null> =>
  firstRow(
    tx<Row<'placed_orders', 'order_number' | 'status'>[]>`
      select order_number, status from placed_orders where id = ${id} and deleted_at is null for no key update`,
  )

/** Locks an order like `lockOrderOf`, but returns false at once if another transaction holds it. */
export async function lockFreeOrder(tx: Queryable, id: string): Promise<boolean> {
  const rows = await tx`select id from placed_orders where id = ${id} for no key update skip locked`
  return rows.length > 0
}

/** Pieces of an item that are reserved for an order. A null order means that they are reserved without an order. */
export interface ReservationRow {
  order_id: string | null
  order_number: string | null
  customer_name: string | null
  order_status: OrderStatus | null
  quantity: number
}

/** Maximum number of reservations that a list returns. Counting the pieces of one order has no limit. */
const MAX_LISTED_RESERVATIONS = 1000

/** Lists the reservations of an item: first those without an order, then by order number. */
export const listReservations = (sql: Queryable, itemId: string): Promise<ReservationRow[]> =>
  sql<ReservationRow[]>`
    select held.order_id, o.order_number, o.customer_name, o.status as order_status, held.quantity
    from (
      select order_id, sum(reserved_delta)::float8 as quantity from movements
      where item_id = ${itemId} and reserved_delta <> 0 group by order_id having sum(reserved_delta) > 0
    ) held
    left join placed_orders o on o.id = held.order_id
    order by held.order_id is not null, o.order_number
    limit ${MAX_LISTED_RESERVATIONS}`

/**
 * Lists the reservations of an item in the sequence in which they are released if pieces are missing: first those
 * without an order, then those of the orders that are due last.
 */
export const listHolders = (
  tx: Queryable,
  itemId: string,
): Promise<Pick<ReservationRow, 'order_id' | 'quantity'>[]> =>
  tx<Pick<ReservationRow, 'order_id' | 'quantity'>[]>`
    select held.order_id, held.quantity
    from (
      select order_id, sum(reserved_delta)::float8 as quantity from movements
      where item_id = ${itemId} and reserved_delta <> 0 group by order_id having sum(reserved_delta) > 0
    ) held
    left join placed_orders o on o.id = held.order_id
    order by held.order_id is not null, coalesce(o.due_at, 'infinity') desc, o.placed_at desc, o.order_number desc`

/**
 * Finds the items of which more pieces were released for an order than were reserved for it. If `orderId` is null,
 * compares the pieces that were reserved and released without an order. `reserved` is below 0.
 */
export const listOverdrawn = (
  sql: Queryable,
  { itemIds, orderId }: { itemIds: readonly string[]; orderId: string | null },
): Promise<{ item_id: string; reserved: number }[]> =>
  sql<{ item_id: string; reserved: number }[]>`
    select item_id, sum(reserved_delta)::float8 as reserved from movements
    where item_id = any(${[...itemIds]}::uuid[]) and reserved_delta <> 0
      and ${orderId === null ? sql`order_id is null` : sql`order_id = ${orderId}`}
    group by item_id having sum(reserved_delta) < 0 order by item_id`

/**
 * Counts the pieces of an item that are reserved for an order or, if `orderId` is null, without an order. Pieces that
 * were released or removed since then do not count.
 */
export async function reservedFor(
  sql: Queryable,
  { itemId, orderId }: { itemId: string; orderId: string | null },
): Promise<number> {
  const [row] = await sql<[{ reserved: number }]>`
    select coalesce(sum(reserved_delta), 0)::float8 as reserved from movements
    where item_id = ${itemId} and reserved_delta <> 0
      and ${orderId === null ? sql`order_id is null` : sql`order_id = ${orderId}`}`
  return row.reserved
}
