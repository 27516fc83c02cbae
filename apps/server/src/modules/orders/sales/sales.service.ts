import { fromMinor } from '@pegasus/contracts/money'
import { ORDER_SOURCES, isOrderSource } from '@pegasus/contracts/orders/orders'
import {
  type OrderEarnings,
  type Sale,
  type SalesGroup,
  type SalesRow,
} from '@pegasus/contracts/orders/sales'
import { isFinishedOrder } from '@pegasus/contracts/statuses'
import { type AskedPeriod, reportPeriodOf } from '../../../platform/calendar.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database/database.ts'
import { AppError } from '../../../platform/errors/app-error.ts'
import { findOrder } from '../orders.queries.ts'
import {
  type EarningsRow,
  type SalesPeriod,
  type SoldLinesChoice,
  listSoldLines,
  readOrderEarnings,
  readSales,
} from './sales.queries.ts'

/**
 * Reports about sales. `report` and `list` throw INVALID_INPUT for an unknown time zone, and for a period
 * that ends before it begins.
 */
export interface Sales {
  report(by: SalesGroup, period: AskedPeriod): Promise<SalesRow[]>
  /** Lists the lines that add up to a figure of the report, latest first. */
  list(lines: SoldLinesChoice, period: AskedPeriod): Promise<Sale[]>
  /** Returns the earnings of one order, by the same rules as in the report. Throws ORDER_NOT_FOUND. */
  ofOrder(id: string): Promise<OrderEarnings>
}

export function createSales(deps: { database: Database; clock: Clock; currency: string }): Sales {
  const { database, clock, currency } = deps
  const { sql } = database

  const readPeriod = (asked: AskedPeriod): SalesPeriod => ({
    ...reportPeriodOf(asked, clock.now()),
    currency,
  })

  const present = (
    {
      revenue_minor: revenue,
      cost_minor: cost,
      fees_minor: fees,
      postage_minor: postage,
      shipping_minor: shipping,
      ...counts
    }: EarningsRow,
    of = currency,
  ) => ({
    ...counts,
    revenue: fromMinor(revenue, of),
    cost: fromMinor(cost, of),
    fees: fromMinor(fees, of),
    postage: fromMinor(postage, of),
    shipping_income: fromMinor(shipping, of),
    margin: fromMinor(revenue + shipping - cost - fees - postage, of),
  })

  return {
    async report(by, asked) {
      const rows = await readSales(sql, readPeriod(asked), by)
      return rows.map(({ key, label, orders, ...row }) => ({
        key,
        label: by === 'shop' && isOrderSource(label) ? ORDER_SOURCES[label] : label,
        orders,
        ...present(row),
      }))
    },

    async list(lines, asked) {
      const rows = await listSoldLines(sql, readPeriod(asked), lines)
      return rows.map(({ at, order_id, order_number, sku, name, ...row }) => ({
        at,
        order_id,
        order_number,
        sku,
        name,
        ...present(row),
      }))
    },

    async ofOrder(id) {
      const [order, { kept_minor: kept, ...sold }] = await Promise.all([
        findOrder(sql, id),
        readOrderEarnings(sql, id),
      ])
      if (!order) throw new AppError('ORDER_NOT_FOUND')
      const amount = (minor: number | null) => fromMinor(minor ?? 0, order.currency)
      const figures = present(sold, order.currency)
      const pieces = order.lines.filter((line) => !line.is_set && !line.is_ignored)
      const isFinished = isFinishedOrder(order.status)
      return {
        currency: order.currency,
        total: amount(order.total_minor),
        tax: amount(order.tax_minor),
        shipping: amount(order.shipping_minor),
        ...figures,
        kept: amount(kept),
        margin:
          (sold.pieces > 0 || sold.revenue_minor > 0) && sold.pieces_without_cost === 0
            ? figures.margin
            : null,
        parcels_without_postage: order.shipments.filter((shipment) => shipment.postage_minor === null).length,
        pieces_to_ship: isFinished
          ? 0
          : pieces.reduce((sum, line) => sum + Math.max(0, line.quantity - line.shipped_quantity), 0),
      }
    },
  }
}
