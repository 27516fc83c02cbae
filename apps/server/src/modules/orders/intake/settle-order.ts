import { isFinishedOrder } from '@pegasus/contracts/statuses'
import type { AuditContext } from '../../../platform/actor.ts'
import type { TransactionSql } from '../../../platform/database/database.ts'
import { writeAudit } from '../../audit/index.ts'
import { auditItems, releaseRest, shipAvailable } from '../handling/order-stock.ts'
import { advanceOrder } from '../handling/shipments.queries.ts'
import type { OrderRow } from '../orders.queries.ts'
import { askToReportCompletion } from '../sync/reports/completions.queries.ts'
import { owedPieces } from './line-changes.ts'
import { type KnownOrder, lockOrder, updateOrder } from './order-intake.queries.ts'
import type { OrderBody } from './received-order.ts'

/**
 * Adjusts the stock when a shop ends an order: releases the pieces of a cancelled order, or ships those of a completed
 * order. The history of the order shows these pieces.
 */
export async function settle(
  tx: TransactionSql,
  id: string,
  status: OrderRow['status'],
  by: AuditContext,
): Promise<void> {
  const order = await lockOrder(tx, id)
  if (!order) return
  if (status === 'cancelled') await releaseRest(tx, order, undefined, by)
  if (status !== 'completed') return
  const items = auditItems(await shipAvailable(tx, order, by))
  const audited = { entity: 'order', entityId: id, entityName: order.order_number } as const
  if (items.length > 0) await writeAudit(tx, { action: 'order.shipped', ...audited, after: { items } }, by)
}

/**
 * Sets the status of an order after a change of its lines. If no pieces are left to ship, completes the order. If a
 * completed order has more pieces to ship than before, sets it to in progress, unless the shop reports it as completed.
 */
export async function settleLines(
  tx: TransactionSql,
  known: KnownOrder,
  reportedStatus: OrderBody['status'],
  by: AuditContext,
): Promise<void> {
  await advanceOrder(tx, known.id, false, by.now)
  if (!isFinishedOrder(known.status)) await askToReportCompletion(tx, known.id, by.now)
  if (known.status !== 'completed' || reportedStatus === 'completed') return
  const after = await lockOrder(tx, known.id)
  if (after && owedPieces(after) > owedPieces(known))
    await updateOrder(tx, known.id, { status: 'in_progress' }, by.now)
}
