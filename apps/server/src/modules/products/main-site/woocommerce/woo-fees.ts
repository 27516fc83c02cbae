import { fieldOf } from '../main-site-answer.ts'

/**
 * The fields in which payment plugins store the fee of the payment provider: Stripe, WooPayments, and the current and
 * earlier PayPal plugins.
 */
const FEE_KEYS = [
  '_stripe_fee',
  'Stripe Fee',
  '_wcpay_transaction_fee',
  'PayPal Transaction Fee',
  '_paypal_transaction_fee',
  '_paypal_fee',
]
/** The field with the currency of Stripe's fee, which is the currency of the payout. */
const STRIPE_CURRENCY = '_stripe_currency'

const listIn = (body: unknown, name: string): unknown[] => {
  const list = fieldOf(body, name)
  return Array.isArray(list) ? list : []
}

/**
 * Returns the amounts, without tax, that a customer pays in addition to lines and shipping. The shop stores reductions
 * as negative fees. They are returned as a discount.
 */
export function readWooSurcharges(order: unknown): { surcharge: number; discount: number } {
  const totals = listIn(order, 'fee_lines').map((line) => Number(fieldOf(line, 'total') ?? 0) || 0)
  return {
    surcharge: totals.filter((total) => total > 0).reduce((sum, total) => sum + total, 0),
    discount: -totals.filter((total) => total < 0).reduce((sum, total) => sum + total, 0),
  }
}

/**
 * Returns the fee of the payment provider, which a plugin stored with the order. Returns undefined if there is none, or
 * if it is in another currency than the order.
 */
export function readPaymentFee(order: unknown): number | undefined {
  const values = new Map(
    listIn(order, 'meta_data').map((meta) => [fieldOf(meta, 'key'), fieldOf(meta, 'value')]),
  )
  const currency = values.get(STRIPE_CURRENCY)
  const isOther = typeof currency === 'string' && currency.toUpperCase() !== fieldOf(order, 'currency')
  const keys = isOther ? FEE_KEYS.filter((key) => !/stripe/i.test(key)) : FEE_KEYS
  return keys
    .map((key) => values.get(key))
    .filter((value) => (typeof value === 'string' && value.trim() !== '') || typeof value === 'number')
    .map(Number)
    .find((fee) => fee >= 0 && Number.isFinite(fee))
}
