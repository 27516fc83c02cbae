import { v7 as uuidv7 } from 'uuid'
import type { Row } from '../../../platform/database/column-types.ts'
import type { Queryable } from '../../../platform/database/database.ts'

/** Returned pieces of a line. The movements are null for a line without an item. */
export interface NewReturn {
  line: { id: string }
  quantity: number
  to: 'stock' | 'scrap'
  reason: string | null
  movementId: string | null
  /** The movement that removed the pieces from the stock again as scrap. Null for pieces that stay in the stock. */
  scrapMovementId: string | null
}

/**
 * Saves returned pieces of lines as the return `bookingId`, with the average cost of the line's shipped pieces. Inserts
 * all of them with one statement, because the database recomputes the earnings of the order after each statement.
 */
export async function insertReturns(
  tx: Queryable,
  bookingId: string,
  returns: readonly NewReturn[],
  now: Date,
): Promise<void> {
  const rows = returns.map(({ line, quantity, to, ...more }) => ({
    id: uuidv7(),
    lineId: line.id,
    quantity,
    destination: to,
    ...more,
  }))
  await tx`
    with returned as (select * from jsonb_to_recordset(${tx.json(rows)}) as r ("lineId" uuid, quantity integer))
    update order_lines l set returned_quantity = l.returned_quantity + r.quantity
    from (select "lineId", sum(quantity) as quantity from returned group by 1) r where l.id = r."lineId"`
  await tx`
    insert into order_returns (id, booking_id, order_line_id, quantity, destination, reason, movement_id, scrap_movement_id,
                               unit_cost_minor, created_at)
    select r.id, ${bookingId}, r."lineId", r.quantity, r.destination, r.reason, r."movementId", r."scrapMovementId", (
             select round(sum(p.unit_cost_minor * p.quantity) / sum(p.quantity) filter (where p.unit_cost_minor is not null))::bigint
             from shipment_lines p join shipments s on s.id = p.shipment_id
             where p.order_line_id = r."lineId" and s.undone_at is null
           ), ${now}::timestamptz
    from jsonb_to_recordset(${tx.json(rows)})
      as r (id uuid, "lineId" uuid, quantity integer, destination text, reason text, "movementId" uuid, "scrapMovementId" uuid)`
}

/** The returned pieces of one line, and what has happened to them since. */
export interface ReturnedPart extends Row<'order_returns', 'order_line_id' | 'quantity' | 'movement_id'> {
  /** The movement that scrapped the pieces. Null if they are in the stock. */
  scrap_movement_id: string | null
  /** Whether the item was counted after its pieces came back. A count stays valid, so the return cannot be undone. */
  was_counted_since: boolean
}

/**
 * Lists the pieces of a return of an order. The list is empty if there is no such return, or if it was undone. Scrapped
 * pieces count as back in the stock if a person has undone the scrapping in the inventory.
 */
export const listReturnedParts = (
  tx: Queryable,
  { id, orderId }: { id: string; orderId: string },
): Promise<ReturnedPart[]> =>
  tx<ReturnedPart[]>`
    select r.order_line_id, r.quantity, r.movement_id, s.id as scrap_movement_id, s.id is null and exists (
             select from movements c left join movements u on u.undoes_id = c.id
             where c.item_id = m.item_id and c.kind = 'count' and c.undoes_id is null and u.id is null
               and (c.created_at, c.id) > (m.created_at, m.id)
           ) as was_counted_since
    from order_returns r
    join order_lines l on l.id = r.order_line_id
    left join movements m on m.id = r.movement_id
    left join movements s on s.id = r.scrap_movement_id and not exists (select from movements u where u.undoes_id = s.id)
    where l.order_id = ${orderId} and r.booking_id = ${id} and r.undone_at is null
    order by l.item_id, r.id`

/** Marks a return of an order as undone, and subtracts its pieces from the returned pieces of the lines. */
export async function setReturnUndone(
  tx: Queryable,
  { id, orderId }: { id: string; orderId: string },
  now: Date,
): Promise<void> {
  await tx`
    with undone as (
      update order_returns r set undone_at = ${now}::timestamptz
      from order_lines l
      where l.id = r.order_line_id and l.order_id = ${orderId} and r.booking_id = ${id} and r.undone_at is null
      returning r.order_line_id, r.quantity
    )
    update order_lines l set returned_quantity = l.returned_quantity - u.quantity
    from (select order_line_id, sum(quantity) as quantity from undone group by 1) u where l.id = u.order_line_id`
}

/**
 * Returns the ids of the returns of an order that can be undone. Returns that were booked by earlier versions have no
 * id and cannot be undone.
 */
export async function listUndoableReturns(sql: Queryable, orderId: string): Promise<Set<string>> {
  const rows = await sql<{ booking_id: string }[]>`
    select distinct r.booking_id from order_returns r join order_lines l on l.id = r.order_line_id
    where l.order_id = ${orderId} and r.booking_id is not null and r.undone_at is null`
  return new Set(rows.map(({ booking_id: id }) => id))
}
