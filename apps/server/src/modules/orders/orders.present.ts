import { fromMinor } from '@pegasus/contracts/money'
import type { Order } from '@pegasus/contracts/orders'
import type { PathSigner } from '../../platform/http/signed-path.ts'
import type { OrderLineRow, OrderRow } from './orders.queries.ts'

const OVER: readonly OrderRow['status'][] = ['completed', 'cancelled']

/**
 * The pieces that the stock does not cover, for each line: a line takes pieces away from later lines of the same
 * item.
 */
function shortages(lines: readonly OrderLineRow[], isOver: boolean): (number | null)[] {
  const left = new Map<string, number>()
  return lines.map(({ inventory_item_id: itemId, available_quantity: available, quantity }) => {
    if (itemId === null) return null
    if (isOver) return 0
    // A count can find fewer pieces than are reserved; the result is then 0.
    const free = left.get(itemId) ?? Math.max(0, available ?? 0)
    left.set(itemId, Math.max(0, free - quantity))
    return Math.max(0, quantity - free)
  })
}

/** An order with the fields of the wire, in its own currency. */
export function presentOrder(row: OrderRow, signer: PathSigner): Order {
  const short = shortages(row.lines, OVER.includes(row.status))
  return {
    ...row,
    total_amount: fromMinor(row.total_minor, row.currency),
    items: row.lines.map((line, index) => ({
      ...line,
      unit_price: fromMinor(line.unit_price_minor, row.currency),
      short_by: short[index] ?? null,
      stl_thumbnail_path: line.has_picture
        ? signer.sign(`/api/stl-files/${line.stl_file_id}/thumbnail`)
        : null,
    })),
  }
}
