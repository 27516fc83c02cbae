import { fieldOf } from '../main-site-answer.ts'
import type { ShopOrder } from '../shop-orders.ts'
import { skuOfName } from '../sku-of-name.ts'
import { readPaymentFee, readWooSurcharges } from './woo-fees.ts'
import { amountsAfterRefunds, hasWooRefunds, subtractWooRefunds, type WooAmounts } from './woo-refunds.ts'
import { roundingRestOf, withRoundingRest } from './woo-rounding.ts'

/** Statuses of orders that are not imported: a shopping cart, or an order that is not paid yet. */
const LEFT_OUT: readonly string[] = ['', 'pending', 'checkout-draft', 'auto-draft']

/** Our status for each status of WooCommerce itself. */
const STATUSES: Readonly<Record<string, string>> = {
  'on-hold': 'on_hold',
  processing: 'pending',
  completed: 'completed',
  cancelled: 'cancelled',
  refunded: 'cancelled',
  failed: 'cancelled',
  trash: 'cancelled',
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value.trim() : '')
/** Returns a text field without spaces at its ends, or an empty text. */
export const textIn = (body: unknown, name: string): string => textOf(fieldOf(body, name))
const amountIn = (body: unknown, name: string): number => Number(fieldOf(body, name) ?? 0)

/** Returns a time as ISO text in UTC, with an offset. The shop writes UTC times without an offset. */
export const momentIn = (body: unknown, name: string): string | undefined => {
  const text = textIn(body, name)
  return text === '' ? undefined : /[zZ]|[+-]\d\d:?\d\d$/.test(text) ? text : `${text}Z`
}

/** Returns a field that is a list, or an empty list. */
export const listIn = (body: unknown, name: string): unknown[] => {
  const list = fieldOf(body, name)
  return Array.isArray(list) ? list : []
}

function addressIn(order: unknown) {
  const [shipping, billing] = [fieldOf(order, 'shipping'), fieldOf(order, 'billing')]
  // A shop that does not ship leaves the shipping address empty.
  const address = textIn(shipping, 'address_1') === '' ? billing : shipping
  return {
    name: [textIn(address, 'first_name'), textIn(address, 'last_name')].filter(Boolean).join(' '),
    company: textIn(address, 'company'),
    line1: textIn(address, 'address_1'),
    line2: textIn(address, 'address_2'),
    postal_code: textIn(address, 'postcode'),
    city: textIn(address, 'city'),
    region: textIn(address, 'state'),
    country: textIn(address, 'country') || null,
    phone: textIn(shipping, 'phone') || textIn(billing, 'phone'),
  }
}

/** Returns our status for an order. Returns undefined for a status of an order that is not imported, or of a plugin. */
export const statusIn = (order: unknown): string | undefined => STATUSES[textIn(order, 'status')]

const isLeftOut = (order: unknown): boolean => LEFT_OUT.includes(textIn(order, 'status'))

/**
 * Returns whether the shop has cancelled the order. The refunds of such an order show how much money the shop keeps.
 */
export const isCancelledIn = (order: unknown): boolean => textIn(order, 'status') === 'cancelled'

/**
 * Returns whether the refunds of an order must be read. A fully refunded order is cancelled anyway, and needs no
 * refunds.
 */
export const needsRefunds = (order: unknown): boolean =>
  hasWooRefunds(order) && !isLeftOut(order) && (statusIn(order) !== 'cancelled' || isCancelledIn(order))

const priceOf = (lines: readonly { quantity: number; unit_price: number }[]): number =>
  lines.reduce((sum, line) => sum + line.quantity * line.unit_price, 0)

/**
 * Returns the money that the shop keeps of refunded pieces, or null if there is none. Returns undefined if it is
 * unknown, because the refunds were not read.
 */
function keptIn(
  order: unknown,
  refunds: readonly unknown[],
  { kept }: WooAmounts,
): number | null | undefined {
  if (textIn(order, 'status') === 'refunded') return null
  return hasWooRefunds(order) && refunds.length === 0 ? undefined : kept || null
}

/**
 * Returns the SKU of a line. A line without a SKU gets one that people can map: from the shop's ids of its product and
 * variation (`woo:7`, `woo:7:42`) or, if the item is not in the shop's catalog, from its name (`woo:gift wrap`).
 */
function skuOf(line: unknown): string {
  const sku = textIn(line, 'sku')
  if (sku) return sku
  const ids = ['product_id', 'variation_id'].map((name) => amountIn(line, name)).filter((id) => id > 0)
  return ids.length > 0 ? `woo:${ids.join(':')}` : skuOfName('woo', textIn(line, 'name'))
}

