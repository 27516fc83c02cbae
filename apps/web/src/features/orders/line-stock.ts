import type { Order } from '@pegasus/contracts/orders'
import type { OrderStatus } from '@pegasus/contracts/statuses'
import { formatCount, formatNumberOf } from '@/lib/format/format.ts'

/** Says in words whether free stock covers a line. */
export interface LineStock {
  text: string
  isShort: boolean
}

const isOver = (status: OrderStatus): boolean => status === 'completed' || status === 'cancelled'

/** Null for a finished order, which needs no stock. */
export function stockOf(line: Order['items'][number], status: OrderStatus): LineStock | null {
  const { inventory_item_id, available_quantity: available, short_by: short } = line
  if (inventory_item_id === null) return { text: 'No inventory item has this SKU', isShort: true }
  if (available === null || isOver(status)) return null
  const free = `${formatCount(available)} available`
  return short
    ? { text: `${free}, short by ${formatCount(short)}`, isShort: true }
    : { text: free, isShort: false }
}

/** The same for a whole order: missing pieces first, then unknown SKUs. */
export function orderStock({ items, status }: Order): LineStock | null {
  if (items.length === 0 || isOver(status)) return null
  const short = items.reduce((sum, { short_by }) => sum + (short_by ?? 0), 0)
  if (short > 0) return { text: `${formatCount(short)} short`, isShort: true }
  const unknown = items.filter(({ inventory_item_id: id }) => id === null).length
  if (unknown > 0) return { text: formatNumberOf(unknown, 'unknown SKU'), isShort: true }
  return { text: 'All available', isShort: false }
}
