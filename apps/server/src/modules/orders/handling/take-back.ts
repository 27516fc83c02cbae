import { UNDONE_REASON } from '@pegasus/contracts/inventory/stock-movements'
import type { AuditContext } from '../../../platform/actor.ts'
import type { TransactionSql } from '../../../platform/database/database.ts'
import { AppError } from '../../../platform/errors/app-error.ts'
import { type NewMovement, lockItems, moveStockOfOrder } from '../../inventory/index.ts'
import type { KnownOrder, StoredLine } from '../intake/order-intake.queries.ts'
import { refuse } from './order-refusals.ts'
import { type PartOfLine, pieces, titleOf } from './order-stock.ts'
import { type NewReturn, listReturnedParts, setReturnUndone } from './returns.queries.ts'
import { addShipped, advanceOrder, listShipmentLines, setShipmentUndone } from './shipments.queries.ts'
import { noSuchShipment } from './tracking.service.ts'

/**
 * Locks and returns the items of lines whose pieces return to the stock or leave it again. Throws ORDER_STATE if an
 * item is in the trash.
 */
async function lockItemsOf(tx: TransactionSql, lines: readonly StoredLine[]) {
  const ids = lines.flatMap(({ item_id: id }) => (id === null ? [] : [id]))
  const items = await lockItems(tx, ids)
  for (const line of lines)
    if (line.item_id !== null && !items.has(line.item_id))
      refuse(`The item of ${titleOf(line)} is in the trash. Restore it first.`)
  return items
}

/**
 * Undoes a shipment: its pieces return to the stock, and those that were reserved are reserved again. Returns these
 * pieces. Throws ORDER_INVALID if the order has no such shipment, or ORDER_STATE if it can no longer be undone.
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
    // The return was booked at the average cost of all pieces that were shipped by then, including this shipment.
    if (wasReturnedSince || line.returned_quantity > line.shipped_quantity - quantity)
      refuse(`Pieces of ${titleOf(line)} came back from the customer, so this shipment cannot be undone.`)
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

/** Returned pieces of a line that are not booked yet. */
export type ReturnedPieces = PartOfLine & Pick<NewReturn, 'to' | 'reason'>

/**
 * Books returned pieces into the stock, and books scrapped ones out of it again. Returns the pieces with their
 * movements. Throws ORDER_STATE if an item is in the trash.
 */
export async function takeLinesBack(
  tx: TransactionSql,
  order: KnownOrder,
  parts: readonly ReturnedPieces[],
  by: AuditContext,
): Promise<(ReturnedPieces & NewReturn)[]> {
  await lockItemsOf(
    tx,
    parts.map(({ line }) => line),
  )
  const movements = parts.flatMap(({ line, quantity, to, reason }): Omit<NewMovement, 'orderId'>[] => {
    if (line.item_id === null) return []
    const movement = { itemId: line.item_id, orderLineId: line.id, reason }
    const back = { ...movement, kind: 'return' as const, delta: quantity }
    // Both movements are written together, so that the quantity does not rise and fall again, which could report the
    // item as low again.
    return to === 'stock' ? [back] : [back, { ...movement, kind: 'scrap', delta: -quantity }]
  })
  const ids = (await moveStockOfOrder(tx, order.id, movements, by)).values()
  const nextId = (isMoved: boolean) => (isMoved ? (ids.next().value ?? null) : null)
  return parts.map((part) => {
    const isMoved = part.line.item_id !== null
    return {
      ...part,
      movementId: nextId(isMoved),
      scrapMovementId: nextId(isMoved && part.to === 'scrap'),
    }
  })
}

/**
 * Undoes a return that was booked by mistake: its pieces leave the stock again. Returns these pieces. Throws
 * ORDER_INVALID if the order has no such return, or ORDER_STATE if the pieces have left the stock or were counted
 * since.
 */
export async function undoReturnedPieces(
  tx: TransactionSql,
  order: KnownOrder,
  returnId: string,
  by: AuditContext,
): Promise<PartOfLine[]> {
  const key = { id: returnId, orderId: order.id }
  const lineOf = (lineId: string) => {
    const line = order.lines.find(({ id }) => id === lineId)
    if (!line) throw new Error('The order lacks a line that was returned.')
    return line
  }
  const returned = await listReturnedParts(tx, key)
  if (returned.length === 0) {
    const message = 'This order has no such return, or the return has already been undone.'
    throw new AppError('ORDER_INVALID', { text: message, errors: [{ path: 'return_id', message }] })
  }
  const items = await lockItemsOf(
    tx,
    returned.flatMap((row) => (row.movement_id === null ? [] : [lineOf(row.order_line_id)])),
  )
  // Read the pieces again, because somebody may have counted the items or undone the scrapping while this transaction
  // waited for the locks.
  const parts = (await listReturnedParts(tx, key)).map((row) => ({ ...row, line: lineOf(row.order_line_id) }))
  const moved = parts.filter(({ movement_id: id }) => id !== null)
  const free = new Map([...items].map(([id, item]) => [id, item.quantity - item.reserved_quantity]))
  const movements: Omit<NewMovement, 'orderId'>[] = []
  for (const { line, quantity, movement_id, scrap_movement_id: scrapId, was_counted_since } of moved) {
    const itemId = line.item_id ?? ''
    const movement = { itemId, kind: 'adjust' as const, orderLineId: line.id, reason: UNDONE_REASON }
    // The scrapping is undone before the return, so that the quantity does not fall in between.
    if (scrapId !== null) movements.push({ ...movement, delta: quantity, undoesId: scrapId })
    else {
      if (was_counted_since)
        refuse(`${titleOf(line)} was counted after this return, so the return cannot be undone.`)
      const left = Math.max(0, free.get(itemId) ?? 0)
      if (quantity > left)
        refuse(
          `${titleOf(line)}: ${pieces(quantity)} of this return went back to the stock, but the stock has only ${pieces(left)} free now. The return cannot be undone until they are back.`,
        )
      free.set(itemId, left - quantity)
    }
    movements.push({ ...movement, delta: -quantity, undoesId: movement_id })
  }
  await moveStockOfOrder(tx, order.id, movements, by)
  await setReturnUndone(tx, key, by.now)
  return parts.map(({ line, quantity }) => ({ line, quantity }))
}
