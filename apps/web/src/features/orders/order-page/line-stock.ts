import type { LinePart } from '@pegasus/contracts/orders/order-changes'
import {
  type Order,
  type OrderLine,
  type SetPart,
  missingPiecesOf,
  pieceLines,
} from '@pegasus/contracts/orders/orders'
import { isFinishedOrder, type OrderStatus } from '@pegasus/contracts/statuses'
import { formatCount } from '@/lib/format/format.ts'
import { t } from '@/lib/i18n/messages.ts'

/** Describes how far stock and prints cover a line or an order. */
export interface LineStock {
  text: string
  isShort: boolean
}

/** Returns whether no item has the SKU and nobody has decided to ignore it. */
export const isUnknown = (line: OrderLine | SetPart): boolean =>
  line.inventory_item_id === null && !line.is_ignored && !('is_set' in line && line.is_set)

/**
 * Returns the free pieces that are allocated to the order. Other free pieces of the same items are promised
 * to earlier orders.
 */
export const allocatedParts = ({ items }: Pick<Order, 'items'>): LinePart[] =>
  pieceLines(items).flatMap(({ id, allocated_quantity: quantity }) =>
    quantity > 0 ? [{ line_id: id, quantity }] : [],
  )

/**
 * Formats a line as a calculation: `14 ordered = 8 shipped + 3 reserved + 3 missing`. Terms of 0 are left out. An order
 * on hold gets no free pieces, so nobody knows yet which of its other pieces are missing. They are `on hold`.
 */
function sumOf(line: OrderLine | SetPart, status: OrderStatus): string {
  const terms = [
    [line.shipped_quantity, t('shipped')],
    [line.reserved_quantity, t('reserved')],
    [line.allocated_quantity, t('in stock')],
    [line.short_by - line.missing_quantity, t('in the print queue')],
    [line.missing_quantity, status === 'on_hold' ? t('on hold') : t('missing')],
    [line.not_shipped_quantity, t('not shipped')],
  ] as const
  const named = terms.filter(([count]) => count > 0).map(([count, word]) => `${formatCount(count)} ${word}`)
  return named.length === 0
    ? ''
    : t('{quantity} ordered = {terms}', { quantity: formatCount(line.quantity), terms: named.join(' + ') })
}

/** Returns the calculation of a line, or the reason why there is none; null if the line needs no text. */
export function stockOf(line: OrderLine | SetPart, status: OrderStatus): LineStock | null {
  if (line.is_ignored) return { text: t('Not kept in stock'), isShort: false }
  if (isUnknown(line) && !isFinishedOrder(status))
    return { text: t('No inventory item has this SKU'), isShort: true }
  const returned =
    line.returned_quantity > 0 &&
    t('{returned_quantity} returned', { returned_quantity: formatCount(line.returned_quantity) })
  const text = [sumOf(line, status), returned].filter(Boolean).join(', ')
  return text === '' ? null : { text, isShort: line.missing_quantity > 0 && status !== 'on_hold' }
}

/** Returns whether the prints of an order are expected to end after it is due. */
export const isPrintedLate = ({ due_at: due, expected_end: end }: Order): boolean =>
  due !== null && end !== null && Date.parse(end) > Date.parse(due)

/**
 * Returns the same as `stockOf`, but for a whole order. Missing pieces come first, then unknown SKUs, then
 * pieces in the print queue.
 */
export function orderStock({ items, status, ready_to_pack: isReady }: Order): LineStock | null {
  if (items.length === 0 || status === 'on_hold' || isFinishedOrder(status)) return null
  if (isReady) return { text: t('Ready to pack'), isShort: false }
  const lines = pieceLines(items)
  const known = lines.filter((line) => !isUnknown(line))
  if (known.some((line) => line.missing_quantity > 0))
    return {
      text: t('{missingPiecesOf} missing', { missingPiecesOf: formatCount(missingPiecesOf(items)) }),
      isShort: true,
    }
  const unknown = lines.length - known.length
  if (unknown > 0)
    return {
      text: t('{unknown, plural, one {# unknown SKU} other {# unknown SKUs}}', { unknown }),
      isShort: true,
    }
  const printing = known.reduce((sum, line) => sum + line.short_by, 0)
  return printing > 0
    ? { text: t('{printing} in the print queue', { printing: formatCount(printing) }), isShort: false }
    : null
}
