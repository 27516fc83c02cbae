import * as z from 'zod/mini'
import { declareEndpoints } from '../endpoint.ts'
import { bulkIds } from '../fields.ts'
import { bulkResult } from '../stl-library/model-changes.ts'

const { post } = declareEndpoints('orders')

export const MAX_BULK_ORDERS = 100

/** `ship` sends all that is left of an order, and refuses one that is not covered. */
export const ORDER_BULK_ACTIONS = [
  'reserve',
  'release',
  'ship',
  'hold',
  'resume',
  'delete',
  'restore',
] as const
export type OrderBulkAction = (typeof ORDER_BULK_ACTIONS)[number]

export const bulkOrders = post('/api/orders/bulk', 'staff', {
  summary: 'One action for many orders, each separately',
  body: z.object({
    ids: bulkIds('order', MAX_BULK_ORDERS),
    action: z.enum(ORDER_BULK_ACTIONS, `action is one of ${ORDER_BULK_ACTIONS.join(', ')}`),
  }),
  returns: bulkResult,
  errors: ['MALFORMED_REQUEST'],
})
