import type { ReceiveOrderBody } from '@pegasus/contracts/orders/order-body'
import { type Clock, DAY_MS, addMs } from '../../../platform/clock.ts'
import type { Queryable } from '../../../platform/database/database.ts'
import { noteShopChangeOfItems } from '../../products/index.ts'
import { findItemsOfSkus } from '../skus/find-items.ts'
import { listItemsOfMappings } from '../skus/sku-mappings.queries.ts'
import { SHOP_CLOCK_OFFSET_MS } from '../sync/shop-clock.ts'
import type { ShopOrderName } from './order-intake.queries.ts'

/**
 * Time for which skipped orders are remembered. Shops repeat a message for a few days at most, and a comparison goes
 * back 90 days.
 */
const SKIPPED_ORDERS_KEPT_MS = 90 * DAY_MS

/**
 * Returns whether to skip an order that is not known here. A cancelled order is skipped, because shops cancel orders
 * that are not paid in time. An order is also skipped if its message is older than its cancellation. `changedAt` is the
 * time of the change at the shop, or null if the shop does not send it.
 */
export async function skipNeverKnown(
  tx: Queryable,
  { external_id: externalId = null, order_number: orderNumber, status, items = [] }: ReceiveOrderBody,
  { changedAt, now }: { changedAt: Date | null; now: Date },
): Promise<boolean> {
  const name = nameOf({ externalId, orderNumber })
  if (status !== 'cancelled') return changedAt !== null && (await isCancelledLater(tx, name, changedAt))
  const cancelledAt = changedAt ?? now
  await saveSkipped(tx, name, cancelledAt)
  await noteStockChange(tx, items, cancelledAt)
  return true
}

/**
 * Records that the shop has deleted an order that is not known here. Returns false, because no order was cancelled
 * here.
 */
export async function skipRemoved(tx: Queryable, externalId: string, removedAt: Date): Promise<false> {
  await saveSkipped(tx, nameOf({ externalId, orderNumber: null }), removedAt)
  return false
}

async function saveSkipped(tx: Queryable, name: string, cancelledAt: Date): Promise<void> {
  await tx`
    insert into skipped_orders (name, cancelled_at) values (${name}, ${cancelledAt})
    on conflict (name) do update set cancelled_at = greatest(skipped_orders.cancelled_at, excluded.cancelled_at)`
}

const nameOf = ({ externalId, orderNumber }: ShopOrderName): string =>
  externalId === null ? `number:${orderNumber}` : `id:${externalId}`

/**
 * Returns whether the shop cancelled the order at or after this change. Shops round times to whole seconds, so a change
 * with the time of the cancellation counts as the earlier one.
 */
async function isCancelledLater(tx: Queryable, name: string, changedAt: Date): Promise<boolean> {
  const rows = await tx`select from skipped_orders where name = ${name} and cancelled_at >= ${changedAt}`
  return rows.length > 0
}

/**
 * Records that a skipped order has changed the shop's own stock: the shop took the pieces from it and put them back,
 * and our stock may have been sent in between. The shop's clock may be behind ours, so the stock is sent again even if
 * it seems to have been sent shortly after the cancellation.
 */
async function noteStockChange(
  tx: Queryable,
  lines: readonly { sku: string }[],
  cancelledAt: Date,
): Promise<void> {
  const skus = lines.map(({ sku }) => sku)
  const found = await findItemsOfSkus(tx, lines)
  const mapped = await listItemsOfMappings(tx, skus)
  await noteShopChangeOfItems(tx, [...found.values(), ...mapped], addMs(cancelledAt, SHOP_CLOCK_OFFSET_MS))
}

/** Deletes the records of orders that were skipped long ago. */
export async function deleteOldSkippedOrders(sql: Queryable, clock: Clock): Promise<void> {
  await sql`delete from skipped_orders where cancelled_at < ${addMs(clock.now(), -SKIPPED_ORDERS_KEPT_MS)}`
}
