import { withoutTaxInPrices } from '../included-tax.ts'
import { fieldOf } from '../main-site-answer.ts'
import type { ShopOrder } from '../shop-orders.ts'
import { skuOfName } from '../sku-of-name.ts'
import { amountsOfRemoved, discountOfRemoved, roundIn, settleAmounts } from './shopify-amounts.ts'

const textOf = (value: unknown): string => (typeof value === 'string' ? value.trim() : '')
export const textIn = (body: unknown, name: string): string => textOf(fieldOf(body, name))
export const numberText = (value: unknown): string => (typeof value === 'number' ? String(value) : '')
export const numberIn = (body: unknown, name: string): number => Number(fieldOf(body, name) ?? 0)
export const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])
export const nodesIn = (body: unknown, name: string): unknown[] =>
  listOf(fieldOf(fieldOf(body, name), 'nodes'))
/** Returns an amount in the shop's currency, or 0. */
export const moneyIn = (body: unknown, name: string): number =>
  Number(fieldOf(fieldOf(fieldOf(body, name), 'shopMoney'), 'amount') ?? 0)

/**
 * Returns our status for an order, or null while the order waits for its payment. A sent order stays completed after a
 * full refund of its money if no pieces were refunded, because the customer keeps the pieces.
 */
function statusOf(isCancelled: boolean, paid: string, sent: string): string | null {
  if (isCancelled || (paid === 'REFUNDED' && sent !== 'FULFILLED') || paid === 'VOIDED') return 'cancelled'
  if (sent === 'FULFILLED') return 'completed'
  return paid === 'PENDING' || paid === 'EXPIRED' ? null : 'pending'
}

/** Returns the last part of an id such as `gid://shopify/Order/450789469`. */
const idOf = (gid: string): string => gid.split('/').at(-1) ?? gid

/** The fields of a line that identify what was sold, for `skuOf` and `lineIdOf`. They cost two points of a query. */
export const SOLD = 'id sku name variant { id } product { id }'

/** Returns the shop's id of a line, or an empty text. */
export const lineIdOf = (line: unknown): string => idOf(textIn(line, 'id'))

/**
 * Returns the SKU of a line. A line without one gets a SKU that people can map, from the shop's id of its variant or
 * product or, outside the shop's catalog, from its name: `shopify:42`, `shopify:product:7`, `shopify:gift wrap`.
 */
export function skuOf(line: unknown): string {
  const sku = textIn(line, 'sku')
  const [variant, product] = ['variant', 'product'].map((name) => idOf(textIn(fieldOf(line, name), 'id')))
  if (sku || variant) return sku || `shopify:${variant}`
  return product ? `shopify:product:${product}` : skuOfName('shopify', textIn(line, 'name'))
}

/**
 * Returns the sum of a line's tax rates, for example 0.19. Rates without an amount do not count: the customer is exempt
 * from them.
 */
const taxRateOf = (line: unknown): number =>
  listOf(fieldOf(line, 'taxLines'))
    .filter((tax) => moneyIn(tax, 'priceSet') > 0)
    .reduce<number>((sum, tax) => sum + numberIn(tax, 'rate'), 0)

/** Returns the tax rate of the shipping: the average of the shipping lines, weighted by their prices. */
function shippingRateOf(order: unknown): number {
  const lines = nodesIn(order, 'shippingLines').map((line) => ({
    price: moneyIn(line, 'originalPriceSet'),
    rate: taxRateOf(line),
  }))
  const gross = lines.reduce((sum, { price }) => sum + price, 0)
  const net = lines.reduce((sum, { price, rate }) => sum + price / (1 + rate), 0)
  return net > 0 ? gross / net - 1 : 0
}

/**
 * Returns the lines of an order without its tips. Shopify also lists a tip as a line: without a SKU, variant and
 * product, and not to be shipped. Gift wrap can look the same, so the price must be that of the tips. A tip is part of
 * the surcharge, because nobody can pack it.
 */
