import type { Queryable } from '../../platform/database/database.ts'
import { matchesEveryWord } from '../../platform/database/search-patterns.ts'
import { readyToPack } from './account/line-account.queries.ts'

export interface OrderHit {
  id: string
  order_number: string
  customer_name: string
  is_ready: boolean
}

/** Number of matching orders, newest first, in which customer names are searched. */
const ORDERS_WITH_NAMES = 200

/**
 * Finds orders for the global search, newest first. All words must occur in the number, the customer or the
 * lines.
 */
export const findOrderHits = (sql: Queryable, search: string, limit: number): Promise<OrderHit[]> =>
  sql<OrderHit[]>`
    with found as materialized (
      select o.id, o.order_number, o.customer_name, o.status, o.placed_at from orders o
      where o.deleted_at is null
        ${matchesEveryWord(sql, search, (pattern) => sql`o.search_text like ${pattern}`)}
      order by o.placed_at desc, o.id desc limit ${sql.literal(limit)}
    )
    select f.id, f.order_number, f.customer_name,
           case when f.status in ('pending', 'in_progress') then f.id in (${readyToPack(sql, sql`select id, status from found where status in ('pending', 'in_progress')`)}) else false end as is_ready
    from found f order by f.placed_at desc, f.id desc`

/** Finds customers by name. The customers with the newest orders come first. */
export const findCustomerHits = (
  sql: Queryable,
  search: string,
  limit: number,
): Promise<{ customer_name: string; orders: number }[]> =>
  sql<{ customer_name: string; orders: number }[]>`
    select customer_name, count(*)::int as orders from (
      select o.customer_name, o.placed_at from orders o
      where o.deleted_at is null and o.customer_name <> ''
        ${matchesEveryWord(sql, search, (pattern) => sql`o.search_text like ${pattern} and lower(o.customer_name) like ${pattern}`)}
      order by o.placed_at desc, o.id desc limit ${sql.literal(ORDERS_WITH_NAMES)}
    ) recent
    group by customer_name order by max(placed_at) desc, customer_name limit ${sql.literal(limit)}`
