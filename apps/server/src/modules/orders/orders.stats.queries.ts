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
 * Counts all orders, and adds up the totals of the orders that are in the shop's own currency and not
 * cancelled.
 */
export async function readOrderFigures(
  sql: Queryable,
  options: { currency: string; weekAgo: Date; monthAgo: Date; twoMonthsAgo: Date },
): Promise<OrderFigures> {
  const { currency, weekAgo, monthAgo, twoMonthsAgo } = options
  const earns = sql`status <> 'cancelled' and currency = ${currency}`
  const [row] = await sql<[OrderFigures]>`
    select count(*)::int as total_orders,
           (count(*) filter (where status = 'pending'))::int as pending_orders,
           (count(*) filter (where placed_at >= ${weekAgo}))::int as orders_this_week,
           (select count(*) from (${readyToPack(sql)}) ready)::int as orders_ready_to_pack,
           coalesce(sum(total_minor) filter (where ${earns}), 0)::float8 as total_revenue_minor,
           coalesce(sum(total_minor) filter (where ${earns} and placed_at >= ${monthAgo}), 0)::float8
             as revenue_30_days_minor,
           coalesce(sum(total_minor) filter (
             where ${earns} and placed_at >= ${twoMonthsAgo} and placed_at < ${monthAgo}), 0)::float8
             as revenue_previous_30_days_minor
    from orders o where deleted_at is null`
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
