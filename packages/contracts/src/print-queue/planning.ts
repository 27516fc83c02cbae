import * as z from 'zod/mini'
import { nullable } from '../fields.ts'
import { declareEndpoints } from '../endpoint.ts'
import { printJob } from './jobs.ts'

/**
 * Plans how missing pieces are printed in plates: for the lines of an order, and for items at their reorder
 * point.
 */
const orders = declareEndpoints('orders', { notFound: 'ORDER_NOT_FOUND' })
const inventory = declareEndpoints('inventory')

/** Missing pieces, and how they are printed. */
const proposal = {
  inventory_item_id: nullable.id,
  name: z.string(),
  sku: nullable.text,
  /** Number of pieces in stock that are free or reserved for this line or item. */
  on_shelf: z.number(),
  /** Number of pieces that unfinished print jobs will still produce. */
  queued: z.number(),
  /** Number of missing pieces for which there is no print job yet. */
  missing: z.number(),
  /** Number of pieces in one print. Null means that one print makes all pieces. */
  pieces_per_plate: nullable.number,
  plates: z.number(),
  /**
   * Number of pieces that are printed besides the missing ones, because so many will probably be rejected. The share
   * comes from the item's counted pieces; it is 0 until ten were counted.
   */
  expected_rejects: z.number(),
  /** Number of pieces on the last plate that exceed the missing and the rejected ones. They go into stock. */
  surplus: z.number(),
  /** The calculation as text, such as `10 ordered − 3 on the shelf = 7 → 2 plates of 4 → 1 to stock`. */
  sentence: z.string(),
}

/** One line of an order. The parts of a set are separate lines. */
const planLine = z.object({ line_id: z.uuid(), ordered: z.number(), shipped: z.number(), ...proposal })
export type PlanLine = z.output<typeof planLine>

const orderPlan = z.object({ order_id: z.uuid(), items: z.array(planLine) })
export type OrderPlan = z.output<typeof orderPlan>

export const getOrderPlan = orders.get('/api/orders/:id/plan', 'signed-in', {
  summary: 'The missing pieces of an order, and the plates that would print them',
  returns: orderPlan,
})

export const makeOrderPlan = orders.post('/api/orders/:id/plan', 'staff', {
  summary:
    'Queue the print jobs that an order needs; a repeated call queues only the pieces that are still missing (200: none)',
  creates: z.extend(orderPlan, { jobs: z.array(printJob) }),
  alternative: 200,
  errors: ['ORDER_STATE'],
})

/** An item at or below its reorder point. `target` is the number of pieces that should be in stock. */
export const replenishmentLine = z.object({
  ...proposal,
  inventory_item_id: z.uuid(),
  reorder_point: z.number(),
  target: z.number(),
})
export type ReplenishmentLine = z.output<typeof replenishmentLine>

export const listReplenishment = inventory.get('/api/inventory/replenishment', 'staff', {
  summary: 'Items at or below their reorder point, and the plates that would restock them',
  returns: z.array(replenishmentLine),
})

export const makeReplenishment = inventory.post('/api/inventory/replenishment', 'staff', {
  summary:
    'Queue the print jobs of the proposals, or of some items; a repeated call queues only the pieces that are still missing (200: none)',
  body: z.nullish(
    z.object({
      /** The default is all items of the list. */
      inventory_item_ids: z.optional(
        z.array(z.uuid('inventory_item_ids must contain only ids')).check(z.maxLength(1000)),
      ),
    }),
  ),
  creates: z.object({ items: z.array(replenishmentLine), jobs: z.array(printJob) }),
  alternative: 200,
  errors: ['MALFORMED_REQUEST'],
})
