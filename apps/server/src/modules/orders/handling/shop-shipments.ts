import { SHOP_NOTES } from '@pegasus/contracts/orders/shop-notes'
import { isFinishedOrder } from '@pegasus/contracts/statuses'
import { v7 as uuidv7 } from 'uuid'
import { type AuditContext, actorColumns } from '../../../platform/actor.ts'
import type { TransactionSql } from '../../../platform/database/database.ts'
import { writeAudit } from '../../audit/index.ts'
import { publish } from '../../events/index.ts'
import { readUnitCosts } from '../../inventory/index.ts'
import { type KnownOrder, type StoredLine, lockOrder, updateOrder } from '../intake/order-intake.queries.ts'
import { orderedLinesOf, shippedOf } from '../intake/line-changes.ts'
import type { SentPieces } from '../intake/sent-pieces.ts'
import { askToReportCompletion } from '../sync/reports/completions.queries.ts'
import {
  type PartOfLine,
  auditItems,
  partsInStock,
  pieceLinesOf,
  remainingOf,
  shipParts,
  titleOf,
} from './order-stock.ts'
import { addShipped, advanceOrder, insertShipment, insertShipmentLines } from './shipments.queries.ts'
import { listSentWithoutStock, readPiecesTakenBack } from './shop-shipments.queries.ts'

/**
 * Returns the pieces that the shop's own staff sent and that are not booked here yet. `sent` also contains the pieces
 * of our shipments that were reported to the shop. `unknown` are pieces whose SKU is unknown here.
 */
async function findUnbookedParts(
  tx: TransactionSql,
  order: KnownOrder,
  sent: readonly SentPieces[],
): Promise<{ parts: PartOfLine[]; unknown: PartOfLine[] }> {
  const parts: PartOfLine[] = []
  const unknown: PartOfLine[] = []
  const takenBack = sent.length > 0 ? await readPiecesTakenBack(tx, order.id) : new Map<string, number>()
  for (const [sku, entries] of Map.groupBy(sent, (entry) => entry.sku.toUpperCase())) {
    const lines = orderedLinesOf(order).filter((line) => line.sku.toUpperCase() === sku)
    const known = lines.reduce((sum, line) => sum + shippedOf(order, line), takenBack.get(sku) ?? 0)
    let left = entries.reduce((sum, { quantity }) => sum + quantity, -known)
    for (const line of lines) {
      const quantity = Math.min(left, line.quantity - shippedOf(order, line))
      if (quantity <= 0) continue
      left -= quantity
      if (line.is_set) parts.push(...partsOfSet(order, line, quantity))
      else if (line.item_id === null && !line.is_ignored) unknown.push({ line, quantity })
      else parts.push({ line, quantity })
    }
  }
  return { parts, unknown }
}

const partsOfSet = (order: KnownOrder, set: StoredLine, sets: number): PartOfLine[] =>
  order.lines
    .filter((line) => line.set_line_id === set.id)
    .map((line) => ({ line, quantity: Math.min(remainingOf(line), sets * (line.pieces_per_set ?? 1)) }))
    .filter(({ quantity }) => quantity > 0)

/** Adds a shipment whose pieces are not taken from the stock. */
async function shipWithoutStock(
  tx: TransactionSql,
  order: KnownOrder,
  parts: readonly PartOfLine[],
  { at, made_at_shop, costs }: { at: Date; made_at_shop: boolean; costs: ReadonlyMap<string, number | null> },
  by: AuditContext,
): Promise<void> {
  if (parts.length === 0) return
  const id = uuidv7()
  const details = { notify_shop: false, made_at_shop }
  await insertShipment(tx, { id, orderId: order.id, ...details, by: actorColumns(by.actor), now: at })
  await addShipped(tx, parts)
  await advanceOrder(tx, order.id, false, by.now)
  await insertShipmentLines(
    tx,
    parts.map(({ line, quantity }) => ({
      shipment_id: id,
      order_line_id: line.id,
      quantity,
      from_reserved: 0,
      unit_cost_minor: line.item_id === null ? null : (costs.get(line.item_id) ?? null),
      movement_id: null,
    })),
  )
}

/**
 * Books pieces that were shipped before the stock was kept here: on the day of the order, without a stock movement and
 * without a cost.
 */
const shipBeforeStock = (
  tx: TransactionSql,
  order: KnownOrder,
  parts: readonly PartOfLine[],
  by: AuditContext,
) =>
  shipWithoutStock(
    tx,
    order,
    parts,
    { at: new Date(order.placed_at), made_at_shop: false, costs: new Map() },
    by,
  )

