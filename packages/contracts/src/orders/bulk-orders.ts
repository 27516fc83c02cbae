import * as z from 'zod/mini'
import { declareEndpoints } from '../endpoint.ts'
import { bulkIds, nullable } from '../fields.ts'
import { bulkResult } from '../stl-library/model-changes.ts'

const { post } = declareEndpoints('orders')

export const MAX_BULK_ORDERS = 100

/**
 * `reserve` reserves the free pieces that are allocated to each order. It refuses an order that needs pieces but has
 * none allocated. `ship` ships all remaining pieces of an order, and refuses an order for which the stock is not
 * enough. `cancel` releases the reserved pieces.
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
  failed: z.array(
    z.object({
      id: z.uuid(),
      detail: z.string(),
      /**
       * The first of the other orders that have reserved the missing pieces, or to which they are allocated. Only for
       * `reserve` and `ship`.
       */
      promised_to: z.optional(
        z.object({ order_id: z.uuid(), order_number: z.string(), due_at: nullable.timestamp }),
      ),
    }),
  ),
  /** Orders of `changed` that got some pieces, but still need more. Only for `reserve`. */
  partly_reserved: z.array(z.uuid()),
  /** The new shipment of each order of `changed`. It can be undone. Only for `ship`. */
  shipments: z.array(z.object({ order_id: z.uuid(), shipment_id: z.uuid() })),
  /**
   * Print jobs of the cancelled or deleted orders that wait for their start or their next plate. Only a person can cancel
   * them.
   */
  proposed_cancellations: z.array(z.uuid()),
})
export type BulkOrdersResult = z.output<typeof bulkOrdersResult>

export const bulkOrders = post('/api/orders/bulk', 'staff', {
  summary: 'Apply one action to many orders, each separately',
  body: z.object({
    ids: bulkIds('order', MAX_BULK_ORDERS),
    action: z.enum(ORDER_BULK_ACTIONS, `action must be one of ${ORDER_BULK_ACTIONS.join(', ')}`),
  }),
  returns: bulkOrdersResult,
  errors: ['MALFORMED_REQUEST', 'IDEMPOTENCY_KEY_REUSED'],
})
