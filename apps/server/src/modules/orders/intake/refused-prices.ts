import { SHOP_NOTES } from '@pegasus/contracts/orders/shop-notes'
import type { OrderRow } from '../orders.queries.ts'
import type { KnownLine, KnownOrder } from './order-intake.queries.ts'
import { amountText, matchLines, orderedLinesOf, shippedOf } from './line-changes.ts'

/** The field of `source_told` with the prices that the shop changed after pieces were shipped. */
export const REFUSED_PRICES = 'refused_prices'

/** A price at the shop that differs from the price at which pieces of the line were shipped. */
export type RefusedPrice = Pick<KnownLine, 'sku' | 'name' | 'unit_price_minor'>

/** Returns the received prices of lines with shipped pieces that differ from the prices at which those were shipped. */
export const findRefusedPrices = (
  lines: readonly KnownLine[],
  order: KnownOrder,
  refunds: readonly string[],
): RefusedPrice[] =>
  matchLines(lines, orderedLinesOf(order), refunds).pairs.flatMap(({ line, stored }) => {
    if (!stored || stored.unit_price_minor === line.unit_price_minor || shippedOf(order, stored) === 0)
      return []
    return [{ sku: line.sku, name: line.name || stored.name, unit_price_minor: line.unit_price_minor }]
  })

/** Returns the refused prices that earlier messages contained. */
export const refusedPricesOf = ({ source_told: sourceFields }: KnownOrder): RefusedPrice[] => {
  const refused = sourceFields?.[REFUSED_PRICES]
  return Array.isArray(refused) ? (refused as RefusedPrice[]) : []
}

/** Returns the message about refused prices for the order's page, or null if the order has none. */
export function refusedPricesNote(
  refused: readonly RefusedPrice[],
  { lines, currency }: OrderRow,
): string | null {
  const kept = refused.flatMap(({ sku, name, unit_price_minor: price }) => {
    const line = lines.find(
      (each) =>
        each.set_line_id === null &&
        each.sku.toUpperCase() === sku.toUpperCase() &&
        each.unit_price_minor !== price,
    )
    if (!line) return []
    const [from, to] = [line.unit_price_minor, price].map((minor) => amountText(minor, currency))
    return [`${name || sku || 'a line'} from ${from} to ${to}`]
  })
  if (kept.length === 0) return null
  return SHOP_NOTES.changedPrices(kept.join(', '))
}
