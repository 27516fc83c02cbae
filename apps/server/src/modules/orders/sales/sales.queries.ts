import { KEPT_MONEY, type SalesFigure, type SalesGroup } from '@pegasus/contracts/orders/sales'
import type { Queryable } from '../../../platform/database/database.ts'
import type { Fragment } from '../../../platform/database/search-patterns.ts'

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
  postage_minor: number
  shipping_minor: number
  pieces: number
  returns: number
  pieces_without_cost: number
}

/**
 * Selects the events of some lines, or of all lines: shipments, their postage, corrections of their discount and fees,
 * and returns. Undone ones are left out. Each row has its time, its line, and the amounts that were stored at that
 * time.
 */
const events = (sql: Queryable, ofLines: Fragment = sql`true`) => sql`
  select s.created_at as at, p.order_line_id as line_id, p.quantity as pieces, 0 as returned, p.quantity as costed,
         p.unit_cost_minor, p.revenue_minor as revenue, p.fee_minor as fees, 0 as postage, 0 as shipping
  from shipments s join shipment_lines p on p.shipment_id = s.id where s.undone_at is null and ${ofLines}
  union all
  select c.created_at, c.order_line_id, 0, 0, 0, null, -c.discount_minor, c.fee_minor, 0, 0
  from shipment_corrections c join shipments s on s.id = c.shipment_id where s.undone_at is null and ${ofLines}
  union all
  select c.created_at, c.order_line_id, 0, 0, 0, null, 0, 0, c.postage_minor, c.shipping_minor
  from postage_entries c join shipments s on s.id = c.shipment_id where s.undone_at is null and ${ofLines}
  union all
  select r.created_at, r.order_line_id, 0, r.quantity, case r.destination when 'stock' then -r.quantity else 0 end,
         r.unit_cost_minor, -r.revenue_minor, 0, 0, 0
  from order_returns r where r.undone_at is null and ${ofLines}`

const inPeriod = (sql: Queryable, { from, to, timeZone }: SalesPeriod) => sql`
  e.at >= (${from}::date::timestamp at time zone ${timeZone}) and e.at < ((${to}::date + 1)::timestamp at time zone ${timeZone})`

/**
 * Selects the rows of the sales report that meet a condition: one row for each event of a line (shipment, postage,
 * correction or return), and one for each change of the money that an order keeps of refunded pieces, with its fees.
 * The page of an order adds up the same rows, so both compare the revenue of the shipped pieces with the cost of these
 * pieces.
 *
 * The amounts are whole minor units, which the database stored when the pieces were shipped or returned
 * (docs/decisions, record 59). Revenue is the price minus the share of the order's discount. It contains neither
 * shipping nor tax. A difference between the lines and the total that the shop does not explain is no revenue. A return
 * lowers the revenue, and also the cost if the pieces can be sold again. Record 72 describes the postage.
 */
const soldLines = (
  sql: Queryable,
  {
    currency,
    where,
    ofLines,
    ofOrder = sql`true`,
  }: { currency: Fragment; where: Fragment; ofLines?: Fragment; ofOrder?: Fragment },
) => sql`
  select e.at, e.pieces, e.returned, e.line_id, o.id as order_id, o.order_number, o.source,
         coalesce(i.sku, l.sku) as sku, coalesce(i.name, nullif(l.name, ''), l.sku) as name,
         coalesce(e.revenue, 0) as revenue, coalesce(e.unit_cost_minor * e.costed, 0) as cost, coalesce(e.fees, 0) as fees, e.postage, e.shipping,
         case when e.unit_cost_minor is null and l.ignored_at is null then e.pieces else 0 end as pieces_without_cost
  from (${events(sql, ofLines)}) e
  join order_lines l on l.id = e.line_id
  join orders o on o.id = l.order_id and o.deleted_at is null and o.currency = ${currency}
  left join stock_items i on i.id = l.item_id
  where ${where}
  union all
  select e.at, 0, 0, null, o.id, o.order_number, o.source, '', ${KEPT_MONEY}::text, e.amount_minor, 0, e.fee_minor, 0, 0, 0
  from (select order_id, amount_minor, fee_minor, created_at as at from kept_money) e
  join orders o on o.id = e.order_id and o.deleted_at is null and o.currency = ${currency}
  where ${where} and ${ofOrder}`

