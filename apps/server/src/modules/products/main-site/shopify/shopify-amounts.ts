import { currencyDecimals } from '@pegasus/contracts/money'

/** The amounts of an order in the shop's currency, as Shopify sends them. */
interface SentAmounts {
  total: number
  /** The sum of the lines, before discounts. */
  lines: number
  shipping: number
  tax: number
  discount: number
}

/** Further amounts of an order. They explain the difference between its total and the sum of its other amounts. */
export interface AmountDetails {
  currency: string
  /** Whether the prices of the lines and of the shipping include the tax. */
  hasIncludedTax: boolean
  /** Tips, duties and additional fees, with their original amounts, and money that was kept from refunds. */
  extras: number
  /** The price of the shipping before discounts. */
  fullShipping: number
  /** The discount on the shipping. */
  shippingDiscount: number
  /** The money that was refunded without pieces. */
  refunded: number
}

/** Rounds an amount to the decimals of a currency, because sums of decimal numbers have small errors. */
export function roundIn(currency: string, amount: number): number {
  const factor = 10 ** currencyDecimals(currency || 'USD')
  return Math.round(amount * factor) / factor
}

/**
 * Returns the amounts of an order so that they add up: lines + shipping + surcharge + tax − discount = total. Tax that
 * is included in the prices is not added.
 * - `discount` contains the money that was refunded without pieces. If that is more than the price of the pieces, the
 *   rest lowers the shipping, the surcharge and the tax.
 * - `shipping` is the price after the discount on the shipping.
 * - `surcharge` contains tips, duties, additional fees and money that was kept from refunds. Undefined without them.
 * - `refundedDiscount` is the part of the discount that was refunded without pieces.
 */
export function settleAmounts(
  sent: SentAmounts,
  { currency, hasIncludedTax, extras, fullShipping, shippingDiscount, refunded }: AmountDetails,
) {
  const round = (amount: number) => roundIn(currency, amount)
  const isBeforeDiscount = round(sent.shipping - fullShipping) === 0
  const shipping = Math.max(0, sent.shipping - (isBeforeDiscount ? shippingDiscount : 0))
  const addedTax = hasIncludedTax ? 0 : sent.tax
  const gap = sent.total - (sent.lines + shipping + addedTax - sent.discount)
  // Shopify does not document whether its discount contains the discount on the shipping (`twice`), and whether its
  // total contains the refund (`subtracted`). Try all combinations, and take the one that fits the other amounts best.
  const { twice, subtracted } = [0, shippingDiscount]
    .flatMap((twice) => [0, refunded].map((subtracted) => ({ twice, subtracted })))
    .map((each) => ({ ...each, error: Math.abs(gap - extras - each.twice + each.subtracted) }))
    .reduce((best, each) => (each.error < best.error - 0.0001 ? each : best))
  const discount = Math.max(0, sent.discount - twice)
  const whole = sent.total + subtracted
  const left = whole - (sent.lines + shipping + addedTax - discount)
  const surcharge = Math.min(extras, Math.max(0, left))
  let rest = Math.min(refunded, whole)
  const total = whole - rest
  /** Returns the part of the refund that this amount can absorb. */
  const take = (amount: number) => {
    const part = Math.min(rest, Math.max(0, amount))
    rest -= part
    return part
  }
  const ofPieces = take(sent.lines - discount)
  const ofShipping = take(shipping)
  const ofSurcharge = take(surcharge)
  const tax = hasIncludedTax ? (whole > 0 ? (sent.tax * total) / whole : sent.tax) : addedTax - take(addedTax)
  return {
    total: round(total),
    shipping: round(shipping - ofShipping),
    tax: round(tax),
    discount: round(discount + ofPieces),
    surcharge: extras > 0 ? round(surcharge - ofSurcharge) : undefined,
    refundedDiscount: ofPieces,
  }
}

/**
 * Returns the discount on lines that have no pieces left. `leftOut` is the discount that Shopify's current amounts no
 * longer contain. It may include a discount on the shipping, which must not count. `subtotal` is the price of all lines
 * after discounts and before refunds, or null if it is unknown.
 */
export function discountOfRemoved(
  lines: readonly { quantity: number; unit_price: number }[],
  { leftOut, subtotal }: { leftOut: number; subtotal: number | null },
): number {
  const prices = lines.reduce((sum, line) => sum + line.quantity * line.unit_price, 0)
  return Math.max(0, subtotal === null ? leftOut : Math.min(leftOut, prices - subtotal))
}

/**
 * Returns the total and the tax of lines that have no pieces left. Shopify's current amounts no longer contain them.
 * The lines keep their ordered quantities here, so these amounts must be added again. `discount` is the discount on
 * these lines.
 */
export function amountsOfRemoved(
  lines: readonly { quantity: number; unit_price: number; tax_rate: number }[],
  { hasIncludedTax, currency, discount }: { hasIncludedTax: boolean; currency: string; discount: number },
): { total: number; tax: number } {
  const round = (amount: number) => roundIn(currency, amount)
  const prices = round(lines.reduce((sum, line) => sum + line.quantity * line.unit_price, 0))
  const taxBeforeDiscount = lines.reduce((sum, { quantity, unit_price: price, tax_rate: rate }) => {
    const taxed = hasIncludedTax ? price / (1 + rate) : price
    return sum + quantity * taxed * rate
  }, 0)
  const paid = round(Math.max(0, prices - discount))
  const tax = round(prices > 0 ? (taxBeforeDiscount * paid) / prices : taxBeforeDiscount)
  return { total: hasIncludedTax ? paid : round(paid + tax), tax }
}
