import * as z from 'zod/mini'
import { declareEndpoints } from '../endpoint.ts'
import { nullable, timestamp } from '../fields.ts'

const { get } = declareEndpoints('orders', { notFound: 'ORDER_NOT_FOUND' })

export const SALES_GROUPS = ['month', 'product', 'shop'] as const
export type SalesGroup = (typeof SALES_GROUPS)[number]

/** The name of the report's lines for money that the shop kept when it refunded pieces. They belong to no product. */
export const KEPT_MONEY = 'Kept from refunds'

const DAY = /^\d{4}-\d\d-\d\d$/
/** A day of the calendar, such as `2026-11-23`. */
const day = (name: string) =>
  z.optional(
    z.string().check(
      z.refine((text) => {
        const date = new Date(`${text}T00:00:00Z`)
        return DAY.test(text) && !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text)
      }, `${name} must be a day such as 2026-11-23`),
    ),
  )

/** A period that includes both days. The default is the last twelve months up to today. */
export const reportPeriod = {
  from: day('from'),
  to: day('to'),
  /** Time zone of the days, such as `Europe/Vienna`. */
  time_zone: z._default(z.string().check(z.maxLength(64, 'time_zone is too long')), 'UTC'),
}

/** The earnings from shipped pieces. Amounts are in the shop's currency. */
const earnings = {
  /**
   * Price of the shipped pieces in their orders, minus their share of the discount on the day of the shipment, minus
   * returned pieces. It also includes money that the shop kept when it refunded pieces, such as a cancellation fee,
   * from the day of the refund. As long as the customer still has the refunded pieces, this money is not counted.
   */
  revenue: z.number(),
  /**
   * Cost of the shipped pieces on the day of their shipment. Pieces that were returned to stock are left out. Returned
   * pieces that were scrapped are included.
   */
  cost: z.number(),
  /**
   * The share of the shipped pieces, by value, in the fees of shops and payment providers. It is fixed when the pieces
   * are shipped. Later changes of the fees count on the day of the change. So does the rest of the fees if an order
   * ends without some of its pieces. If a cancelled order earned only money that was kept from a refund, its fees count
   * together with this money.
   */
  fees: z.number(),
  /** Postage of the parcels. If it is entered or corrected later, the difference counts on the day of that change. */
  postage: z.number(),
  /**
   * The share of the parcels with known postage in the shipping that customers paid, by the value of the pieces. The
   * rest of the shipping is left out, because the postage of the other parcels is not counted either.
   */
  shipping_income: z.number(),
  /** `revenue` plus `shipping_income` minus `cost`, `fees` and `postage`. */
  margin: z.number(),
  /** Number of shipped pieces. */
  pieces: z.number(),
  /** Number of returned pieces. */
  returns: z.number(),
  /** Number of shipped pieces with an unknown cost. `cost` includes 0 for each of them. */
  pieces_without_cost: z.number(),
}

const salesRow = z.object({
  /** The key of the row: the month (`2026-11`), the SKU, the source of the orders, or `Kept from refunds`. */
  key: z.string(),
  /** The display name of the row. */
  label: z.string(),
  ...earnings,
  orders: z.number(),
})
export type SalesRow = z.output<typeof salesRow>

const by = z._default(z.enum(SALES_GROUPS, `by must be one of ${SALES_GROUPS.join(', ')}`), 'month')

export const getSalesReport = get('/api/reports/sales', 'staff', {
  summary:
    'Sales by month, product or shop: pieces when they are shipped, and money kept from refunds; CSV with `Accept: text/csv`',
  query: z.object({ ...reportPeriod, by }),
  returns: z.array(salesRow),
  alsoSends: 'text/csv; charset=utf-8',
})

/**
 * Figures of one order line: pieces that were shipped or returned together, the postage of a parcel, a later correction
 * of discount or fees, or a change of the money that was kept from a refund. Only shipped and returned lines have
 * pieces. Kept money has no SKU, and its name is `Kept from refunds`.
 */
const sale = z.object({
  at: timestamp,
  order_id: z.uuid(),
  order_number: z.string(),
  sku: z.string(),
  name: z.string(),
  ...earnings,
})
export type Sale = z.output<typeof sale>

/** Maximum number of lines in a JSON response. CSV contains all lines. */
export const MAX_SALES = 1000

/** The figures that each line of the report has. */
export const LINE_FIGURES = [
  'pieces',
  'returns',
  'revenue',
  'cost',
  'fees',
  'postage',
  'shipping_income',
  'margin',
  'pieces_without_cost',
] as const

/** The figures of the report. Each is a sum over the lines that `listSales` returns for this `figure`. */
export const SALES_FIGURES = ['orders', ...LINE_FIGURES] as const
export type SalesFigure = (typeof SALES_FIGURES)[number]

export const listSales = get('/api/reports/sales/lines', 'staff', {
  summary: `The shipped and returned lines, and the money kept from refunds, that make up a figure of the report, latest first, at most ${MAX_SALES}; the complete list as CSV with \`Accept: text/csv\``,
  query: z.object({
    ...reportPeriod,
    by,
    /** The key of a row of the report. The default is all rows, which add up to the totals of the report. */
    key: z.optional(z.string().check(z.maxLength(500, 'key is too long'))),
    /**
     * Lists only lines that are part of this figure. `orders` selects the shipped lines. `revenue` and `margin` select
     * all lines, so that their other figures also add up to the row of the report. The default is all lines.
     */
    figure: z.optional(z.enum(SALES_FIGURES, `figure must be one of ${SALES_FIGURES.join(', ')}`)),
  }),
  returns: z.array(sale),
  alsoSends: 'text/csv; charset=utf-8',
})

const orderEarnings = z.object({
  currency: z.string(),
  /** The total of the order. */
  total: z.number(),
  tax: z.number(),
  /**
   * Shipping that the customer paid. Most of it goes to the carrier, so only `shipping_income` is part of the earnings.
   * The tax goes to the state.
   */
  shipping: z.number(),
  ...earnings,
  /** The part of `revenue` that the shop kept when it refunded pieces. */
  kept: z.number(),
  /**
   * Calculated as in the sales report. Null before the first shipment, unless money was kept from a refund. Null, too,
   * while `pieces_without_cost` is above 0.
   */
  margin: nullable.number,
  /** Number of shipments whose postage is unknown. */
  parcels_without_postage: z.number(),
  /** Number of pieces that are still to be shipped. They are not part of the other figures. */
  pieces_to_ship: z.number(),
})
export type OrderEarnings = z.output<typeof orderEarnings>

export const getOrderEarnings = get('/api/orders/:id/earnings', 'staff', {
  summary:
    'Earnings of an order from its shipped pieces and from money kept from refunds, as the sales report counts them',
  returns: orderEarnings,
})
