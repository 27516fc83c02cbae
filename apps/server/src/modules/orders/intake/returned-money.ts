import { toMinor } from '@pegasus/contracts/money'
import type { AuditContext } from '../../../platform/actor.ts'
import type { TransactionSql } from '../../../platform/database/database.ts'
import { publish } from '../../events/index.ts'
import { type OrderRow, findOrder } from '../orders.queries.ts'
import { auditOrder } from './audited-order.ts'
import { saveKeptAfter } from './kept-after.ts'
import type { ShopFacts } from './line-skus.ts'
import { orderedLinesOf, piecesOut } from './line-changes.ts'
import {
  type KnownOrder,
  forgetMoneyReturned,
  isMoneyReturned,
  lockOrder,
  saveKeptMoney,
  saveMoneyReturned,
  updateOrder,
} from './order-intake.queries.ts'

/**
 * Books that the shop has refunded the whole total of an order although the customer has pieces of it. The rule for all
 * refunds: the revenue of an order is what the customer paid for its pieces minus what was given back. Refunded money
 * counts on the day of the refund, and does not wait until the pieces come back. So the whole price of the pieces
 * becomes their discount, and all other amounts are 0. The revenue is never below zero. Pieces that the shop refunds one
 * by one count when their return is booked, at their price, because a shop can send others for them. Does nothing if no
 * pieces are out or the refund was booked before. Returns the order if it was changed.
 */
export async function bookReturnedMoney(
  tx: TransactionSql,
  orderId: string,
  by: AuditContext,
): Promise<OrderRow | null> {
  const order = await lockOrder(tx, orderId)
  const before = await findOrder(tx, orderId)
  if (!order || !before || order.total_minor === 0 || piecesOut(order) === 0) return null
  const price = orderedLinesOf(order).reduce(
    (sum, line) => sum + (line.quantity - line.refunded_quantity) * line.unit_price_minor,
    0,
  )
  const amounts = {
    total_minor: 0,
    discount_minor: price,
    shipping_minor: order.shipping_minor && 0,
    surcharge_minor: order.surcharge_minor && 0,
    kept_minor: null,
    tax_minor: order.tax_minor && 0,
  }
  await updateOrder(tx, orderId, amounts, by.now)
  await saveMoneyReturned(tx, orderId)
  return announceChange(tx, before, by)
}

/**
 * Books the refund of an order that the shop has cancelled, but whose cancellation was refused here because the customer
 * has pieces of it. This is the refund of the whole total, or else the money that the shop keeps (`kept`), which counts
 * when the pieces are back. If `kept` is undefined, it is unknown, and nothing changes.
 */
export async function bookRefund(
  tx: TransactionSql,
  orderId: string,
  { isMoneyReturned: isReturned, kept: amount, keptAfter }: RefusedRefund,
  by: AuditContext,
): Promise<void> {
  if (isReturned) await bookReturnedMoney(tx, orderId, by)
  const order = isReturned ? null : await lockOrder(tx, orderId)
  const before = order && (await findOrder(tx, orderId))
  if (!order || !before || amount === undefined) return
  const kept = amount === null ? null : toMinor(amount, order.currency)
  if (kept === order.kept_minor) return
  await saveKeptMoney(tx, orderId, kept, by.now)
  await saveKeptAfter(tx, orderId, keptAfter, order.currency)
  await announceChange(tx, before, by)
}

type RefusedRefund = Pick<ShopFacts, 'isMoneyReturned' | 'keptAfter'> & { kept: number | null | undefined }

async function announceChange(
  tx: TransactionSql,
  before: OrderRow,
  by: AuditContext,
): Promise<OrderRow | null> {
  const after = await findOrder(tx, before.id)
  if (!after) return null
  await auditOrder(tx, 'order.updated', { before, after }, by)
  await publish(tx, { type: 'updated', entity: 'order', id: before.id })
  return after
}

/**
 * Returns the order without a booked refund of the whole total if the shop no longer reports it, for example because its
 * staff has deleted the refund. The amounts that the shop sends now then replace those of the refund.
 */
export async function withoutWithdrawnRefund(
  tx: TransactionSql,
  order: KnownOrder | null,
  { isMoneyReturned: isStillReturned }: Pick<ShopFacts, 'isMoneyReturned'>,
): Promise<KnownOrder | null> {
  if (order === null || isStillReturned || !isMoneyReturned(order)) return order
  return { ...order, source_told: await forgetMoneyReturned(tx, order.id) }
}