function linesIn(order: unknown): unknown[] {
  const lines = nodesIn(order, 'lineItems')
  const tips = moneyIn(order, 'totalTipReceivedSet')
  const idsOf = (line: unknown) => ['variant', 'product'].map((name) => textIn(fieldOf(line, name), 'id'))
  const likely = lines.filter(
    (line) =>
      fieldOf(line, 'requiresShipping') === false &&
      [textIn(line, 'sku'), ...idsOf(line)].every((text) => text === ''),
  )
  const areTips = (some: readonly unknown[]) => {
    const price = some.reduce<number>(
      (sum, line) => sum + numberIn(line, 'quantity') * moneyIn(line, 'originalUnitPriceSet'),
      0,
    )
    return price > 0 && roundIn(textIn(order, 'currencyCode'), price - tips) === 0
  }
  const found = areTips(likely) ? likely : likely.filter((line) => areTips([line])).slice(0, 1)
  return lines.filter((line) => !found.includes(line))
}

/**
 * Reads the lines of an order without removed and refunded pieces, and the pieces that were sent. If no pieces are
 * left, the order is over, and its lines keep their ordered quantities.
 */
function readLines(order: unknown) {
  const lines = linesIn(order).map((line) => ({
    left: numberIn(line, 'currentQuantity'),
    lineId: lineIdOf(line),
    isDerived: textIn(line, 'sku') === '',
    line: {
      sku: skuOf(line),
      name: textIn(line, 'name'),
      quantity: numberIn(line, 'quantity'),
      unit_price: moneyIn(line, 'originalUnitPriceSet'),
      tax_rate: taxRateOf(line),
    },
  }))
  const isOver = lines.length > 0 && lines.every(({ left }) => left < 1)
  const kept = lines
    .map(({ line, left, lineId }) => ({ lineId, line: isOver ? line : { ...line, quantity: left } }))
    .filter(({ line }) => line.quantity >= 1)
  return {
    isOver,
    items: kept.map(({ line }) => line),
    line_ids: kept.map(({ lineId }) => lineId),
    line_skus: lines
      .filter(({ isDerived }) => isDerived)
      .map(({ lineId, line: { sku, name } }) => ({ line_id: lineId, sku, name, is_derived: true })),
    refunded_skus: isOver ? [] : lines.flatMap(({ line, left }) => (left < 1 ? [line.sku] : [])),
    sent_pieces: sentPiecesIn(order, [...new Set(lines.map(({ line }) => line.sku))]),
  }
}

/**
 * Returns the pieces of each SKU in the successful fulfillments of an order. Cancelled fulfillments do not count;
 * refunds change nothing. Returns undefined if the order does not list its fulfillments.
 */
function sentPiecesIn(
  order: unknown,
  skus: readonly string[],
): { sku: string; quantity: number }[] | undefined {
  const fulfillments = fieldOf(order, 'fulfillments')
  if (!Array.isArray(fulfillments)) return undefined
  const sent = new Map(skus.map((sku) => [sku, 0]))
  for (const fulfillment of fulfillments.filter((each) => textIn(each, 'status') === 'SUCCESS'))
    for (const line of nodesIn(fulfillment, 'fulfillmentLineItems')) {
      const sku = skuOf(fieldOf(line, 'lineItem'))
      sent.set(sku, (sent.get(sku) ?? 0) + numberIn(line, 'quantity'))
    }
  return [...sent].map(([sku, quantity]) => ({ sku, quantity }))
}

/** Returns the money that was refunded without pieces, for example for a late parcel. */
const refundedIn = (order: unknown): number => Math.max(0, -moneyIn(order, 'refundDiscrepancySet'))

/** Returns whether less money was refunded than the price of the refunded pieces. */
const isLessRefunded = (order: unknown): boolean => moneyIn(order, 'refundDiscrepancySet') > 0

/** Returns whether another amount was refunded than the price of the refunded pieces. Its days are in the refunds. */
export const hasDiscrepancy = (order: unknown): boolean => moneyIn(order, 'refundDiscrepancySet') !== 0

/**
 * Statuses of orders for which the shop has taken no money: the payment is expected, only authorized, or was given up.
 * If pieces of such an order are removed, the discrepancy is money that the customer no longer owes.
 */
const UNPAID: readonly string[] = ['PENDING', 'AUTHORIZED', 'EXPIRED', 'VOIDED']

/** Returns the tips, duties and additional fees of an order, with their original amounts. */
const feesIn = (order: unknown): number =>
  moneyIn(order, 'totalTipReceivedSet') +
  moneyIn(order, 'originalTotalDutiesSet') +
  moneyIn(order, 'originalTotalAdditionalFeesSet')

/**
 * Returns the money that the shop kept from refunds, for example a restocking fee. This is at most the money that the
 * shop has received and not refunded (`netPaymentSet`), minus the price of the rest of the order. The limit matters if
 * the shop removes pieces before the customer pays for the others: then it keeps nothing. Returns undefined if the
 * result is unknown, because an event does not contain `netPaymentSet`.
 */
