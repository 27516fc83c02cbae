import { UNDONE_REASON } from '@pegasus/contracts/inventory/stock-movements'
import type { AuditContext } from '../../../platform/actor.ts'
import type { TransactionSql } from '../../../platform/database/database.ts'
import { type NewMovement, lockItems, moveStockOfOrder } from '../../inventory/index.ts'
import type { KnownOrder, StoredLine } from '../intake/order-intake.queries.ts'
import { refuse } from './order-refusals.ts'
import { type PartOfLine, titleOf } from './order-stock.ts'
import { addShipped, advanceOrder, listShipmentLines, setShipmentUndone } from './shipments.queries.ts'
import { noSuchShipment } from './tracking.service.ts'

/** Locks the items of lines whose pieces return to the stock. Throws ORDER_STATE if an item was deleted. */
async function lockItemsOf(tx: TransactionSql, lines: readonly StoredLine[]): Promise<void> {
  const ids = lines.flatMap(({ item_id: id }) => (id === null ? [] : [id]))
  const items = await lockItems(tx, ids)
  for (const line of lines)
    if (line.item_id !== null && !items.has(line.item_id))
      refuse(`The item of ${titleOf(line)} is in the trash. Restore it first.`)
}

/**
 * Undoes a shipment: its pieces return to the stock, and to the reservation if they came from it. Returns them. Throws
 * ORDER_INVALID if the order has no such shipment, or ORDER_STATE if it can no longer be undone.
 */
export async function takeShipmentBack(
  tx: TransactionSql,
  order: KnownOrder,
  shipmentId: string,
  by: AuditContext,
): Promise<PartOfLine[]> {
  const held = await listShipmentLines(tx, { id: shipmentId, orderId: order.id })
  if (held.length === 0) throw noSuchShipment()
  const parts: PartOfLine[] = []
  const withoutMovement: PartOfLine[] = []
  const movements: Omit<NewMovement, 'orderId'>[] = []
  for (const {
    order_line_id: lineId,
    quantity,
    from_reserved: fromReserved,
    movement_id: movementId,
    was_returned_since: wasReturnedSince,
  } of held) {
    const line = order.lines.find((each) => each.id === lineId)
    if (!line) throw new Error('The order lacks a line that was shipped.')
    // A return after the shipment subtracted the average of all pieces that were shipped until then.
    if (wasReturnedSince || line.returned_quantity > line.shipped_quantity - quantity)
      refuse(`Pieces of ${titleOf(line)} came back from the customer, so this shipment cannot be taken back.`)
    parts.push({ line, quantity })
    if (movementId === null || line.item_id === null) {
      withoutMovement.push({ line, quantity: -quantity })
      continue
    }
    movements.push({
      itemId: line.item_id,
      kind: 'adjust',
      delta: quantity,
      reservedDelta: fromReserved,
      reason: UNDONE_REASON,
      orderLineId: lineId,
      undoesId: movementId,
    })
  }
  const moved = new Set(movements.map(({ orderLineId }) => orderLineId))
  await lockItemsOf(
    tx,
    parts.flatMap(({ line }) => (moved.has(line.id) ? [line] : [])),
  )
  await addShipped(tx, withoutMovement)
  await moveStockOfOrder(tx, order.id, movements, by)
  await setShipmentUndone(tx, shipmentId, by.now)
  await advanceOrder(tx, order.id, true, by.now)
  return parts
}

/**
 * Books returned pieces of an order into the stock, and those that are scrapped out of it again. Throws ORDER_STATE if
 * an item was deleted.
 */
export async function takeLinesBack(
  tx: TransactionSql,
  order: KnownOrder,
  parts: readonly (PartOfLine & { to: 'stock' | 'scrap'; reason: string | null })[],
  by: AuditContext,
): Promise<void> {
  await lockItemsOf(
    tx,
    parts.map(({ line }) => line),
  )
  const movements = parts.flatMap(({ line, quantity, to, reason }): Omit<NewMovement, 'orderId'>[] => {
    if (line.item_id === null) return []
    const movement = { itemId: line.item_id, orderLineId: line.id, reason }
    const back = { ...movement, kind: 'return' as const, delta: quantity }
    // Both movements are written together, so that the quantity is not low in between.
    return to === 'stock' ? [back] : [back, { ...movement, kind: 'scrap', delta: -quantity }]
  })
  await moveStockOfOrder(tx, order.id, movements, by)
}
