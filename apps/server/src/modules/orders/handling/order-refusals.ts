import { type OrderStatus, isOpenOrder } from '@pegasus/contracts/statuses'
import type { Queryable } from '../../../platform/database/database.ts'
import { AppError } from '../../../platform/errors/app-error.ts'
import type { KnownOrder } from '../intake/order-intake.queries.ts'
import { hasKeptMoney } from '../sales/sales.queries.ts'
import { hasLaterShipment } from './shipments.queries.ts'

/** Throws ORDER_STATE with the reason why an action is impossible. */
export const refuse = (message: string): never => {
  throw new AppError('ORDER_STATE', { text: message })
}

export const STATUS_WORDS: Readonly<Record<OrderStatus, string>> = {
  pending: 'pending',
  in_progress: 'in progress',
  on_hold: 'on hold',
  completed: 'completed',
  cancelled: 'cancelled',
}

/** Throws ORDER_STATE unless the order is open. */
export function assertOpen({ status, order_number: number }: KnownOrder): void {
  if (isOpenOrder(status)) return
  const advice = status === 'on_hold' ? ' Resume it first.' : ''
  refuse(`Order ${number} is ${STATUS_WORDS[status]}.${advice}`)
}

/** Throws ORDER_STATE if the sales report counts money of the order, which a deletion would remove. */
export async function assertDeletable(tx: Queryable, { id, lines }: KnownOrder): Promise<void> {
  if (lines.some((line) => line.shipped_quantity > 0))
    refuse('Pieces of this order were shipped, so it cannot be deleted.')
  if (await hasKeptMoney(tx, id))
    refuse('Money of this order is in the sales report, so the order cannot be deleted.')
}

/**
 * Throws ORDER_STATE if the order has a shipment with a higher number than `known`, the last one that the caller has
 * seen.
 */
export async function assertLastShipment(tx: Queryable, orderId: string, known?: number): Promise<void> {
  if (known !== undefined && (await hasLaterShipment(tx, orderId, known)))
    refuse('Pieces of this order were shipped in the meantime. Check what is left to ship.')
}
