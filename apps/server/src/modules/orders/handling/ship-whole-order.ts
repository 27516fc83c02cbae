import type { AuditContext } from '../../../platform/actor.ts'
import type { Queryable } from '../../../platform/database/database.ts'
import { AppError } from '../../../platform/errors/app-error.ts'
import { writeAudit } from '../../audit/index.ts'
import { lockOrder } from '../intake/order-intake.queries.ts'
import { pieceLinesOf, remainingOf, shipParts } from './order-stock.ts'

/**
 * Ships everything that is left of an order in one parcel that is not reported to the shop, for orders that left the
 * house earlier. Throws ORDER_NOT_FOUND or STOCK_NOT_FREE.
 */
export async function shipWholeOrder(tx: Queryable, id: string, by: AuditContext): Promise<void> {
  const order = await lockOrder(tx, id)
  if (!order) throw new AppError('ORDER_NOT_FOUND')
  const parts = pieceLinesOf(order)
    .map((line) => ({ line, quantity: remainingOf(line) }))
    .filter(({ quantity }) => quantity > 0)
  if (parts.length === 0) return
  await shipParts(tx, order, parts, { notify_shop: false }, by)
  const items = parts.map(({ line, quantity }) => ({ sku: line.sku, name: line.name, quantity }))
  const entry = { entity: 'order', entityId: id, entityName: order.order_number } as const
  await writeAudit(tx, { action: 'order.shipped', ...entry, after: { status: 'completed', items } }, by)
}
