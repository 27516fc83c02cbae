import * as z from 'zod/mini'
import { declareEndpoints } from '../endpoint.ts'
import { nullable } from '../fields.ts'
import { printJob } from '../print-queue/jobs.ts'
import { platePlan } from '../print-queue/plate-plan.ts'

/** Plans how the missing pieces of an order are printed in plates. */
const { get, post } = declareEndpoints('orders', { notFound: 'ORDER_NOT_FOUND' })

/** One line of an order. The parts of a set are separate lines. */
const planLine = z.object({
  line_id: z.uuid(),
  ordered: z.number(),
  shipped: z.number(),
  /** Number of queued pieces that are more than the order needs. */
  extra_queued: z.number(),
  /** Whether no item has the SKU of the line. No prints can be planned for such a line. */
  is_unknown: z.boolean(),
  ...platePlan,
})
export type PlanLine = z.output<typeof planLine>

/**
 * A print job of an open order that prints more pieces than the order needs. Extra pieces that a person queued on purpose do
 * not count. Only a person can lower or cancel it.
 */
const proposedReduction = z.object({
  job_id: z.uuid(),
  /** Label code of the job, such as `J-00003`. */
  job_code: z.string(),
  name: z.string(),
  /** Current number of pieces of the job. */
  quantity: z.number(),
  /**
   * Number of pieces to which a person can lower the job: the needed ones, but at least the good ones and those on a
   * printer. Null if the job waits and needs to print no further piece, so that a person can cancel it.
   */
  needed_quantity: nullable.number,
  /** Number of pieces by which the job is lowered. */
  fewer: z.number(),
  /** Revision of the job, for `If-Match`. */
  revision: z.number(),
})
export type ProposedReduction = z.output<typeof proposedReduction>

const orderPlan = z.object({
  order_id: z.uuid(),
  items: z.array(planLine),
  proposed_reductions: z.array(proposedReduction),
})
export type OrderPlan = z.output<typeof orderPlan>

export const getOrderPlan = get('/api/orders/:id/plan', 'signed-in', {
  summary: 'The missing pieces of an order, and the plates that would print them',
  returns: orderPlan,
})

export const makeOrderPlan = post('/api/orders/:id/plan', 'staff', {
  summary:
    'Queue the print jobs that an order needs; a repeated call queues only the pieces that are still missing (200: none)',
  creates: z.extend(orderPlan, { jobs: z.array(printJob) }),
  alternative: 200,
  errors: ['ORDER_STATE', 'MALFORMED_REQUEST', 'IDEMPOTENCY_KEY_REUSED'],
})
