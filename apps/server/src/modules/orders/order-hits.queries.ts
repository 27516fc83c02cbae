import type { OrderState } from '@pegasus/contracts/orders/order-steps'
import type { Queryable } from '../../platform/database/database.ts'
import { type SearchWord, matchesWords } from '../../platform/search/search-words.queries.ts'
import { withAccount } from './account/line-account.queries.ts'

export interface OrderHit {
  id: string
  order_number: string
  customer_name: string
  is_ready: boolean
  status: OrderState['status']
  /** At most two entries: one adds up the lines of ignored SKUs, the other all other lines. */
  line_sums: (OrderState['items'][number] & { printable_quantity: number })[]
}

/** Number of orders, newest first, whose customer names are searched. */
const ORDERS_WITH_NAMES = 200

/**
 * Finds orders for the global search, newest first. All words must occur in the number, the customer or the
 * lines.
 */
export const findOrderHits = (
  sql: Queryable,
  words: readonly SearchWord[],
  limit: number,
): Promise<OrderHit[]> =>
  sql<OrderHit[]>`
    with found as materialized (
      select o.id, o.order_number, o.customer_name, o.status, o.placed_at from orders o
      where o.deleted_at is null
        ${matchesWords(sql, words, (pattern) => sql`o.search_text like ${pattern}`)}
      order by o.placed_at desc, o.id desc limit ${sql.literal(limit)}
    ),
    pieces as materialized (
      ${withAccount(sql, sql`select id, status from found where status not in ('completed', 'cancelled')`)}
      select order_id, max(short_by) = 0 as is_ready, json_build_object(
               'is_ignored', ignored_at is not null, 'is_set', false, 'parts', '[]'::json,
               'quantity', sum(quantity), 'shipped_quantity', sum(shipped_quantity),
               'reserved_quantity', sum(reserved_quantity), 'allocated_quantity', sum(allocated_quantity),
               'printable_quantity', coalesce(sum(missing_quantity) filter (where item_id is not null), 0)) as sums
      from account where not is_set group by order_id, ignored_at is not null
    )
    select f.id, f.order_number, f.customer_name, f.status,
           f.status in ('pending', 'in_progress') and coalesce(p.is_ready, true) as is_ready, coalesce(p.line_sums, '[]') as line_sums
    from found f
    left join lateral (
      select bool_and(is_ready) as is_ready, json_agg(sums) as line_sums from pieces where order_id = f.id
    ) p on true
    order by f.placed_at desc, f.id desc`

/** Finds customers by name. The customers with the newest orders come first. */
export const findCustomerHits = (
  sql: Queryable,
  words: readonly SearchWord[],
  limit: number,
): Promise<{ customer_name: string; orders: number }[]> =>
  sql<{ customer_name: string; orders: number }[]>`
    select customer_name, count(*)::int as orders from (
      select o.customer_name, o.placed_at from orders o
      where o.deleted_at is null and o.customer_name <> ''
        ${matchesWords(sql, words, (pattern) => sql`(o.search_text like ${pattern} and lower(o.customer_name) like ${pattern})`)}
      order by o.placed_at desc, o.id desc limit ${sql.literal(ORDERS_WITH_NAMES)}
    ) recent
    group by customer_name order by max(placed_at) desc, customer_name limit ${sql.literal(limit)}`
