import type { SalesFigure, SalesGroup } from '@pegasus/contracts/orders/sales'
import type { Queryable } from '../../../platform/database/database.ts'
import { firstRow } from '../../../platform/database/first-row.ts'

/** A period of days in a time zone. The first and the last day are included. */
export interface SalesPeriod {
  from: string
  to: string
  timeZone: string
  /** Orders in another currency are left out. */
  currency: string
}

/** Earnings in minor units. */
export interface EarningsRow {
  revenue_minor: number
  cost_minor: number
  fees_minor: number
  pieces: number
  returns: number
  pieces_without_cost: number
}

/** Selects all shipped and returned pieces with their time and line. */
const events = (sql: Queryable) => sql`
  select s.created_at as at, p.order_line_id as line_id, p.quantity as pieces, 0 as returned, p.quantity as counted,
         p.quantity as costed, p.unit_cost_minor
  from shipments s join shipment_lines p on p.shipment_id = s.id where s.undone_at is null
  union all
  select r.created_at, r.order_line_id, 0, r.quantity, -r.quantity,
         case r.destination when 'stock' then -r.quantity else 0 end, r.unit_cost_minor
  from order_returns r`

const inPeriod = (sql: Queryable, { from, to, timeZone }: SalesPeriod) => sql`
  at >= (${from}::date::timestamp at time zone ${timeZone}) and at < ((${to}::date + 1)::timestamp at time zone ${timeZone})`

/**
 * Selects the shipped and returned pieces of all orders that have an event in the period, with one row for
 * each line of a shipment and for each return. The price of a set is divided equally among its pieces. The
 * discount and the fees of an order are shared among its lines by value. Only the discount for pieces that
 * the shop has not refunded counts. A return is subtracted from the revenue, and also from the cost if the
 * pieces can be sold again. Amounts are rounded to minor units, and the rounding remainder is carried over to
 * the next row of the order. Therefore the discounts in the rows of an order add up to exactly its discount,
 * and the rows behind a number in the report add up to that number.
 */
const soldLines = (sql: Queryable, period: SalesPeriod) => sql`
  select at, pieces, returned, line_id, order_id, order_number, source, sku, name, pieces_without_cost,
         round(sum(revenue) over so_far) - round(sum(revenue) over so_far - revenue) as revenue, cost,
         round(sum(fees) over so_far) - round(sum(fees) over so_far - fees) as fees
  from (
    select e.at, e.pieces, e.returned, e.line_id, o.id as order_id, o.order_number, o.source,
           coalesce(i.sku, l.sku) as sku, coalesce(i.name, nullif(l.name, ''), l.sku) as name,
           value.minor - coalesce(o.discount_minor * value.share_of_rest, 0) as revenue,
           coalesce(e.unit_cost_minor * e.costed, 0)::numeric as cost,
           case when e.pieces > 0 then coalesce(o.fee_minor * value.share, 0) else 0 end as fees,
           case when e.unit_cost_minor is null and l.ignored_at is null then e.pieces else 0 end as pieces_without_cost
    from (${events(sql)}) e
    join order_lines l on l.id = e.line_id
    join orders o on o.id = l.order_id and o.deleted_at is null and o.currency = ${period.currency}
    left join stock_items i on i.id = l.item_id
    left join order_lines whole on whole.id = l.set_line_id
    cross join lateral (
      select sum(each.quantity * each.unit_price_minor) filter (where each.part_number = 0) as ordered_minor,
             sum((each.quantity - each.refunded_quantity) * each.unit_price_minor) filter (where each.part_number = 0) as rest_minor,
             sum(each.pieces_per_set) filter (where each.set_line_id = whole.id) as pieces_of_set
      from order_lines each where each.order_id = l.order_id
    ) as whole_order
    cross join lateral (
      select e.counted * coalesce(whole.unit_price_minor::numeric / whole_order.pieces_of_set, l.unit_price_minor) as minor
    ) as priced
    cross join lateral (
      select priced.minor, priced.minor / nullif(whole_order.ordered_minor, 0) as share,
             priced.minor / nullif(whole_order.rest_minor, 0) as share_of_rest
    ) as value
    where l.order_id in (
      select sold.order_id from (${events(sql)}) happened join order_lines sold on sold.id = happened.line_id
      where ${inPeriod(sql, period)})
  ) shared
  window so_far as (partition by order_id order by at, line_id, returned rows unbounded preceding)`

/**
 * Selects the rows in the period. This filter comes last, because the shares are calculated from all rows of
 * an order.
 */
const soldInPeriod = (sql: Queryable, period: SalesPeriod) => sql`
  select * from (${soldLines(sql, period)}) rounded where ${inPeriod(sql, period)}`

