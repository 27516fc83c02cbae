import { fieldOf } from '../main-site-answer.ts'
import type { WooAmounts } from './woo-refunds.ts'

const lineItemsOf = (order: unknown): unknown[] => {
  const list = fieldOf(order, 'line_items')
  return Array.isArray(list) ? list : []
}

/** Returns by how much the lines' subtotals exceed their quantities times their rounded prices, for example 0.01. */
export const roundingRestOf = (order: unknown, items: WooAmounts['lines']): number =>
  lineItemsOf(order).reduce<number>((sum, line, index) => {
    const { quantity = 0, unit_price: price = 0 } = items[index] ?? {}
    return quantity > 0 ? sum + Number(fieldOf(line, 'subtotal') ?? 0) - quantity * price : sum
  }, 0)

/**
 * Adjusts an order by the rounding of its prices (`rest`), so that lines plus shipping minus discount stay exactly as
 * in the shop. Changes the discount or, if that would be negative, the shipping. Lines and prices stay the same,
 * because shipped pieces refer to them. `rounded` rounds an amount to the decimals of the currency.
 */
export function withRoundingRest(
  { shipping, discount }: Pick<WooAmounts, 'shipping' | 'discount'>,
  rest: number,
  rounded: (amount: number) => number,
): Pick<WooAmounts, 'shipping' | 'discount'> {
  const left = rounded(discount - rest)
  return left >= 0 ? { shipping, discount: left } : { shipping: rounded(shipping - left), discount: 0 }
}
