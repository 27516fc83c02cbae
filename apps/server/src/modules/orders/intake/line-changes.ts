import { currencyDecimals, fromMinor } from '@pegasus/contracts/money'
import { AppError } from '../../../platform/errors/app-error.ts'
import type { KnownLine, KnownOrder, StoredLine } from './order-intake.queries.ts'

/** A received line, and the number of its pieces that were refunded after they had been shipped. */
export interface ChangedLine extends KnownLine {
  refunded_quantity: number
}

/** The changes of an order's lines. */
export interface LineChanges {
  /** The lines to write. `stored` is the existing line that the line continues, or undefined for a new line. */
  written: { line: ChangedLine; stored: StoredLine | undefined }[]
  /** Existing lines to delete, because they are no longer ordered. */
  removed: StoredLine[]
  /** Whether any existing line gets another position. If so, all lines are written. */
  isMoved: boolean
}

/** Returns whether lines are added, or get more pieces. */
export const hasMorePieces = ({ written }: LineChanges): boolean =>
  written.some(({ line, stored }) => line.quantity > (stored?.quantity ?? 0))

/** Returns the number of pieces of an order that are still to be shipped from the stock. */
export const owedPieces = ({ lines }: KnownOrder): number =>
  lines.reduce(
    (sum, line) =>
      sum + (line.is_set || line.is_ignored ? 0 : Math.max(0, line.quantity - line.shipped_quantity)),
    0,
  )

/** Returns the number of shipped pieces that were not returned. */
export const piecesOut = ({ lines }: KnownOrder): number =>
  lines.reduce((sum, line) => sum + line.shipped_quantity - line.returned_quantity, 0)

/**
 * Returns whether pieces of an order are still to be shipped, or are with the customer. An order without lines counts
 * as work, too, because a person has to look at it.
 */
export const hasWork = (order: KnownOrder | null): boolean =>
  order !== null && (order.lines.length === 0 || owedPieces(order) + piecesOut(order) > 0)

/** Returns the lines as they were ordered, without the parts of sets. */
export const orderedLinesOf = (order: KnownOrder) => order.lines.filter((line) => line.set_line_id === null)

/**
 * Returns the number of shipped pieces of an ordered line. For a set, returns the number of sets of which at
 * least one piece was shipped.
 */
export function shippedOf(order: KnownOrder, line: StoredLine): number {
  if (!line.is_set) return line.shipped_quantity
  const parts = order.lines.filter((part) => part.set_line_id === line.id)
  return Math.max(0, ...parts.map((part) => Math.ceil(part.shipped_quantity / (part.pieces_per_set ?? 1))))
}

/** Formats an amount for a message: `10.00 USD`. */
export const amountText = (minor: number, currency: string): string =>
  `${fromMinor(minor, currency).toFixed(currencyDecimals(currency))} ${currency}`

const titleOf = ({ name, sku }: Pick<KnownLine, 'name' | 'sku'>): string => name || sku || 'A line'

/** Throws CONFLICT, because the sales report has counted the shipped pieces at the stored price. */
function refusePrice(order: KnownOrder, line: StoredLine): never {
  const message = `${titleOf(line)}: ${shippedOf(order, line)} shipped already at ${amountText(line.unit_price_minor, order.currency)}, so this price cannot change. Undo the shipment first, or add another line for pieces at another price.`
  throw new AppError('CONFLICT', { text: message, errors: [{ path: 'items', message }] })
}

const upper = ({ sku }: Pick<KnownLine, 'sku'>): string => sku.toUpperCase()

/**
 * The values by which a received line is recognized as an existing line with the same SKU, most certain first. A line
 * for which a function returns null matches no line in that step.
 */
const SAME_LINE: ((line: KnownLine) => readonly unknown[] | null)[] = [
  ({ external_line_id: id }) => (id === null ? null : [id]),
  ({ name, unit_price_minor: price, position }) => [name, price, position],
  ({ name, unit_price_minor: price }) => [name, price],
  ({ name }) => [name],
  ({ position }) => [position],
  () => [],
]

/**
 * Matches received lines with existing ordered lines. A received line continues an existing line with the same SKU: the
 * one with the same id of the shop, otherwise the most similar one (`SAME_LINE`). If there is none, it continues an
 * existing line of the same name without a SKU, as earlier versions stored it. Existing lines are kept because
 * reservations, shipments and print jobs belong to them. A received line never continues a refunded line: one whose SKU
 * is in `refunds` and whose id no received line has.
 */
