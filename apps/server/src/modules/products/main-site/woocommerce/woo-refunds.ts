import { fieldOf } from '../main-site-answer.ts'

/** The lines and amounts of an order, before or after refunds. */
export interface WooAmounts {
  lines: readonly { id: unknown; sku: string; name: string; quantity: number; unit_price: number }[]
  total: number
  shipping: number
  surcharge: number
  tax: number
  discount: number
}

const listIn = (body: unknown, name: string): unknown[] => {
  const list = fieldOf(body, name)
  return Array.isArray(list) ? list : []
}

/** Returns an amount of a refund as a positive number. The shop sends negative numbers. */
const sizeIn = (body: unknown, name: string): number => Math.abs(Number(fieldOf(body, name) ?? 0)) || 0

const sumIn = (bodies: readonly unknown[], name: string): number =>
  bodies.reduce<number>((sum, body) => sum + sizeIn(body, name), 0)

/** Returns the id of the order line to which a refund line belongs. */
const refundedLineOf = (line: unknown): number =>
  Number(
    fieldOf(
      listIn(line, 'meta_data').find((meta) => fieldOf(meta, 'key') === '_refunded_item_id'),
      'value',
    ),
  )

/** Returns whether an order has refunds. The order itself contains only their amounts. */
export const hasWooRefunds = (order: unknown): boolean => listIn(order, 'refunds').length > 0

/**
 * Subtracts refunds from an order, because the shop leaves the lines and the total unchanged after a refund.
 * `details` is the shop's list of the refunds. A refund that the order does not list yet is left out, because
 * it belongs to a later version of the order. The part of a refund that is not for pieces, shipping, fees or tax
 * changes the discount, so that the amounts still add up. `rounded` rounds an amount to the decimals of the
 * currency.
 */
export function subtractWooRefunds(
  before: WooAmounts,
  order: unknown,
  details: readonly unknown[],
  rounded: (amount: number) => number,
): WooAmounts {
  const named = listIn(order, 'refunds')
  const ids = new Set(named.map((refund) => fieldOf(refund, 'id')))
  const refunds = details.filter((refund) => ids.has(fieldOf(refund, 'id')))
  const items = refunds.flatMap((refund) => listIn(refund, 'line_items'))
  const shippingLines = refunds.flatMap((refund) => listIn(refund, 'shipping_lines'))
  const fees = refunds.flatMap((refund) => listIn(refund, 'fee_lines'))
  const pieces = Map.groupBy(items, refundedLineOf)
  const lines = before.lines.map((line) => ({
    ...line,
    quantity: Math.max(0, line.quantity - sumIn(pieces.get(Number(line.id)) ?? [], 'quantity')),
  }))
  const valueOf = (all: WooAmounts['lines']): number =>
    all.reduce((sum, { quantity, unit_price: price }) => sum + quantity * price, 0)
  const total = Math.max(0, before.total - sumIn(named, 'total'))
  const shipping = Math.max(0, before.shipping - sumIn(shippingLines, 'total'))
  const surcharge = Math.max(0, before.surcharge - sumIn(fees, 'total'))
  const tax = Math.max(0, before.tax - sumIn([...items, ...shippingLines, ...fees], 'total_tax'))
  const explained =
    valueOf(before.lines) -
    valueOf(lines) +
    before.shipping -
    shipping +
    before.surcharge -
    surcharge +
    before.tax -
    tax
  return {
    lines,
    total: rounded(total),
    shipping: rounded(shipping),
    surcharge: rounded(surcharge),
    tax: rounded(tax),
    discount: rounded(Math.max(0, before.discount - explained + before.total - total)),
  }
}
