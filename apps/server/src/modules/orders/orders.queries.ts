import type { OrderStatus } from '@pegasus/contracts/statuses'
import type { Insert, Row } from '../../platform/database/column-types.ts'
import type { Queryable } from '../../platform/database/database.ts'
import { matchesEveryWord } from '../../platform/database/search-patterns.ts'
import { insertInto } from '../../platform/database/write-rows.ts'
import { countUpToCap, newestFirst } from '../../platform/database/list-queries.ts'
import type { PageRequest } from '../../platform/http/paging.ts'

/** A line with its item. Items in the trash are not available. */
export interface OrderLineRow
  extends Row<'order_lines', 'id' | 'sku' | 'name' | 'quantity' | 'unit_price_minor'> {
  inventory_item_id: string | null
  available_quantity: number | null
  /** `#RRGGBB` of the item. */
  color_hex: string | null
  stl_file_id: string | null
  has_picture: boolean
}

/** An order with its lines. Money is in minor units of `currency`. */
export interface OrderRow
  extends Row<
    'orders',
    | 'id'
    | 'order_number'
    | 'customer_name'
    | 'status'
    | 'total_minor'
    | 'currency'
    | 'placed_at'
    | 'due_at'
    | 'source'
    | 'external_id'
    | 'notes'
    | 'revision'
    | 'created_at'
    | 'updated_at'
  > {
  lines: OrderLineRow[]
}

export interface OrderFilter {
  search?: string | undefined
  status?: OrderStatus | undefined
  /** Only orders with a line of this item. */
  itemId?: string | undefined
}

/** The lines are one JSON value, so that a page needs one query. */
const selectOrder = (sql: Queryable) => sql`
  select o.id, o.order_number, o.customer_name, o.status, o.total_minor, o.currency, o.placed_at, o.due_at, o.source,
         o.external_id, o.notes, o.revision, o.created_at, o.updated_at,
         coalesce((
           select jsonb_agg(jsonb_build_object(
             'id', l.id, 'sku', l.sku, 'name', l.name, 'quantity', l.quantity,
             'unit_price_minor', l.unit_price_minor, 'inventory_item_id', l.item_id,
             'available_quantity',
             case when i.deleted_at is null then i.available_quantity end, 'color_hex', '#' || i.color_hex, 'stl_file_id', i.stl_file_id,
             'has_picture', coalesce(m.has_picture, false)) order by l.position)
           from order_lines l
           left join stock_items i on i.id = l.item_id
           left join library_models m on m.id = i.stl_file_id
           where l.order_id = o.id
         ), '[]') as lines
  from orders o`

const matching = (sql: Queryable, filter: OrderFilter) => sql`
  o.deleted_at is null
  ${matchesEveryWord(sql, filter.search, (pattern) => sql`o.search_text like ${pattern}`)}
  ${filter.status ? sql`and o.status = ${filter.status}` : sql``}
  ${filter.itemId === undefined ? sql`` : sql`and o.id in (select order_id from order_lines where item_id = ${filter.itemId})`}`

export const listOrders = (sql: Queryable, filter: OrderFilter, page: PageRequest): Promise<OrderRow[]> =>
  sql<OrderRow[]>`
    ${selectOrder(sql)}
    where ${matching(sql, filter)}
      ${newestFirst(sql, page, sql`o.placed_at`, sql`o.id`)}`

export const countOrders = (sql: Queryable, filter: OrderFilter): Promise<number> =>
  countUpToCap(sql, sql`select 1 from orders o where ${matching(sql, filter)}`)

export async function findOrder(sql: Queryable, id: string): Promise<OrderRow | null> {
  const [row] = await sql<OrderRow[]>`${selectOrder(sql)} where o.id = ${id} and o.deleted_at is null`
  return row ?? null
}

export async function insertOrder(
  tx: Queryable,
  order: Insert<'orders'>,
  lines: readonly Insert<'order_lines'>[],
): Promise<void> {
  await insertInto(tx, 'orders', order)
  if (lines.length > 0) await insertInto(tx, 'order_lines', lines)
}

/** The next number for an order without one: `PO-00042`. */
export async function makeOrderNumber(tx: Queryable): Promise<string> {
  for (;;) {
    const [row] = await tx<[{ number: string; is_taken: boolean }]>`
      with next as (select label_code('PO', nextval('order_numbers'), 5) as number)
      select number, exists (select from orders where order_number = next.number and deleted_at is null) as is_taken
      from next`
    if (!row.is_taken) return row.number
  }
}
