import * as z from 'zod/mini'
import { declareEndpoints } from '../endpoint.ts'
import { isWellFormed, nullable, requiredText, timestamp } from '../fields.ts'
import { ORDER_NUMBER_MAX_LENGTH } from './order-body.ts'

const { get, post } = declareEndpoints('orders')

/** An order of the shop that was refused and is therefore not stored. */
const refusedOrder = z.object({
  order_number: z.string(),
  /** The reason, as a readable message. */
  detail: z.string(),
  /** When it was refused for this reason. */
  refused_at: timestamp,
  /** The address of the order in the shop's own administration, or of its list of orders. */
  shop_url: nullable.text,
})
export type RefusedOrder = z.output<typeof refusedOrder>

/** Maximum number of refused orders in a response. */
export const MAX_REFUSED_ORDERS = 100

export const listRefusedOrders = get('/api/orders/refused', 'staff', {
  summary: `Orders of the shop that could not be received, latest first, at most ${MAX_REFUSED_ORDERS}`,
  returns: z.array(refusedOrder),
})

export const dismissRefusedOrder = post('/api/orders/refused/dismiss', 'staff', {
  summary: 'Remove a refused order from the list; it returns if the shop sends it again',
  body: z.object({
    order_number: requiredText(ORDER_NUMBER_MAX_LENGTH, 'order_number', undefined, isWellFormed),
  }),
  returns: z.object({ order_number: z.string() }),
  errors: ['MALFORMED_REQUEST'],
})
