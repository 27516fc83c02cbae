import * as z from 'zod/mini'
import { declareEndpoints } from '../endpoint.ts'
import { bulkIds } from '../fields.ts'
import { bulkResult } from '../stl-library/model-changes.ts'

const { post } = declareEndpoints('orders')

export const MAX_BULK_ORDERS = 100

/**
 * `ship` ships all remaining pieces of an order, and refuses an order for which the stock is not enough.
 * `cancel` releases the reserved pieces.
 */
export const ORDER_BULK_ACTIONS = [
  'reserve',
  'release',
  'ship',
  'hold',
  'resume',
  'cancel',
  'delete',
  'restore',
] as const
export type OrderBulkAction = (typeof ORDER_BULK_ACTIONS)[number]

const bulkOrdersResult = z.extend(bulkResult, {
  /** Print jobs of the cancelled orders that have not started. Only a person can cancel them. */
  proposed_cancellations: z.array(z.uuid()),
})
export type BulkOrdersResult = z.output<typeof bulkOrdersResult>

export const bulkOrders = post('/api/orders/bulk', 'staff', {
  summary: 'One action for many orders, each separately',
  body: z.object({
    ids: bulkIds('order', MAX_BULK_ORDERS),
    action: z.enum(ORDER_BULK_ACTIONS, `action is one of ${ORDER_BULK_ACTIONS.join(', ')}`),
  }),
  returns: bulkOrdersResult,
  errors: ['MALFORMED_REQUEST'],
})
