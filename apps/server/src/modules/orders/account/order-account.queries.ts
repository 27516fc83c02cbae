import type { AccountRow, LineAccount } from '@pegasus/contracts/orders/order-account'
import type { ActorColumns } from '../../../platform/actor.ts'
import type { Queryable } from '../../../platform/database/database.ts'

interface LineOfOrder {
  orderId: string
  lineId: string
}

const UTC = 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'

/**
 * Returns the rows behind the shipped, reserved and queued pieces of a line, latest first within each group. A release
 * is a negative row of the reserved pieces. The queued pieces are those of the jobs that `withAccount` counts for the
 * line.
 */
export const listAccountRows = (sql: Queryable, { orderId, lineId }: LineOfOrder): Promise<AccountRow[]> =>
  sql<AccountRow[]>`
    select 'shipped'::text as term, p.quantity, to_char(s.created_at at time zone 'UTC', ${UTC}) as at, s.actor_name,
           s.number as shipment_number, null::uuid as print_job_id, null as print_job_code, s.created_at as sorted_by
    from shipment_lines p join shipments s on s.id = p.shipment_id
    where p.order_line_id = ${lineId} and s.undone_at is null
    union all
    select 'reserved', m.reserved_delta, to_char(m.created_at at time zone 'UTC', ${UTC}), m.actor_name, null, null, null,
           m.created_at
    from movements m
    where m.order_id = ${orderId} and m.order_line_id = ${lineId} and m.reserved_delta <> 0
    union all
    select 'queued', j.pieces, null, null, null, j.id, p.label_code, null
    from order_jobs j join print_job_labels p on p.id = j.id
    left join order_lines own on own.id = j.order_line_id and own.order_id = j.order_id and own.item_id = j.item_id
    where j.order_id = ${orderId} and j.pieces > 0 and ${lineId} = coalesce(own.id, (
      select l.id from order_lines l where l.order_id = j.order_id and l.item_id = j.item_id
      order by l.position, l.part_number limit 1
    ))
    order by term desc, sorted_by desc nulls last, print_job_code`

/** Returns the orders that get free pieces of the line's item before this order, first order first. */
export const listEarlierOrders = (
  sql: Queryable,
  { orderId, lineId }: LineOfOrder,
  limit: number,
): Promise<LineAccount['earlier_orders']> =>
  sql<LineAccount['earlier_orders']>`
    select p.id as order_id, p.order_number, sum(other.needed_quantity)::float8 as quantity
    from order_lines l join orders o on o.id = l.order_id
    join order_lines other on other.item_id = l.item_id and other.needed_quantity > 0
    join orders p on p.id = other.order_id
    where l.id = ${lineId} and o.id = ${orderId} and p.id <> o.id
      and (other.turn_due_at, other.turn_placed_at, other.turn_number, other.position, other.part_number)
        < (l.turn_due_at, l.turn_placed_at, l.turn_number, l.position, l.part_number)
    group by p.id
    order by coalesce(p.due_at, 'infinity'), p.placed_at, p.order_number limit ${limit}`

export interface InventoryEventRow extends ActorColumns {
  id: string
  action: string
  sku: string
  name: string
  quantity: number
  created_at: string
}

/** Returns the stock movements that people booked in the inventory for the order as a whole, latest first. */
export const listInventoryEvents = (
  sql: Queryable,
  orderId: string,
  limit: number,
): Promise<InventoryEventRow[]> =>
  sql<InventoryEventRow[]>`
    select m.id, m.actor_kind, m.actor_id, m.actor_name, i.sku, i.name, m.created_at,
           case m.kind when 'reserve' then 'order.reserved' when 'release' then 'order.released'
                       when 'ship' then 'order.shipped' else 'order.returned' end as action,
           greatest(abs(m.delta), abs(m.reserved_delta))::int as quantity
    from movements m join stock_items i on i.id = m.item_id
    where m.order_id = ${orderId} and m.order_line_id is null and m.undoes_id is null
      and m.kind in ('reserve', 'release', 'ship', 'return')
    order by m.created_at desc, m.id desc limit ${limit}`

export interface LineLocation {
  line_id: string
  item_sku: string
  location: string | null
}

/** Returns SKU and location of an order's items, in the sequence of the lines. Lines without an item are left out. */
export const listLineLocations = (sql: Queryable, orderId: string): Promise<LineLocation[]> =>
  sql<LineLocation[]>`
    select l.id as line_id, i.sku as item_sku, i.location
    from order_lines l join scannable_items i on i.id = l.item_id
    where l.order_id = ${orderId}
    order by l.position, l.part_number`
