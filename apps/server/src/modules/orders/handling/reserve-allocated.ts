import type { BulkOrdersResult } from '@pegasus/contracts/orders/bulk-orders'
import type { AuditContext } from '../../../platform/actor.ts'
import type { Queryable } from '../../../platform/database/database.ts'
import { lockItems } from '../../inventory/index.ts'
import { type PromisedPieces, listAllocated, listPromisedPieces } from '../account/line-account.queries.ts'
import type { KnownOrder } from '../intake/order-intake.queries.ts'
import type { OrderLineRow, OrderRow } from '../orders.queries.ts'
import { type PartOfLine, neededOf, noItemMessage, pieces, reserveParts, titleOf } from './order-stock.ts'

/** Locks the items that an order still needs. Their numbers of free pieces cannot change until the transaction ends. */
export async function lockNeededItems(tx: Queryable, order: KnownOrder): Promise<void> {
  const itemIds = order.lines.flatMap((line) =>
    line.item_id !== null && !line.is_ignored && neededOf(line) > 0 ? [line.item_id] : [],
  )
  await lockItems(tx, itemIds)
}

/**
 * Reserves the free pieces that are left for an order after all earlier orders. Pieces that are promised to other
 * orders stay free. Therefore, each order gets the same pieces, whichever order is reserved first. The caller must hold
 * a lock on the order.
 */
export async function reserveAllocated(
  tx: Queryable,
  order: KnownOrder,
  by: AuditContext,
): Promise<PartOfLine[]> {
  await lockNeededItems(tx, order)
  const turn = await listAllocated(tx, order.id)
  return turn.length === 0 ? [] : reserveParts(tx, order, turn, by)
}

/** Returns whether any line of an order has pieces that are neither shipped, reserved nor covered by free stock. */
export const isShort = ({ lines }: OrderRow): boolean => lines.some((line) => line.short_by > 0)

/** The short lines of an order, with the figures that explain the shortage. */
export interface ShortOrder {
  id: string
  lines: Pick<
    OrderLineRow,
    | 'inventory_item_id'
    | 'sku'
    | 'name'
    | 'short_by'
    | 'queued_quantity'
    | 'reserved_quantity'
    | 'allocated_quantity'
  >[]
}

/** Returns the short lines of an order. */
export const shortOrderOf = ({ id, lines }: OrderRow): ShortOrder => ({
  id,
  lines: lines
    .filter((line) => line.short_by > 0)
    .map((line) => ({
      inventory_item_id: line.inventory_item_id,
      sku: line.sku,
      name: line.name,
      short_by: line.short_by,
      queued_quantity: line.queued_quantity,
      reserved_quantity: line.reserved_quantity,
      allocated_quantity: line.allocated_quantity,
    })),
})

const isAre = (count: number): string => (count === 1 ? 'is' : 'are')

function explainLine(
  line: ShortOrder['lines'][number],
  holders: readonly PromisedPieces[],
): Pick<BulkOrdersResult['failed'][number], 'detail' | 'promised_to'> {
  if (line.inventory_item_id === null) return { detail: noItemMessage(line) }
  const [first, ...others] = holders
  if (!first) {
    const printing = Math.min(line.queued_quantity, line.short_by)
    const coming = printing > 0 ? ` ${pieces(printing)} for it ${isAre(printing)} in the print queue.` : ''
    const missing = `${pieces(line.short_by)} of ${titleOf(line)} ${isAre(line.short_by)} missing.`
    const free = line.reserved_quantity + line.allocated_quantity
    return { detail: `${free > 0 ? missing : `No piece of ${titleOf(line)} is free.`}${coming}` }
  }
  const count = holders.reduce((sum, { quantity }) => sum + quantity, 0)
  const more = others.length === 0 ? '' : ` and ${others.length} other order${others.length === 1 ? '' : 's'}`
  const { order_id, order_number, due_at } = first
  return {
    detail: `${pieces(count)} of ${titleOf(line)} ${isAre(count)} promised to ${order_number}${more}.`,
    promised_to: { order_id, order_number, due_at },
  }
}

/**
 * Explains why each order gets no pieces, by the first short line whose pieces are promised to other orders, which it
 * names. If no line has such pieces, explains the first short line.
 */
export async function explainShortage(
  sql: Queryable,
  orders: readonly ShortOrder[],
): Promise<BulkOrdersResult['failed']> {
  const itemIds = orders
    .flatMap(({ lines }) => lines)
    .flatMap(({ inventory_item_id: id }) => (id === null ? [] : [id]))
  const promised = await listPromisedPieces(sql, [...new Set(itemIds)])
  return orders.flatMap(({ id, lines }) => {
    const short = lines.map((line) => ({
      line,
      holders: promised.filter((each) => each.item_id === line.inventory_item_id && each.order_id !== id),
    }))
    const shown = short.find(({ holders }) => holders.length > 0) ?? short[0]
    return shown ? [{ id, ...explainLine(shown.line, shown.holders) }] : []
  })
}
