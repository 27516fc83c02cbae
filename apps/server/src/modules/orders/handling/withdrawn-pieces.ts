import { SHOP_NOTES } from '@pegasus/contracts/orders/shop-notes'
import type { AuditContext } from '../../../platform/actor.ts'
import type { TransactionSql } from '../../../platform/database/database.ts'
import { AppError } from '../../../platform/errors/app-error.ts'
import { writeAudit } from '../../audit/index.ts'
import { publish } from '../../events/index.ts'
import { type KnownOrder, lockOrder, updateOrder } from '../intake/order-intake.queries.ts'
import { findUnshippedRefunds } from '../intake/line-changes.ts'
import { type Sent, isReopened } from '../intake/received-order.ts'
import { replaceLines } from '../intake/replace-lines.ts'
import { type SentPieces, sentPiecesOf, sumBySku } from '../intake/sent-pieces.ts'
import { askToReportCompletion } from '../sync/reports/completions.queries.ts'
import { dropWithdrawnIgnored } from '../sync/reports/ignored-pieces.queries.ts'
import { auditItems, titleOf } from './order-stock.ts'
import { readPiecesTakenBack } from './shop-shipments.queries.ts'
import { advanceOrder } from './shipments.queries.ts'
import { takeShipmentBack } from './take-back.ts'
import { type CountedLine, listCountedLines, saveWithdrawn } from './withdrawn-pieces.queries.ts'

/** Groups the lines of shipments by shipment and ordered line, so that the parts of a set are together. */
const orderedLines = (lines: readonly CountedLine[]): CountedLine[][] => [
  ...Map.groupBy(lines, (line) => `${line.shipment_id} ${line.ordered_line_id}`).values(),
]

/**
 * Returns how many units of the ordered SKU are in a shipment: sets, or pieces if the line is no set. `piecesOf`
 * returns the pieces of a part.
 */
const unitsOf = (parts: readonly CountedLine[], piecesOf: (part: CountedLine) => number): number =>
  Math.max(...parts.map((part) => Math.ceil(piecesOf(part) / part.pieces_per_set)))

/** Returns the pieces of a line that the shop may still count as sent. */
const leftOf = ({ quantity, withdrawn_quantity: withdrawn }: CountedLine): number => quantity - withdrawn

/**
 * Marks up to `limit` units of each SKU as withdrawn (no longer counted by the shop) or, with `isBack`, as counted
 * again. Reduces the limits by the marked units. Returns the changed lines.
 */
function mark(lines: readonly CountedLine[], limits: Map<string, number>, isBack: boolean): CountedLine[] {
  const changed: CountedLine[] = []
  for (const parts of orderedLines(lines)) {
    const [{ sku } = { sku: '' }] = parts
    const piecesOf = isBack ? ({ withdrawn_quantity: pieces }: CountedLine) => pieces : leftOf
    const units = unitsOf(parts, piecesOf)
    const taken = Math.min(units, limits.get(sku) ?? 0)
    if (taken < 1) continue
    limits.set(sku, (limits.get(sku) ?? 0) - taken)
    for (const part of parts) {
      const pieces = Math.min(piecesOf(part), taken * part.pieces_per_set)
      part.withdrawn_quantity += isBack ? -pieces : pieces
      changed.push(part)
    }
  }
  return changed
}

/**
 * Marks the pieces of undone shipments as withdrawn if the shop cancelled their parcels before its change of the order
 * at `changedAt`. The counts alone may not show this cancellation, because the pieces may have been sent again since.
 * Returns the pieces that the shop counted as sent before this change, without the cancelled ones.
 */
export async function followCancelledParcels(
  tx: TransactionSql,
  order: KnownOrder,
  changedAt: Date | null,
): Promise<SentPieces[]> {
  const before = sentPiecesOf(order)
  if (changedAt === null) return before
  const cancelled = (await listCountedLines(tx, order.id)).filter(
    (line) => line.cancelled_at !== null && new Date(line.cancelled_at) < changedAt && leftOf(line) > 0,
  )
  const sent = sumBySku(before)
  for (const parts of orderedLines(cancelled)) {
    const [{ sku } = { sku: '' }] = parts
    sent.set(sku, Math.max(0, (sent.get(sku) ?? 0) - unitsOf(parts, leftOf)))
  }
  const withdrawn = cancelled.map((line) => ({ ...line, withdrawn_quantity: line.quantity }))
  await saveWithdrawn(tx, withdrawn)
  return [...sent].map(([sku, quantity]) => ({ sku, quantity }))
}

