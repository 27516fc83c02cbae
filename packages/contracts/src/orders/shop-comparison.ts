import * as z from 'zod/mini'
import { declareEndpoints } from '../endpoint.ts'
import { nullable } from '../fields.ts'

const { get } = declareEndpoints('orders')

const shopComparison = z.object({
  /** When the orders were last compared successfully. Null if they never were, or if no main site is configured. */
  compared_at: nullable.timestamp,
  /** The time of the last comparison that failed. A later successful comparison does not clear it. */
  failed_at: nullable.timestamp,
  /** Why the last comparison failed, as a readable message. Null if it succeeded. */
  problem: nullable.text,
})
export type ShopComparison = z.output<typeof shopComparison>

export const getShopComparison = get('/api/orders/comparison', 'staff', {
  summary: 'The last comparison of the orders with the main site, by the schedule or by a person',
  returns: shopComparison,
})
