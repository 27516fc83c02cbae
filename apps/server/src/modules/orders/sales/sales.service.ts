import { fromMinor } from '@pegasus/contracts/money'
import { ORDER_SOURCES } from '@pegasus/contracts/orders/orders'
import {
  type OrderEarnings,
  type Sale,
  type SalesGroup,
  type SalesRow,
} from '@pegasus/contracts/orders/sales'
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
  readOrderCost,
  readSales,
} from './sales.queries.ts'

/**
 * Reports about sales. `report` and `list` throw INVALID_INPUT for an unknown time zone, and for a period
 * that ends before it begins.
 */
export interface Sales {
  report(by: SalesGroup, period: AskedPeriod): Promise<SalesRow[]>
  /** Lists the lines behind a number of the report, latest first. */
  list(lines: SoldLinesChoice, period: AskedPeriod): Promise<Sale[]>
  /** Returns the earnings of one order. Throws ORDER_NOT_FOUND. */
  ofOrder(id: string): Promise<OrderEarnings>
}

export function createSales(deps: { database: Database; clock: Clock; currency: string }): Sales {
  const { database, clock, currency } = deps
  const { sql } = database

  const readPeriod = (asked: AskedPeriod): SalesPeriod => ({
    ...reportPeriodOf(asked, clock.now()),
    currency,
  })

  const present = ({
    revenue_minor: revenue,
    cost_minor: cost,
    fees_minor: fees,
    ...counts
  }: EarningsRow) => ({
    ...counts,
    revenue: fromMinor(revenue, currency),
    cost: fromMinor(cost, currency),
    fees: fromMinor(fees, currency),
    margin: fromMinor(revenue - cost - fees, currency),
  })

  return {
    async report(by, asked) {
      const rows = await readSales(sql, readPeriod(asked), by)
      return rows.map(({ key, label, orders, ...row }) => ({
        key,
        label: by === 'shop' ? (ORDER_SOURCES[label] ?? label) : label,
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
      const [order, kept] = await Promise.all([findOrder(sql, id), readOrderCost(sql, id)])
      if (!order || !kept) throw new AppError('ORDER_NOT_FOUND')
      const { total_minor: total } = order
      const [tax, shipping, fees] = [order.tax_minor ?? 0, order.shipping_minor ?? 0, order.fee_minor ?? 0]
      const { cost_minor: cost, pieces_without_cost } = kept
      const amount = (minor: number) => fromMinor(minor, order.currency)
      return {
        currency: order.currency,
        total: amount(total),
        tax: amount(tax),
        shipping: amount(shipping),
        fees: amount(fees),
        cost: amount(cost),
        pieces_without_cost,
        margin: pieces_without_cost === 0 ? amount(total - tax - shipping - fees - cost) : null,
      }
    },
  }
}
