import type { LinePart } from '@pegasus/contracts/orders/order-changes'
import type { Queryable } from '../../../platform/database/database.ts'
import type { Fragment } from '../../../platform/database/search-patterns.ts'

/**
 * Common table expressions with the account of each order line: ordered = shipped + reserved + allocated + queued in
 * jobs + missing. `page` selects the `id` and `status` of the orders. Everything that shows missing pieces uses
 * `account`. The lines of a finished order have no missing pieces: their unshipped pieces are `not_shipped_quantity`. A
 * set has no account of its own, only its parts have.
 * - `shown`: the lines of the orders.
 * - `needed`, `supply`: the pieces of their items that open orders need and that are available, and whether the
 *   available pieces are too few for all (`is_shared`).
 * - `turns`: for shared items, the free pieces that earlier lines take, by due date, placing time and number. Each item
 *   is read once for the page, so that a thousand lines need only one pass.
 * - `first_lines`: the first line of each item in each order.
 * - `coming`: the pieces that jobs will make. A job counts for the line that it names if that line has the job's item.
 *   Otherwise, it counts for the first line or part with that item.
 */
export const withAccount = (sql: Queryable, page: Fragment) => sql`
  with page as materialized (${page}),
  shown as materialized (
    select l.* from order_lines l where l.order_id = any (array(select id from page))
  ),
  needed as (
    select item_id, sum(needed_quantity) as quantity from order_lines
    where needed_quantity > 0 and item_id = any (array(select item_id from shown where needed_quantity > 0)) group by item_id
  ),
  supply as materialized (
    select i.id, case when i.deleted_at is null then i.available_quantity end as available_quantity, i.color_hex, i.stl_file_id,
           i.deleted_at is null and i.available_quantity between 1 and needed.quantity - 1 as is_shared
    from stock_items i left join needed on needed.item_id = i.id
    where i.id = any (array(select item_id from shown))
  ),
  turns as materialized (
    select l.id, sum(l.needed_quantity) over (
             partition by l.item_id
             order by l.turn_due_at, l.turn_placed_at, l.turn_number, l.position, l.part_number
             rows between unbounded preceding and 1 preceding
           ) as taken_before
    from order_lines l where l.needed_quantity > 0 and l.item_id = any (array(select id from supply where is_shared))
  ),
  first_lines as materialized (
    select distinct on (order_id, item_id) order_id, item_id, id from shown
    where item_id is not null order by order_id, item_id, position, part_number
  ),
  coming as materialized (
    select coalesce(own.id, first.id) as line_id, sum(j.pieces) as pieces
    from order_jobs j
    left join shown own on own.id = j.order_line_id and own.item_id = j.item_id
    left join first_lines first on first.order_id = j.order_id and first.item_id = j.item_id
    where j.order_id = any (array(select id from page)) group by 1
  ),
  account as (
    select l.*, i.available_quantity, i.color_hex, i.stl_file_id, free.allocated_quantity, free.queued_quantity, lacking.short_by,
           lacking.not_shipped_quantity, greatest(0, lacking.short_by - free.queued_quantity) as missing_quantity
    from shown l
    join page on page.id = l.order_id
    left join supply i on i.id = l.item_id
    left join turns on turns.id = l.id
    left join coming on coming.line_id = l.id
    cross join lateral (
      select case when l.needed_quantity = 0 or coalesce(i.available_quantity, 0) <= 0 then 0
                  when i.is_shared then
                    least(l.needed_quantity, greatest(0, i.available_quantity - coalesce(turns.taken_before, 0)))
                  else l.needed_quantity end as allocated_quantity,
             coalesce(coming.pieces, 0) as queued_quantity
    ) free
    cross join lateral (
      select case when is_finished or l.ignored_at is not null or l.is_set then 0
                  else greatest(0, l.quantity - l.shipped_quantity - l.reserved_quantity - free.allocated_quantity)
             end as short_by,
             case when is_finished and l.ignored_at is null and not l.is_set
                       and l.quantity > l.shipped_quantity + l.reserved_quantity
                       and not (select is_history from orders where id = l.order_id)
                  then l.quantity - l.shipped_quantity - l.reserved_quantity
                  else 0 end as not_shipped_quantity
      from (select page.status in ('completed', 'cancelled') as is_finished) order_state
    ) lacking
  )`

const openOrders = (sql: Queryable) => sql`
  select id, status from orders where deleted_at is null and status in ('pending', 'in_progress')`

/**
 * Selects the ids of orders without a short line, including orders without lines. `orders` must select open orders
 * only; the default is all of them. `union all` adds the orders without lines. A join would, without statistics about a
 * fresh import, compute the account of all orders once for each order.
 */
export const readyToPack = (sql: Queryable, orders: Fragment = openOrders(sql)) => sql`
  select order_id from (
    ${withAccount(sql, orders)}
    select order_id from account group by order_id having max(short_by) = 0
    union all
    select page.id from page where not exists (select from order_lines l where l.order_id = page.id)
  ) ready`

/** Returns the number of missing pieces of each order. Orders without lines are left out. */
export async function readMissingPieces(
  sql: Queryable,
  orderIds: readonly string[],
): Promise<Map<string, number>> {
  const page = sql`select id, status from orders where id = any (${[...orderIds]}::uuid[])`
  const rows = await sql<{ order_id: string; missing: number }[]>`
    ${withAccount(sql, page)}
    select order_id, sum(missing_quantity)::float8 as missing from account group by order_id`
  return new Map(rows.map((row) => [row.order_id, row.missing]))
}

/** Returns the free pieces that each line of an order gets. Earlier orders get theirs first. */
export const listAllocated = (sql: Queryable, orderId: string): Promise<LinePart[]> =>
  sql<LinePart[]>`
    ${withAccount(sql, sql`select id, status from orders where id = ${orderId}`)}
    select id as line_id, allocated_quantity::int as quantity from account where allocated_quantity > 0
    order by position, part_number`

/**
 * Pieces of an item that are promised to an order: its reserved pieces, and the free pieces that are left for it after
 * all earlier orders.
 */
export interface PromisedPieces {
  item_id: string
  order_id: string
  order_number: string
  due_at: string | null
  quantity: number
}

/** Lists the orders to which pieces of these items are promised, in the sequence in which orders get free pieces. */
export const listPromisedPieces = (sql: Queryable, itemIds: readonly string[]): Promise<PromisedPieces[]> =>
  sql<PromisedPieces[]>`
    ${withAccount(
      sql,
      sql`
        select id, status from orders
        where deleted_at is null and id in (
          select order_id from order_lines
          where item_id = any (${[...itemIds]}::uuid[]) and needed_quantity + reserved_quantity > 0
        )`,
    )}
    select a.item_id, o.id as order_id, o.order_number, o.due_at,
           sum(a.reserved_quantity + a.allocated_quantity)::float8 as quantity
    from account a join orders o on o.id = a.order_id
    where a.item_id = any (${[...itemIds]}::uuid[]) and a.reserved_quantity + a.allocated_quantity > 0
    group by a.item_id, o.id order by coalesce(o.due_at, 'infinity'), o.placed_at, o.order_number`