const earnings = (sql: Queryable) => sql`
  sum(revenue)::float8 as revenue_minor, sum(cost)::float8 as cost_minor, sum(fees)::float8 as fees_minor, sum(pieces)::float8 as pieces, sum(returned)::float8 as returns,
  sum(pieces_without_cost)::float8 as pieces_without_cost`

/** Returns the SQL expression by which lines are grouped. */
const keyOf = (sql: Queryable, by: SalesGroup, { timeZone }: SalesPeriod) => {
  if (by === 'shop') return sql`source`
  if (by === 'product') return sql`coalesce(nullif(upper(sku), ''), name)`
  return sql`to_char(at at time zone ${timeZone}, 'YYYY-MM')`
}

const labelOf = (sql: Queryable, by: SalesGroup, { timeZone }: SalesPeriod) => {
  if (by === 'shop') return sql`min(source)`
  if (by === 'product') return sql`max(name)`
  return sql`to_char(min(at at time zone ${timeZone}), 'FMMonth YYYY')`
}

export interface SalesGroupRow extends EarningsRow {
  key: string
  label: string
  orders: number
}

/**
 * Returns the sales by group. Months are in calendar order. Products and shops are sorted by revenue, highest
 * first.
 */
export const readSales = (sql: Queryable, period: SalesPeriod, by: SalesGroup): Promise<SalesGroupRow[]> =>
  sql<SalesGroupRow[]>`
    select ${keyOf(sql, by, period)} as key, ${labelOf(sql, by, period)} as label, ${earnings(sql)},
           (count(distinct order_id) filter (where pieces > 0))::int as orders
    from (${soldInPeriod(sql, period)}) sold group by 1
    order by ${by === 'month' ? sql`1` : sql`sum(revenue) desc, 1`}`

export interface SaleRow extends EarningsRow {
  at: string
  order_id: string
  order_number: string
  sku: string
  name: string
}

/** Returns the SQL condition that a line contributes to the given number of the report. */
const isPartOf = (sql: Queryable, figure: SalesFigure | undefined) => {
  if (figure === 'returns') return sql`returned > 0`
  if (figure === 'pieces' || figure === 'orders') return sql`pieces > 0`
  if (figure === 'pieces_without_cost') return sql`pieces_without_cost > 0`
  if (figure === 'cost') return sql`cost <> 0`
  if (figure === 'fees') return sql`fees <> 0`
  if (figure === 'revenue') return sql`revenue <> 0`
  return sql`true`
}

export interface SoldLinesChoice {
  by: SalesGroup
  /** Limits the lines to one group. If it is left out, lines of all groups are listed. */
  key?: string | undefined
  figure?: SalesFigure | undefined
  /** Maximum number of lines. Null lists all lines. */
  limit: number | null
}

/** Lists the lines behind a number of the report, latest first. */
export const listSoldLines = (
  sql: Queryable,
  period: SalesPeriod,
  { by, key, figure, limit }: SoldLinesChoice,
): Promise<SaleRow[]> =>
  sql<SaleRow[]>`
    select at, order_id, order_number, sku, name, revenue::float8 as revenue_minor, cost::float8 as cost_minor,
           fees::float8 as fees_minor, pieces::float8, returned::float8 as returns,
           pieces_without_cost::float8
    from (${soldInPeriod(sql, period)}) sold 
    where ${isPartOf(sql, figure)} ${key === undefined ? sql`` : sql`and ${keyOf(sql, by, period)} = ${key}`}
    order by at desc, line_id desc limit ${limit}`

/**
 * Returns the saved cost of an order's shipped pieces, and the number of pieces without a cost. Returns null
 * if there is no such order.
 */
export async function readOrderCost(
  sql: Queryable,
  orderId: string,
): Promise<{ cost_minor: number; pieces_without_cost: number } | null> {
  return firstRow(sql<{ cost_minor: number; pieces_without_cost: number }[]>`
    select coalesce(sum(shipped.cost - coalesce(back.cost, 0)), 0)::float8 as cost_minor,
           coalesce(sum(greatest(0, l.quantity - coalesce(shipped.costed, 0))), 0)::float8 as pieces_without_cost
    from orders o
    left join order_lines l on l.order_id = o.id and not l.is_set and l.ignored_at is null
    left join lateral (
      select coalesce(sum(p.quantity * p.unit_cost_minor), 0) as cost,
             sum(p.quantity) filter (where p.unit_cost_minor is not null) as costed
      from shipment_lines p join shipments s on s.id = p.shipment_id
      where p.order_line_id = l.id and s.undone_at is null
    ) shipped on true
    left join lateral (
      select sum(r.quantity * r.unit_cost_minor) as cost from order_returns r
      where r.order_line_id = l.id and r.destination = 'stock'
    ) back on true
    where o.id = ${orderId} and o.deleted_at is null group by o.id`)
}
