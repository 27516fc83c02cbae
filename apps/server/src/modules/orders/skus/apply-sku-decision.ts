import type { AuditAction } from '@pegasus/contracts/audit'
import type { AuditContext } from '../../../platform/actor.ts'
import type { TransactionSql } from '../../../platform/database/database.ts'
import { writeAudits } from '../../audit/index.ts'
import { publishAll } from '../../events/index.ts'
import { lockItems } from '../../inventory/index.ts'
import { releaseRest } from '../handling/order-stock.ts'
import { advanceOrder, clearPiecesLeftProblem } from '../handling/shipments.queries.ts'
import { lockOrder } from '../intake/order-intake.queries.ts'
import { bookMappedPieces } from '../intake/shop-problem.ts'
import { askToReportCompletion } from '../sync/reports/completions.queries.ts'
import {
  type ChangedOrder,
  type MappedItem,
  applySkuMappings,
  listChangedOrders,
  listMappedItems,
  listMappedReservations,
  listSkusToApply,
  listUnfinishedOrders,
  lockOrdersOfSku,
  lockSku,
  markCompletedByIgnoring,
  reopenOrders,
} from './sku-mappings.queries.ts'

/** A saved decision about a SKU, in the form in which the history of the changed orders shows it. */
export interface AppliedDecision {
  action: 'order.sku_mapped' | 'order.sku_ignored' | 'order.sku_forgotten'
  sku: string
  /** The items of a mapping. */
  items?: readonly Omit<MappedItem, 'item_id'>[]
  /**
   * Whether the decision is an earlier mapping, applied again because one of its items was restored. It then changes
   * only lines without an item.
   */
  isRestored?: boolean
}

/**
 * Applies a saved decision about a SKU to orders, writes an audit entry for each of them, and publishes the changes.
 * The caller must hold the lock of `lockSku`. Returns the ids of the changed orders. Throws ORDER_INVALID if a set has
 * too many pieces.
 */
export async function applySkuDecision(
  tx: TransactionSql,
  { action, sku, items, isRestored = false }: AppliedDecision,
  by: AuditContext,
): Promise<string[]> {
  await lockOrdersOfSku(tx, sku)
  if (action === 'order.sku_forgotten') await releaseMapped(tx, sku, by)
  const ids = await applySkuMappings(tx, { sku, isRestored }, by.now)
  const orders = await listChangedOrders(tx, ids)
  await auditOrders(tx, action, { orders, after: { sku, ...(items && { items }) } }, by)
  const reopened = await reopenOrders(tx, ids, by.now)
  const reopening = { status: 'in_progress', reason: 'Pieces of a SKU that was ignored are needed.' }
  await auditOrders(tx, 'order.reopened', { orders: reopened, after: reopening }, by)
  const unfinished = await listUnfinishedOrders(tx, ids)
  // The order can be complete now, for example because all lines except the ignored ones are shipped.
  for (const id of ids) {
    await bookMappedPieces(tx, id, by)
    await advanceOrder(tx, id, false, by.now)
    await clearPiecesLeftProblem(tx, id)
  }
  if (action === 'order.sku_ignored') {
    const completed = await markCompletedByIgnoring(tx, ids)
    const completion = { status: 'completed', reason: 'All pieces that are not ignored were shipped.' }
    await auditOrders(tx, 'order.completed', { orders: completed, after: completion }, by)
  }
  // These orders may have been completed without a parcel whose report would complete them in the shop.
  for (const id of unfinished) await askToReportCompletion(tx, id, by.now)
  await publishAll(
    tx,
    ids.map((id) => ({ type: 'updated', entity: 'order', id })),
  )
  return ids
}

/**
 * Applies the mappings to items that were just restored from the trash. They apply to lines without an item that
 * arrived while the items were in the trash. A mapping waits if another of its items is still in the trash.
 */
export async function applyRestoredMappings(
  tx: TransactionSql,
  itemIds: readonly string[],
  by: AuditContext,
): Promise<void> {
  for (const sku of await listSkusToApply(tx, itemIds)) {
    await lockSku(tx, sku)
    // Somebody may have removed the mapping in the meantime, or mapped the SKU to other items.
    if ((await listSkusToApply(tx, itemIds, sku)).length === 0) continue
    const items = await listMappedItems(tx, sku)
    await applySkuDecision(tx, { action: 'order.sku_mapped', sku, items, isRestored: true }, by)
  }
}

/** Releases the pieces that are reserved for lines only because their SKU is mapped. */
async function releaseMapped(tx: TransactionSql, sku: string, by: AuditContext): Promise<void> {
  const reserved = await listMappedReservations(tx, sku)
  // Lock the items of all orders at once and in a fixed sequence, so that other transactions with the same items cannot
  // cause a deadlock.
  await lockItems(
    tx,
    reserved.map((row) => row.item_id),
  )
  for (const [id, parts] of Map.groupBy(reserved, (row) => row.order_id)) {
    const order = await lockOrder(tx, id)
    if (order) await releaseRest(tx, order, parts, by)
  }
}

/** Writes one audit entry for each order, so that its history shows what the decision has changed. */
const auditOrders = (
  tx: TransactionSql,
  action: AuditAction,
  { orders, after }: { orders: readonly ChangedOrder[]; after: Record<string, unknown> },
  by: AuditContext,
): Promise<void> =>
  writeAudits(
    tx,
    orders.map(({ id, order_number: name }) => ({
      action,
      entity: 'order',
      entityId: id,
      entityName: name,
      after,
    })),
    by,
  )
