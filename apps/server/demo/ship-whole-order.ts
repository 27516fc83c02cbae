import type { AuditContext } from '../src/platform/actor.ts'
import type { Queryable } from '../src/platform/database/database.ts'
import { orThrow } from '../src/platform/errors/app-error.ts'
import { writeAudit } from '../src/modules/audit/index.ts'
import { lockOrder, updateOrder } from '../src/modules/orders/intake/order-intake.queries.ts'
import {
  type ShipmentDetails,
  pieceLinesOf,
  remainingOf,
  shipParts,
} from '../src/modules/orders/handling/order-stock.ts'

/**
 * Ships the rest of an order in one parcel that is not reported to the shop. It is for orders that were
 * shipped in the past. Throws ORDER_NOT_FOUND or STOCK_NOT_FREE.
 */
export async function shipWholeOrder(
  tx: Queryable,
  id: string,
  parcel: Pick<ShipmentDetails, 'carrier' | 'tracking_number' | 'postage_minor'>,
  by: AuditContext,
): Promise<void> {
  const order = orThrow(await lockOrder(tx, id), 'ORDER_NOT_FOUND')
  const parts = pieceLinesOf(order)
    .map((line) => ({ line, quantity: remainingOf(line) }))
    .filter(({ quantity }) => quantity > 0)
  if (parts.length === 0) return
  // The database keeps the postage of an order when its revision changes.
  await updateOrder(tx, id, {}, by.now)
  await shipParts(tx, order, parts, { ...parcel, notify_shop: false }, by)
  const items = parts.map(({ line, quantity }) => ({ sku: line.sku, name: line.name, quantity }))
  const entry = { entity: 'order', entityId: id, entityName: order.order_number } as const
  await writeAudit(tx, { action: 'order.shipped', ...entry, after: { status: 'completed', items } }, by)
}
