import type { AuditContext } from '../../../platform/actor.ts'
import type { TransactionSql } from '../../../platform/database/database.ts'
import { writeAudit } from '../../audit/index.ts'
import { auditItems, releaseRest, shipAvailable } from '../handling/order-stock.ts'
import type { OrderRow } from '../orders.queries.ts'
import { lockOrder } from './order-intake.queries.ts'

/**
 * Adjusts the stock when a shop ends an order. A cancelled order frees its pieces; a completed order ships
 * them. The history shows the freed and the shipped pieces.
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
