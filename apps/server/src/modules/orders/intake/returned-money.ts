import { toMinor } from '@pegasus/contracts/money'
import type { AuditContext } from '../../../platform/actor.ts'
import type { TransactionSql } from '../../../platform/database/database.ts'
import { publish } from '../../events/index.ts'
import { type OrderRow, findOrder } from '../orders.queries.ts'
import { auditOrder } from './audited-order.ts'
import { type RefundDays, saveRefundDays } from './refund-days.ts'
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
 * Books that the shop has refunded the whole total of an order although the customer has pieces of it. Revenue is what
 * the customer paid for the pieces, minus refunds, and never below zero. This refund counts on its own day, and not
 * when the pieces come back. So the discount becomes the whole price of the pieces, and all other amounts become 0. In
 * contrast, a refund of single pieces counts when their return is booked, at their price, because a shop can send other
 * pieces for them. Does nothing if the customer has no pieces, or if the refund is already booked. Returns the order if
 * it was changed.
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
 * Books the refund of an order that the shop has cancelled, although the cancellation was refused here because the
 * customer has pieces of it. Either the whole total was refunded, or the shop keeps some money (`kept`), which counts
 * when the pieces are back. If `kept` is undefined, it is unknown, and nothing changes.
 */
export async function bookRefund(
  tx: TransactionSql,
  orderId: string,
  { isMoneyReturned: isReturned, kept: amount, ...days }: RefusedRefund,
  by: AuditContext,
): Promise<void> {
  if (isReturned) {
    const returned = await bookReturnedMoney(tx, orderId, by)
    if (returned) await saveRefundDays(tx, orderId, days, returned.currency)
  }
  const order = isReturned ? null : await lockOrder(tx, orderId)
  const before = order && (await findOrder(tx, orderId))
  if (!order || !before || amount === undefined) return
  const kept = amount === null ? null : toMinor(amount, order.currency)
  if (kept === order.kept_minor) return
  await saveKeptMoney(tx, orderId, kept, by.now)
  await saveRefundDays(tx, orderId, { ...days, discountAfter: [] }, order.currency)
  await announceChange(tx, before, by)
}

type RefusedRefund = Pick<ShopFacts, 'isMoneyReturned' | keyof RefundDays> & {
  kept: number | null | undefined
}

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
 * If the shop no longer reports a booked refund of the whole total, for example because its staff has deleted the
 * refund, deletes the record of it. The amounts that the shop sends now then replace those of the refund. Returns the
 * order.
 */
export async function withoutWithdrawnRefund(
  tx: TransactionSql,
  order: KnownOrder | null,
  { isMoneyReturned: isStillReturned }: Pick<ShopFacts, 'isMoneyReturned'>,
): Promise<KnownOrder | null> {
  if (order === null || isStillReturned || !isMoneyReturned(order)) return order
  return { ...order, source_told: await forgetMoneyReturned(tx, order.id) }
}
