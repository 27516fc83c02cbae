import type { Queryable } from '../../platform/database/database.ts'

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
 * Open orders with lines, none of which is short. Lines of open orders take what they need of an item's free pieces: first
 * due, first placed, first numbered.
 */
const countReadyToPack = (sql: Queryable) => sql`
  with needs as (
    select l.order_id, l.item_id, l.needed_quantity, sum(l.needed_quantity) over (
             partition by l.item_id order by coalesce(o.due_at, 'infinity'), o.placed_at, o.order_number, l.position
           ) as wanted
    from order_lines l join orders o on o.id = l.order_id where l.needed_quantity > 0
  )
  select count(*) from orders ready
  where ready.deleted_at is null and ready.status in ('pending', 'in_progress')
    and exists (select from order_lines l where l.order_id = ready.id)
    and not exists (
      select from needs n left join stock_items i on i.id = n.item_id and i.deleted_at is null
      where n.order_id = ready.id and n.wanted > greatest(0, coalesce(i.available_quantity, 0)))`

/** Counts all orders, and sums those in the shop's own currency that are not cancelled. */
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
           (${countReadyToPack(sql)})::int as orders_ready_to_pack,
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

/** The days, in the time zone, on which orders were placed that are not cancelled, from `since` on. */
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