/** Undoes a shipment that the shop made. Returns whether that was possible. */
async function undoAtShop(
  tx: TransactionSql,
  orderId: string,
  shipmentId: string,
  by: AuditContext,
): Promise<boolean> {
  const order = await lockOrder(tx, orderId)
  if (!order) return false
  try {
    const parts = await takeShipmentBack(tx, order, shipmentId, by)
    const after = await lockOrder(tx, orderId)
    const refunds = after && findUnshippedRefunds(after)
    if (refunds) {
      await replaceLines(tx, after, refunds, by)
      await advanceOrder(tx, orderId, false, by.now)
      await askToReportCompletion(tx, orderId, by.now)
    }
    await updateOrder(tx, orderId, {}, by.now)
    const audited = { entity: 'order', entityId: orderId, entityName: order.order_number } as const
    const details = { items: auditItems(parts), reason: 'The shop cancelled its shipment.' }
    await writeAudit(tx, { action: 'order.shipment_undone', ...audited, after: details }, by)
    await publish(tx, { type: 'updated', entity: 'order', id: orderId })
    return true
  } catch (error) {
    // The undo throws before it writes anything. The pieces are then marked, so that the order shows them.
    if (error instanceof AppError && error.code === 'ORDER_STATE') return false
    throw error
  }
}

/**
 * Follows the shop if it counts more or fewer pieces as sent than before. If it counts fewer, the missing pieces are
 * first those of shipments that were undone here. Then the newest shipments that the shop made are undone. Pieces of
 * other shipments are only marked, so that the order shows them. If it counts more, marked pieces count again. Compares
 * only the SKUs in `next`. A cancelled order stays as it is, unless the shop now opens it (`told`). Returns the order
 * afterwards.
 */
export async function followSentCounts(
  tx: TransactionSql,
  order: KnownOrder,
  {
    before,
    next,
    told,
  }: {
    before: readonly SentPieces[]
    next: readonly SentPieces[]
    told: Pick<Sent, 'status' | 'changedAt'>
  },
  by: AuditContext,
): Promise<KnownOrder> {
  const earlier = sumBySku(before)
  const changes = [...sumBySku(next)].map(
    ([sku, quantity]) => [sku, quantity - (earlier.get(sku) ?? 0)] as const,
  )
  const isOver = order.status === 'cancelled' && !isReopened(told, order)
  if (isOver || changes.every(([, change]) => change === 0)) return order
  const falls = new Map(changes.flatMap(([sku, change]) => (change < 0 ? [[sku, -change] as const] : [])))
  const rises = new Map(changes.filter(([, change]) => change > 0))
  const lines = await listCountedLines(tx, order.id)
  const ofPeople = lines.filter((line) => !line.is_undone && !line.made_at_shop)
  // Shipments that the shop was not told of come last.
  const ofOthers = [...ofPeople.filter((line) => line.is_told), ...ofPeople.filter((line) => !line.is_told)]
  const changed = mark(ofOthers, rises, true)
  if (falls.size > 0) {
    const takenBack = await readPiecesTakenBack(tx, order.id)
    const absorbed = new Map(
      [...falls].map(([sku, fall]) => [sku, Math.max(0, Math.min(fall, takenBack.get(sku) ?? 0))]),
    )
    for (const [sku, pieces] of absorbed) falls.set(sku, (falls.get(sku) ?? 0) - pieces)
    // The shop probably took back the parcels that it cancelled on our request.
    const undone = lines
      .filter((line) => line.is_undone)
      .toSorted((a, b) => Number(a.cancelled_at === null) - Number(b.cancelled_at === null))
    changed.push(...mark(undone, absorbed, false))
    await dropWithdrawnIgnored(tx, order.id, absorbed)
    const ofShop = lines.filter((line) => !line.is_undone && line.made_at_shop)
    const kept: CountedLine[] = []
    for (const [id, parts] of Map.groupBy(ofShop, (line) => line.shipment_id)) {
      if (parts.every(({ sku }) => (falls.get(sku) ?? 0) < 1)) continue
      if (!(await undoAtShop(tx, order.id, id, by))) {
        kept.push(...parts)
        continue
      }
      // Pieces of the shipment that the shop still counts are booked again later.
      const all = new Map(parts.map(({ sku, quantity }) => [sku, quantity]))
      for (const part of orderedLines(parts)) {
        const [{ sku } = { sku: '' }] = part
        const units = unitsOf(part, ({ quantity }) => quantity)
        falls.set(sku, Math.max(0, (falls.get(sku) ?? 0) - units))
        all.set(sku, Number.MAX_SAFE_INTEGER)
      }
      changed.push(...mark(parts, all, false))
    }
    changed.push(...mark([...ofOthers, ...kept], falls, false))
  }
  await saveWithdrawn(tx, changed)
  return (await lockOrder(tx, order.id)) ?? order
}

/** Returns a sentence about pieces that are shipped here but that the shop no longer counts as sent, or null. */
export async function withdrawnNote(tx: TransactionSql, orderId: string): Promise<string | null> {
  const lines = (await listCountedLines(tx, orderId)).filter(
    (line) => !line.is_undone && line.withdrawn_quantity > 0,
  )
  if (lines.length === 0) return null
  const listed = orderedLines(lines).map((parts) => {
    const units = unitsOf(parts, ({ withdrawn_quantity: pieces }) => pieces)
    return `${units} of ${titleOf(parts[0]!)}`
  })
  return SHOP_NOTES.withdrawn(listed.join(', '))
}
