import type { OrderStatus } from '@pegasus/contracts/statuses'
import type { Queryable } from '../../../platform/database/database.ts'

/** Pieces of an item that are reserved for an order, or without an order (null). */
export interface ReservationRow {
  order_id: string | null
  order_number: string | null
  customer_name: string | null
  order_status: OrderStatus | null
  quantity: number
}

/** The maximum in a list. A single order can be found by its id. */
const MAX_TOLD = 1000

/** The reservations of an item: those without an order first, then by order number. */
export const listReservations = (sql: Queryable, itemId: string): Promise<ReservationRow[]> =>
  sql<ReservationRow[]>`
    select held.order_id, o.order_number, o.customer_name, o.status as order_status, held.quantity
    from (
      select order_id, sum(reserved_delta)::float8 as quantity from movements
      where item_id = ${itemId} and reserved_delta <> 0 group by order_id having sum(reserved_delta) > 0
    ) held
    left join placed_orders o on o.id = held.order_id
    order by held.order_id is not null, o.order_number
    limit ${MAX_TOLD}`

/**
 * The pieces of an item that are reserved for an order, or (null) without one: reserved, and neither released nor
 * removed since.
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
