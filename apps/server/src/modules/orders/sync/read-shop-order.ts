import { type ReceiveOrderBody, receiveOrderBody } from '@pegasus/contracts/orders/order-body'
import type { ShopOrder } from '../../products/index.ts'

export type ReadShopOrder =
  | { body: ReceiveOrderBody; changedAt: Date | null }
  | { number: string | null; detail: string }

const momentOf = (value: unknown): Date | null => {
  const moment = typeof value === 'string' ? new Date(value) : null
  return moment && !Number.isNaN(moment.getTime()) ? moment : null
}

/** Checks an order of a shop by the rules of `POST /api/integration/orders`. Returns a sentence for one that breaks them. */
export function readShopOrder(order: ShopOrder): ReadShopOrder {
  const parsed = receiveOrderBody.safeParse(order)
  if (parsed.success) return { body: parsed.data, changedAt: momentOf(order['changed_at']) }
  const number = order['order_number']
  const detail = parsed.error.issues[0]?.message ?? 'This is no order.'
  return { number: typeof number === 'string' ? number.slice(0, 64) : null, detail }
}