/**
 * Converts a WooCommerce order to our field names. Returns null for an order that is not paid yet. `decimals` is the
 * number of decimals of the currency. `refunds` is the shop's list of the order's refunds. An order whose pieces were
 * all refunded is cancelled, and keeps its lines and their amounts. A plugin's status, such as `packing`, says nothing
 * about the work here, so the order gets no status (`is_status_unknown`). A new order is then open, unless it is from
 * before the first comparison, and a known order keeps its status.
 */
export function readWooOrder(
  order: unknown,
  decimals: number,
  refunds: readonly unknown[] = [],
): ShopOrder | null {
  const status = statusIn(order)
  const id = fieldOf(order, 'id')
  if (isLeftOut(order) || typeof id !== 'number') return null
  const billing = fieldOf(order, 'billing')
  const rounded = (amount: number): number => Number(amount.toFixed(decimals))
  const ofFees = readWooSurcharges(order)
  const fee = readPaymentFee(order)
  const items = listIn(order, 'line_items').map((line) => {
    const quantity = amountIn(line, 'quantity')
    return {
      id: fieldOf(line, 'id'),
      sku: skuOf(line),
      name: textIn(line, 'name'),
      quantity,
      // The price before discounts, because the order has one discount for all lines.
      unit_price: rounded(quantity > 0 ? amountIn(line, 'subtotal') / quantity : 0),
      paid: amountIn(line, 'total'),
    }
  })
  const ordered: WooAmounts = {
    total: amountIn(order, 'total'),
    tax: amountIn(order, 'total_tax'),
    surcharge: rounded(ofFees.surcharge),
    kept: 0,
    ...withRoundingRest(
      {
        shipping: amountIn(order, 'shipping_total'),
        discount: amountIn(order, 'discount_total') + ofFees.discount,
      },
      roundingRestOf(order, items),
      rounded,
    ),
    lines: items,
  }
  const left = refunds.length > 0 ? subtractWooRefunds(ordered, order, refunds, rounded) : ordered
  const isGone = ({ quantity }: WooAmounts['lines'][number]) => left !== ordered && quantity === 0
  const isOver = isCancelledIn(order) || (left.lines.length > 0 && left.lines.every(isGone))
  const { lines, total, shipping, surcharge, tax, discount } = isOver ? ordered : left
  const remaining = lines.filter((line) => isOver || !isGone(line))
  const isMoneyReturned = textIn(order, 'status') === 'refunded'
  const changedAt = momentIn(order, 'date_modified_gmt')
  const afterRefunds = amountsAfterRefunds(ordered, order, refunds, rounded).map(
    ({ refund, ...amounts }) => ({
      at: momentIn(refund, 'date_created_gmt'),
      ...amounts,
    }),
  )
  return {
    order_number: textIn(order, 'number') || String(id),
    external_id: String(id),
    status: isOver ? 'cancelled' : status,
    is_status_unknown: !isOver && status === undefined,
    // The shop sets this status when the whole total is refunded, whether or not the pieces come back.
    is_money_returned: isMoneyReturned,
    customer_name: [textIn(billing, 'first_name'), textIn(billing, 'last_name')].filter(Boolean).join(' '),
    customer_email: textIn(billing, 'email') || null,
    shipping_address: addressIn(order),
    currency: textIn(order, 'currency') || undefined,
    total_amount: total,
    shipping_amount: shipping,
    surcharge_amount: surcharge,
    kept_amount: keptIn(order, refunds, left),
    kept_after: afterRefunds.map(({ at, kept }) => ({ at, amount: rounded(kept) })),
    discount_after: isMoneyReturned
      ? [{ at: changedAt, amount: rounded(priceOf(items)) }]
      : afterRefunds.map(({ at, discount: amount }) => ({ at, amount })),
    tax_amount: tax,
    discount_amount: discount,
    // If the shop reports no fee, a fee that a person entered is kept.
    ...(fee !== undefined && { fee_amount: rounded(fee) }),
    placed_at: momentIn(order, 'date_created_gmt'),
    changed_at: changedAt,
    notes: textIn(order, 'customer_note') || null,
    items: remaining.map(({ id: _id, paid: _paid, ...line }) => line),
    line_ids: remaining.map(({ id: lineId }) => String(lineId)),
    // The shop takes the SKU of a line from its product, so the line loses its SKU when the product is deleted.
    line_skus: listIn(order, 'line_items').map((line) => ({
      line_id: String(amountIn(line, 'id')),
      sku: skuOf(line),
      name: textIn(line, 'name'),
      is_derived: textIn(line, 'sku') === '',
    })),
    refunded_skus: isOver ? [] : lines.filter(isGone).map(({ sku }) => sku),
  }
}