const soldInPeriod = (sql: Queryable, period: SalesPeriod) =>
  soldLines(sql, { currency: sql`${period.currency}`, where: inPeriod(sql, period) })

const earnings = (sql: Queryable) => sql`
  sum(revenue)::float8 as revenue_minor, sum(cost)::float8 as cost_minor, sum(fees)::float8 as fees_minor, sum(postage)::float8 as postage_minor, sum(shipping)::float8 as shipping_minor, sum(pieces)::float8 as pieces, sum(returned)::float8 as returns,
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

/** Returns the SQL condition that a row contributes to the given figure of the report. */
const isPartOf = (sql: Queryable, figure: SalesFigure | undefined) => {
  if (figure === 'returns') return sql`returned > 0`
  if (figure === 'pieces' || figure === 'orders') return sql`pieces > 0`
  if (figure === 'pieces_without_cost') return sql`pieces_without_cost > 0`
  if (figure === 'cost') return sql`cost <> 0`
  if (figure === 'fees') return sql`fees <> 0`
  if (figure === 'postage') return sql`postage <> 0`
  if (figure === 'shipping_income') return sql`shipping <> 0`
  return sql`true`
}

export interface SoldLinesChoice {
  by: SalesGroup
  /** Lists only the lines of this group. Without it, lists the lines of all groups. */
  key?: string | undefined
  figure?: SalesFigure | undefined
  /** Maximum number of lines. Null lists all lines. */
  limit: number | null
}

/** Lists the lines that add up to a figure of the report, latest first. */
export const listSoldLines = (
  sql: Queryable,
  period: SalesPeriod,
  { by, key, figure, limit }: SoldLinesChoice,
): Promise<SaleRow[]> =>
  sql<SaleRow[]>`
    select at, order_id, order_number, sku, name, revenue::float8 as revenue_minor, cost::float8 as cost_minor,
           fees::float8 as fees_minor, postage::float8 as postage_minor, shipping::float8 as shipping_minor, pieces::float8, returned::float8 as returns,
           pieces_without_cost::float8
    from (${soldInPeriod(sql, period)}) sold 
    where ${isPartOf(sql, figure)} ${key === undefined ? sql`` : sql`and ${keyOf(sql, by, period)} = ${key}`}
    order by at desc, line_id desc, order_id limit ${limit}`

/** Returns whether any month of the sales report counts money that was kept from refunds of the order. */
export async function hasKeptMoney(sql: Queryable, orderId: string): Promise<boolean> {
  const found = await sql`
    select from kept_money where order_id = ${orderId}
    group by date_trunc('month', created_at at time zone 'UTC') having sum(amount_minor) <> 0 or sum(fee_minor) <> 0`
  return found.length > 0
}

/**
 * Returns the earnings of an order in its own currency: the sums of its rows in the report, or 0 without rows.
 * `kept_minor` is the part of the revenue that was kept from refunds.
 */
export async function readOrderEarnings(
  sql: Queryable,
  orderId: string,
): Promise<EarningsRow & { kept_minor: number }> {
  const [row] = await sql<[{ [Figure in keyof EarningsRow | 'kept_minor']: number | null }]>`
    select ${earnings(sql)}, (sum(revenue) filter (where line_id is null))::float8 as kept_minor
    from (${soldLines(sql, {
      currency: sql`o.currency`,
      where: sql`true`,
      ofLines: sql`order_line_id = any (array(select id from order_lines where order_id = ${orderId}))`,
      ofOrder: sql`o.id = ${orderId}`,
    })}) sold`
  return {
    revenue_minor: row.revenue_minor ?? 0,
    cost_minor: row.cost_minor ?? 0,
    fees_minor: row.fees_minor ?? 0,
    postage_minor: row.postage_minor ?? 0,
    shipping_minor: row.shipping_minor ?? 0,
    pieces: row.pieces ?? 0,
    returns: row.returns ?? 0,
    pieces_without_cost: row.pieces_without_cost ?? 0,
    kept_minor: row.kept_minor ?? 0,
  }
}
