import type { Queryable } from '../../platform/database/database.ts'
import { readyToPack } from './account/line-account.queries.ts'

export interface OrderFigures {
  total_orders: number
  pending_orders: number
  orders_this_week: number
  orders_ready_to_pack: number
  total_revenue_minor: number
  revenue_30_days_minor: number
  revenue_previous_30_days_minor: number
}

/**
 * Counts all orders, and adds up the totals of orders in the given currency that are not cancelled. Separate queries
 * read each figure from an index: those of open and recent orders, and the sums of all time without reading every row.
 */
export async function readOrderFigures(
  sql: Queryable,
  options: { currency: string; weekAgo: Date; monthAgo: Date; twoMonthsAgo: Date },
): Promise<OrderFigures> {
  const { currency, weekAgo, monthAgo, twoMonthsAgo } = options
  const revenue = sql`
    select coalesce(sum(total_minor), 0)::float8 from orders
    where deleted_at is null and status <> 'cancelled' and currency = ${currency}`
  const [row] = await sql<[OrderFigures]>`
    select (select count(*)::int from orders where deleted_at is null) as total_orders,
           (select count(*)::int from orders where deleted_at is null and status = 'pending') as pending_orders,
           (select count(*)::int from orders where deleted_at is null and placed_at >= ${weekAgo}) as orders_this_week,
           (select count(*)::int from (${readyToPack(sql)}) ready) as orders_ready_to_pack,
           (${revenue}) as total_revenue_minor,
           (${revenue} and placed_at >= ${monthAgo}) as revenue_30_days_minor,
           (${revenue} and placed_at >= ${twoMonthsAgo} and placed_at < ${monthAgo}) as revenue_previous_30_days_minor`
  return row
}

export interface OrderDay {
  day: string
  orders: number
  revenue_minor: number
}

/**
 * Counts the orders per day in the time zone, and adds up their totals in `currency`. Only orders that were
 * placed at or after `since` and not cancelled count.
 */
export const readOrderDays = (
  sql: Queryable,
  since: Date,
  timeZone: string,
  currency: string,
): Promise<OrderDay[]> =>
  sql<OrderDay[]>`
    select (placed_at at time zone ${timeZone})::date as day, count(*)::int as orders,
           coalesce(sum(total_minor) filter (where currency = ${currency}), 0)::float8 as revenue_minor
    from orders
    where deleted_at is null and status <> 'cancelled' and placed_at >= ${since}
    group by 1`