function keptIn(order: unknown): number | undefined {
  if (UNPAID.includes(textIn(order, 'displayFinancialStatus')) || !isLessRefunded(order)) return 0
  if (!fieldOf(order, 'netPaymentSet')) return undefined
  const ofLines = linesIn(order).reduce<number>(
    (sum, line) => sum + numberIn(line, 'currentQuantity') * moneyIn(line, 'originalUnitPriceSet'),
    0,
  )
  const tax = fieldOf(order, 'taxesIncluded') === true ? 0 : moneyIn(order, 'currentTotalTaxSet')
  const left =
    ofLines +
    moneyIn(order, 'currentShippingPriceSet') +
    tax +
    moneyIn(order, 'totalTipReceivedSet') +
    moneyIn(order, 'currentTotalDutiesSet') +
    moneyIn(order, 'currentTotalAdditionalFeesSet') -
    moneyIn(order, 'currentTotalDiscountsSet')
  const most = moneyIn(order, 'netPaymentSet') - Math.max(0, left)
  const kept = Math.max(0, Math.min(moneyIn(order, 'refundDiscrepancySet'), most))
  return roundIn(textIn(order, 'currencyCode'), kept)
}

/**
 * Returns, for each refund, its time and the sum of the discrepancies up to then. Returns an empty list if the refunds
 * are unknown, or do not add up to the discrepancy of the order.
 */
function discrepanciesIn(order: unknown): { at: string; sum: number }[] {
  let sum = 0
  const refunds = listOf(fieldOf(order, 'refunds')).toSorted(
    (a, b) => Date.parse(textIn(a, 'createdAt')) - Date.parse(textIn(b, 'createdAt')),
  )
  const sums = refunds.map((refund) => {
    for (const each of nodesIn(refund, 'orderAdjustments'))
      sum += moneyIn(each, 'amountSet') + moneyIn(each, 'taxAmountSet')
    return { at: textIn(refund, 'createdAt'), sum }
  })
  const rest = roundIn(textIn(order, 'currencyCode'), sum - moneyIn(order, 'refundDiscrepancySet'))
  return rest === 0 ? sums : []
}

/**
 * Returns, for each refund, its time and the money that the shop had kept up to then. If not all discrepancies were
 * kept (`keptIn`), the earliest ones count as not kept, because those pieces were removed before the customer paid.
 */
function keptAfterIn(order: unknown, kept: number): { at: string; amount: number }[] {
  const unkept = moneyIn(order, 'refundDiscrepancySet') - kept
  return discrepanciesIn(order).map(({ at, sum }) => ({
    at,
    amount: roundIn(textIn(order, 'currencyCode'), Math.max(0, sum - unkept)),
  }))
}

/**
 * Returns, for each refund, its time and the discount after it. `share` is the part of the discount that was refunded
 * without pieces, and `refunded` is the same part as an amount that may include tax.
 */
function discountAfterIn(
  order: unknown,
  { discount, share, refunded }: { discount: number; share: number; refunded: number },
): { at: string; amount: number }[] {
  if (refunded <= 0) return []
  return discrepanciesIn(order).map(({ at, sum }) => {
    const left = 1 - Math.min(1, Math.max(0, -sum) / refunded)
    return { at, amount: roundIn(textIn(order, 'currencyCode'), discount * (1 - share * left)) }
  })
}

/** Returns the price of the shipping before discounts, and the discount on it. */
function shippingPricesIn(order: unknown): { fullShipping: number; shippingDiscount: number } {
  const lines = nodesIn(order, 'shippingLines').map((line) => ({
    price: moneyIn(line, 'originalPriceSet'),
    discounted: fieldOf(line, 'discountedPriceSet') ? moneyIn(line, 'discountedPriceSet') : null,
  }))
  return {
    fullShipping: lines.reduce((sum, { price }) => sum + price, 0),
    shippingDiscount: lines.reduce((sum, { price, discounted }) => sum + price - (discounted ?? price), 0),
  }
}

