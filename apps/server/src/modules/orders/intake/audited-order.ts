import { isDeepStrictEqual } from 'node:util'
import type { AuditAction } from '@pegasus/contracts/audit'
import type { AuditContext } from '../../../platform/actor.ts'
import type { TransactionSql } from '../../../platform/database/database.ts'
import { writeAudit } from '../../audit/index.ts'
import type { OrderRow } from '../orders.queries.ts'

/** Returns the fields of an order that the audit stores. */
const auditedOrder = (order: OrderRow) => ({
  order_number: order.order_number,
  customer_name: order.customer_name,
  customer_email: order.customer_email,
  shipping_address: order.shipping_address,
  status: order.status,
  total_minor: order.total_minor,
  shipping_minor: order.shipping_minor,
  surcharge_minor: order.surcharge_minor,
  kept_minor: order.kept_minor,
  tax_minor: order.tax_minor,
  discount_minor: order.discount_minor,
  fee_minor: order.fee_minor,
  currency: order.currency,
  placed_at: order.placed_at,
  due_at: order.due_at,
  external_id: order.external_id,
  notes: order.notes,
  items: order.lines
    .filter(({ set_line_id: set }) => set === null)
    .map(({ sku, name, quantity, unit_price_minor: price, refunded_quantity: refunded }) => ({
      sku,
      name,
      quantity,
      unit_price_minor: price,
      ...(refunded > 0 && { refunded_quantity: refunded }),
    })),
})

/** The audit action for each status that ends an order. */
const ENDINGS: Partial<Record<OrderRow['status'], AuditAction>> = {
  cancelled: 'order.cancelled',
  completed: 'order.completed',
}

/** Writes the audit entry of an order, with its fields before and after. */
export function auditOrder(
  tx: TransactionSql,
  action: AuditAction,
  { before, after }: { before?: OrderRow; after: OrderRow },
  by: AuditContext,
): Promise<void> {
  const order = { entity: 'order', entityId: after.id, entityName: after.order_number } as const
  const sides = { ...(before && { before: auditedOrder(before) }), after: auditedOrder(after) }
  return writeAudit(tx, { action, ...order, ...sides }, by)
}

/**
 * Writes the audit entries of a change. `status` is the received status. If it ends the order, that has a second audit
 * entry, after the entry for the other fields.
 */
export async function auditChange(
  tx: TransactionSql,
  { before, after, status }: { before: OrderRow; after: OrderRow; status: OrderRow['status'] | undefined },
  by: AuditContext,
): Promise<void> {
  const ending = status && ENDINGS[status]
  if (!ending) return auditOrder(tx, 'order.updated', { before, after }, by)
  const sides = { before: { ...before, status: after.status }, after }
  if (!isDeepStrictEqual(auditedOrder(sides.before), auditedOrder(after)))
    await auditOrder(tx, 'order.updated', sides, by)
  const order = { entity: 'order', entityId: after.id, entityName: after.order_number } as const
  const statuses = { before: { status: before.status }, after: { status: after.status } }
  await writeAudit(tx, { action: ending, ...order, ...statuses }, by)
}
