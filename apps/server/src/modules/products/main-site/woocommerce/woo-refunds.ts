import { fieldOf } from '../main-site-answer.ts'

/** The lines and amounts of an order, before or after refunds. */
export interface WooAmounts {
  lines: readonly {
    id: unknown
    sku: string
    name: string
    quantity: number
    unit_price: number
    /** The price of all pieces of the line after discounts, without tax. */
    paid: number
  }[]
  total: number
  shipping: number
  surcharge: number
  /** The part of the surcharge that was kept from refunds. */
  kept: number
  tax: number
  discount: number
}

const listIn = (body: unknown, name: string): unknown[] => {
  const list = fieldOf(body, name)
  return Array.isArray(list) ? list : []
}

/** Returns an amount of a refund as a positive number. The shop writes these amounts as negative numbers. */
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

/** Returns whether an order has refunds. The order itself lists only their ids and amounts. */
export const hasWooRefunds = (order: unknown): boolean => listIn(order, 'refunds').length > 0

/** Returns whether a list of refunds contains all refunds that the order lists. */
export function hasAllWooRefunds(order: unknown, details: readonly unknown[]): boolean {
  const ids = new Set(details.map((refund) => fieldOf(refund, 'id')))
  return listIn(order, 'refunds').every((refund) => ids.has(fieldOf(refund, 'id')))
}

/**
 * Returns the money that the shop keeps of refunded pieces, for example because they came back used: their price after
 * discounts, minus the money that was refunded for their lines, and minus the money that was refunded for no line.
 */
function keptMoney(
  lines: WooAmounts['lines'],
  refunds: readonly unknown[],
  items: Map<number, unknown[]>,
): number {
  const ofLines = lines.reduce((sum, { id, quantity, paid }) => {
    const refunded = items.get(Number(id)) ?? []
    const pieces = Math.min(quantity, sumIn(refunded, 'quantity'))
    return sum + Math.max(0, (quantity > 0 ? (paid * pieces) / quantity : 0) - sumIn(refunded, 'total'))
  }, 0)
  const ofRefund = (refund: unknown) => {
    const parts = ['line_items', 'shipping_lines', 'fee_lines'].flatMap((name) => listIn(refund, name))
    return Math.max(0, sizeIn(refund, 'amount') - sumIn(parts, 'total') - sumIn(parts, 'total_tax'))
  }
  return Math.max(0, ofLines - refunds.reduce<number>((sum, refund) => sum + ofRefund(refund), 0))
}

/** Returns the details of those refunds that the order lists. The shop may have made others since it sent the order. */
function refundsOf(order: unknown, details: readonly unknown[]): unknown[] {
  const ids = new Set(listIn(order, 'refunds').map((refund) => fieldOf(refund, 'id')))
  return details.filter((refund) => ids.has(fieldOf(refund, 'id')))
}

const itemsOf = (refunds: readonly unknown[]): unknown[] =>
  refunds.flatMap((refund) => listIn(refund, 'line_items'))

/** Returns the refunds of an order, earliest first, each with the kept money and the discount after it. */
export function amountsAfterRefunds(
  before: WooAmounts,
  order: unknown,
  details: readonly unknown[],
  rounded: (amount: number) => number,
): { refund: unknown; kept: number; discount: number }[] {
  const timeOf = (refund: unknown) => String(fieldOf(refund, 'date_created_gmt'))
  const refunds = refundsOf(order, details).toSorted((a, b) => (timeOf(a) < timeOf(b) ? -1 : 1))
  return refunds.map((refund, index) => {
    const upto = refunds.slice(0, index + 1)
    const ids = new Set(upto.map((each) => fieldOf(each, 'id')))
    const named = listIn(order, 'refunds').filter((each) => ids.has(fieldOf(each, 'id')))
    const { discount } = subtractWooRefunds(before, { refunds: named }, upto, rounded)
    const kept = keptMoney(before.lines, upto, Map.groupBy(itemsOf(upto), refundedLineOf))
    return { refund, kept, discount }
  })
}

/**
 * Subtracts refunds from an order, because the shop does not change the lines and the total after a refund. `details`
 * is the shop's list of the refunds. Refunds that the order does not list yet are left out, because they belong to a
 * later version of the order. `rounded` rounds an amount to the decimals of the currency.
 *
 * Money that was refunded for pieces, shipping, fees or tax lowers that amount. All other refunded money becomes a
 * discount on the pieces that are left, up to their price, so that their revenue is never below zero. Any more of it
 * lowers the shipping, the surcharge and the tax. If the shop refunds less than the price of the refunded pieces, the
 * rest becomes a surcharge, like a restocking fee; `kept` is this amount. The amounts always add up to what the
 * customer has paid and not got back.
 */
export function subtractWooRefunds(
  before: WooAmounts,
  order: unknown,
  details: readonly unknown[],
  rounded: (amount: number) => number,
): WooAmounts {
  const named = listIn(order, 'refunds')
  const refunds = refundsOf(order, details)
  const items = itemsOf(refunds)
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
  const kept = keptMoney(before.lines, refunds, pieces)
  const shipping = Math.max(0, before.shipping - sumIn(shippingLines, 'total'))
  const surcharge = Math.max(0, before.surcharge - sumIn(fees, 'total')) + kept
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
  const discount = Math.max(0, before.discount - explained + before.total - total)
  const ofPieces = Math.min(discount, Math.max(before.discount, valueOf(lines)))
  let rest = discount - ofPieces
  /** Subtracts as much of the remaining refund as possible from an amount, and returns the rest of the amount. */
  const lower = (amount: number) => {
    const part = Math.min(rest, amount)
    rest -= part
    return rounded(amount - part)
  }
  const lowered = { shipping: lower(shipping), surcharge: lower(surcharge), tax: lower(tax) }
  return {
    lines,
    total: rounded(total),
    ...lowered,
    kept: Math.min(rounded(kept), lowered.surcharge),
    discount: rounded(ofPieces + rest),
  }
}
