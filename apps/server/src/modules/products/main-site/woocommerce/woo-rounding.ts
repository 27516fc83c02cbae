import { fieldOf } from '../main-site-answer.ts'
import type { WooAmounts } from './woo-refunds.ts'

const lineItemsOf = (order: unknown): unknown[] => {
  const list = fieldOf(order, 'line_items')
  return Array.isArray(list) ? list : []
}

/** Returns the subtotals of the lines minus the products of their quantities and rounded prices, for example 0.01. */
export const roundingRestOf = (order: unknown, items: WooAmounts['lines']): number =>
  lineItemsOf(order).reduce<number>((sum, line, index) => {
    const { quantity = 0, unit_price: price = 0 } = items[index] ?? {}
    return quantity > 0 ? sum + Number(fieldOf(line, 'subtotal') ?? 0) - quantity * price : sum
  }, 0)

/**
 * Absorbs the rounding of the prices, so that lines plus shipping minus discount stay exactly as the shop counts them.
 * A discount absorbs it. Without a discount, the shipping absorbs what the lines lack. Lines and prices stay as they
 * are, because shipped pieces belong to them. `rounded` rounds an amount to the decimals of the currency.
 */
export function withRoundingRest(
  { shipping, discount }: Pick<WooAmounts, 'shipping' | 'discount'>,
  rest: number,
  rounded: (amount: number) => number,
): Pick<WooAmounts, 'shipping' | 'discount'> {
  const left = rounded(discount - rest)
  return left >= 0 ? { shipping, discount: left } : { shipping: rounded(shipping - left), discount: 0 }
}