export function matchLines(
  lines: readonly KnownLine[],
  known: readonly StoredLine[],
  refunds: readonly string[] | null,
) {
  const refundedSkus = new Set(refunds?.map((sku) => sku.toUpperCase()))
  const ids = new Set(lines.map(({ external_line_id: id }) => id))
  const isRefunded = (stored: StoredLine) =>
    stored.external_line_id !== null && !ids.has(stored.external_line_id) && refundedSkus.has(upper(stored))
  const refunded = known.filter(isRefunded)
  const unmatched = new Set(known.filter((stored) => !refunded.includes(stored)))
  const storedByLine = new Map<KnownLine, StoredLine>()
  const pair = (line: KnownLine, stored: StoredLine | undefined) => {
    if (!stored) return
    unmatched.delete(stored)
    storedByLine.set(line, stored)
  }
  for (const commonOf of SAME_LINE) {
    const keyOf = (line: KnownLine) => {
      const common = commonOf(line)
      return common && JSON.stringify([upper(line), ...common])
    }
    const byKey = Map.groupBy(unmatched, keyOf)
    for (const line of lines.filter((each) => !storedByLine.has(each))) {
      const key = keyOf(line)
      if (key !== null) pair(line, byKey.get(key)?.shift())
    }
  }
  for (const line of lines.filter((each) => !storedByLine.has(each)))
    pair(
      line,
      [...unmatched].find(({ sku, name }) => sku === '' && name === line.name),
    )
  return {
    pairs: lines.map((line) => ({ line, stored: storedByLine.get(line) })),
    left: known.filter((stored) => unmatched.has(stored) || refunded.includes(stored)),
  }
}

/**
 * Compares received lines with the ordered lines of an order. `refunds` are the refunded SKUs if the lines come from a
 * shop, and null otherwise. A shop may have refunded shipped pieces: they stay in their line, as `refunded_quantity`,
 * until they are returned, and a shipped line that the shop no longer lists stays if its SKU is in `refunds`. Without a
 * shop, throws CONFLICT for a line with fewer pieces than were shipped. A line with shipped pieces keeps its price: a
 * shop's new price is ignored here (`findRefusedPrices` reports it), and a person's new price throws CONFLICT.
 */
export function findLineChanges(
  lines: readonly KnownLine[],
  order: KnownOrder,
  refunds: readonly string[] | null,
): LineChanges {
  const { pairs, left } = matchLines(lines, orderedLinesOf(order), refunds)
  const refundedSkus = new Set(refunds?.map((sku) => sku.toUpperCase()))
  const kept = left.filter((stored) => refundedSkus.has(upper(stored)) && shippedOf(order, stored) > 0)
  const end = Math.max(-1, ...lines.map(({ position }) => position)) + 1
  const ids = new Set(lines.map(({ external_line_id: id }) => id))
  const all = [
    ...pairs,
    ...kept.map((stored, index) => ({ line: { ...stored, position: end + index, quantity: 0 }, stored })),
  ].map(({ line: { external_line_id, position, sku, name, quantity, unit_price_minor }, stored }) => {
    const lacking = stored ? Math.max(0, shippedOf(order, stored) - quantity) : 0
    if (lacking > 0 && stored && !refunds)
      throw new AppError('CONFLICT', {
        text: `${titleOf({ name, sku })}: ${quantity + lacking} shipped already, so ${quantity} is not enough.`,
      })
    const isSold = stored !== undefined && shippedOf(order, stored) > 0
    if (isSold && !refunds && stored.unit_price_minor !== unit_price_minor) refusePrice(order, stored)
    // The ids of the lines of an order must be unique, so a received line may already have this one.
    const storedId = stored && !ids.has(stored.external_line_id) ? stored.external_line_id : null
    const line: ChangedLine = {
      external_line_id: external_line_id ?? storedId,
      position,
      sku,
      name,
      quantity: quantity + lacking,
      unit_price_minor: isSold ? stored.unit_price_minor : unit_price_minor,
      refunded_quantity: refunds ? lacking : (stored?.refunded_quantity ?? 0),
    }
    return { line, stored }
  })
  const isMoved = all.some(({ line, stored }) => stored !== undefined && stored.position !== line.position)
  const written = all.filter(
    ({ line, stored }) =>
      isMoved ||
      stored?.sku !== line.sku ||
      stored.external_line_id !== line.external_line_id ||
      stored.name !== line.name ||
      stored.quantity !== line.quantity ||
      stored.unit_price_minor !== line.unit_price_minor ||
      stored.refunded_quantity !== line.refunded_quantity,
  )
  return { written, removed: left.filter((stored) => !kept.includes(stored)), isMoved }
}

/**
 * Returns the changes to the lines after a shipment was undone: refunded pieces that are no longer shipped are removed
 * from their lines. Returns null if there are none.
 */
export function findUnshippedRefunds(order: KnownOrder): LineChanges | null {
  const lowered = orderedLinesOf(order).flatMap((stored) => {
    const gone = Math.min(stored.refunded_quantity, stored.quantity - shippedOf(order, stored))
    if (gone <= 0) return []
    const { quantity, refunded_quantity: refunded } = stored
    const line: ChangedLine = { ...stored, quantity: quantity - gone, refunded_quantity: refunded - gone }
    return [{ line, stored }]
  })
  if (lowered.length === 0) return null
  return {
    written: lowered.filter(({ line }) => line.quantity > 0),
    removed: lowered.filter(({ line }) => line.quantity === 0).map(({ stored }) => stored),
    isMoved: false,
  }
}