/** Converts an order of the GraphQL API to our field names. Returns null for an order that is not paid. */
export function readShopifyOrder(order: unknown): ShopOrder | null {
  const { isOver, items, line_ids, line_skus, refunded_skus, sent_pieces } = readLines(order)
  const isCancelled = isOver || textIn(order, 'cancelledAt') !== ''
  const status = statusOf(
    isCancelled,
    textIn(order, 'displayFinancialStatus'),
    textIn(order, 'displayFulfillmentStatus'),
  )
  if (status === null || textIn(order, 'id') === '') return null
  const address = fieldOf(order, 'shippingAddress')
  const hasIncludedTax = fieldOf(order, 'taxesIncluded') === true
  const currency = textIn(order, 'currencyCode')
  const kept = keptIn(order)
  // Shipped pieces keep their discount until they are back, even if the customer got all the money back.
  const removedDiscount = isOver
    ? discountOfRemoved(items, {
        leftOut: moneyIn(order, 'totalDiscountsSet') - moneyIn(order, 'currentTotalDiscountsSet'),
        subtotal: fieldOf(order, 'subtotalPriceSet') ? moneyIn(order, 'subtotalPriceSet') : null,
      })
    : 0
  const removed = isOver
    ? amountsOfRemoved(items, { hasIncludedTax, currency, discount: removedDiscount })
    : null
  /** Returns an amount of the order, plus an amount of the removed lines. */
  const withRemoved = (name: string, added: number | undefined) =>
    added === undefined ? moneyIn(order, name) : roundIn(currency, moneyIn(order, name) + added)
  // If nothing of an order was sent, it brings no revenue after a full refund, so it keeps the amounts of its lines.
  const isUnsent = status === 'cancelled' && textIn(order, 'displayFulfillmentStatus') === 'UNFULFILLED'
  const { total, shipping, tax, discount, surcharge, refundedDiscount } = settleAmounts(
    {
      total: withRemoved('currentTotalPriceSet', removed?.total),
      lines: items.reduce((sum, line) => sum + line.quantity * line.unit_price, 0),
      shipping: moneyIn(order, 'currentShippingPriceSet'),
      tax: withRemoved('currentTotalTaxSet', removed?.tax),
      discount: moneyIn(order, 'currentTotalDiscountsSet') + removedDiscount,
    },
    {
      currency,
      hasIncludedTax,
      // Kept money that is still unknown also explains the total, but it is not saved.
      extras: feesIn(order) + (kept ?? moneyIn(order, 'refundDiscrepancySet')),
      ...shippingPricesIn(order),
      refunded: isOver || isUnsent ? 0 : refundedIn(order),
    },
  )
  const amounts = {
    total_amount: total,
    shipping_amount: shipping,
    tax_amount: tax,
    discount_amount: discount,
    items,
  }
  const net = hasIncludedTax
    ? withoutTaxInPrices(amounts, shippingRateOf(order), currency)
    : { ...amounts, items: items.map(({ tax_rate: _rate, ...line }) => line) }
  return {
    order_number: textIn(order, 'name').replace(/^#/, '') || idOf(textIn(order, 'id')),
    external_id: idOf(textIn(order, 'id')),
    status,
    customer_name:
      textIn(address, 'name') || textIn(fieldOf(order, 'billingAddress'), 'name') || textIn(order, 'email'),
    customer_email: textIn(order, 'email') || null,
    shipping_address: address
      ? {
          name: textIn(address, 'name'),
          company: textIn(address, 'company'),
          line1: textIn(address, 'address1'),
          line2: textIn(address, 'address2'),
          postal_code: textIn(address, 'zip'),
          city: textIn(address, 'city'),
          region: textIn(address, 'provinceCode'),
          country: textIn(address, 'countryCodeV2') || null,
          phone: textIn(address, 'phone'),
        }
      : null,
    currency: currency || undefined,
    placed_at: textIn(order, 'createdAt') || undefined,
    changed_at: textIn(order, 'updatedAt') || undefined,
    notes: textIn(order, 'note') || null,
    line_ids,
    line_skus,
    refunded_skus,
    sent_pieces,
    // If the kept money is unknown, so is the surcharge that contains it. The next comparison sets both.
    ...(kept !== undefined && {
      ...(surcharge !== undefined && { surcharge_amount: surcharge }),
      kept_amount: (status === 'cancelled' ? kept : Math.min(kept, surcharge ?? 0)) || null,
    }),
    kept_after: kept === undefined ? [] : keptAfterIn(order, kept),
    discount_after: discountAfterIn(order, {
      discount: net.discount_amount,
      share: discount > 0 ? refundedDiscount / discount : 0,
      refunded: refundedDiscount,
    }),
    ...net,
  }
}