/**
 * Books the pieces of an unfinished order that the shop's own staff sent, so that they are not sent again. Takes them
 * from the stock, as far as it has them. With `isHistory`, they were sent before the stock was kept here, and take
 * nothing from it. Otherwise, if they complete the order, the shop is asked to complete it, too, because it may still
 * expect pieces that are ignored here. Returns whether pieces were booked.
 */
export async function bookSentPieces(
  tx: TransactionSql,
  orderId: string,
  { sent, isHistory }: { sent: readonly SentPieces[]; isHistory: boolean },
  by: AuditContext,
): Promise<boolean> {
  const order = sent.some(({ quantity }) => quantity > 0) ? await lockOrder(tx, orderId) : null
  if (!order || isFinishedOrder(order.status)) return false
  const { parts } = await findUnbookedParts(tx, order, sent)
  if (parts.length === 0) return false
  await updateOrder(tx, orderId, {}, by.now)
  if (isHistory) await shipBeforeStock(tx, order, parts, by)
  else {
    await shipAtShop(tx, order, parts, by)
    await askToReportCompletion(tx, orderId, by.now)
  }
  const audited = { entity: 'order', entityId: orderId, entityName: order.order_number } as const
  await writeAudit(tx, { action: 'order.shipped', ...audited, after: { items: auditItems(parts) } }, by)
  await publish(tx, { type: 'updated', entity: 'order', id: orderId })
  return true
}

/**
 * Books parts that the shop has sent. Pieces that are not in stock are in a second shipment, without a stock movement.
 */
async function shipAtShop(
  tx: TransactionSql,
  order: KnownOrder,
  parts: readonly PartOfLine[],
  by: AuditContext,
): Promise<void> {
  const ignored = parts.filter(({ line }) => line.is_ignored)
  const inStock = await partsInStock(
    tx,
    parts.filter(({ line }) => !line.is_ignored),
  )
  const shipped = [...inStock, ...ignored]
  const details = { notify_shop: false, made_at_shop: true }
  if (shipped.length > 0) await shipParts(tx, order, shipped, details, by)
  const lacking = parts
    .map(({ line, quantity }) => {
      const done = shipped.find((part) => part.line.id === line.id)?.quantity ?? 0
      return { line, quantity: quantity - done }
    })
    .filter(({ quantity }) => quantity > 0)
  const itemIds = lacking.flatMap(({ line }) => line.item_id ?? [])
  const costs = await readUnitCosts(tx, itemIds, order.currency)
  await shipWithoutStock(tx, order, lacking, { at: by.now, made_at_shop: true, costs }, by)
}

/**
 * Books all pieces of a completed order from before the stock was kept here as shipped. Only pieces that the shop adds
 * later are then missing.
 */
export async function bookHistory(tx: TransactionSql, order: KnownOrder, by: AuditContext): Promise<void> {
  const all = pieceLinesOf(order).map((line) => ({ line, quantity: remainingOf(line) }))
  const parts = all.filter(({ line, quantity }) => quantity > 0 && !line.is_ignored)
  await shipBeforeStock(tx, order, parts, by)
  await updateOrder(tx, order.id, { is_history: false }, by.now)
}

const listed = (pieces: readonly (Pick<StoredLine, 'sku' | 'name'> & { quantity: number })[]): string =>
  pieces.map((line) => `${line.quantity} of ${titleOf(line)}`).join(', ')

/**
 * Returns the notes about pieces of an unfinished order that the shop's own staff sent but that the stock lacks or
 * whose SKU is unknown, one note per line. Returns null if there are none.
 */
export async function sentPiecesNote(
  tx: TransactionSql,
  orderId: string,
  sent: readonly SentPieces[],
): Promise<string | null> {
  if (sent.every(({ quantity }) => quantity === 0)) return null
  const order = await lockOrder(tx, orderId)
  if (!order || isFinishedOrder(order.status)) return null
  const withoutStock = await listSentWithoutStock(tx, orderId)
  const { unknown } = await findUnbookedParts(tx, order, sent)
  const unknownLines = unknown.map(({ line: { sku, name }, quantity }) => ({ sku, name, quantity }))
  const notes = [
    withoutStock.length > 0 && SHOP_NOTES.sentWithoutStock(listed(withoutStock)),
    unknownLines.length > 0 && SHOP_NOTES.sentUnknown(listed(unknownLines)),
  ]
  return notes.filter(Boolean).join('\n') || null
}
