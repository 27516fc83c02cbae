import { getOrderPlan, makeOrderPlan } from '@pegasus/contracts/orders/order-plan'
import type { Endpoints } from '../../../platform/http/endpoints.ts'
import type { OrderPlans } from './order-plan.service.ts'

export function addOrderPlanRoutes(endpoints: Endpoints, plans: OrderPlans): void {
  endpoints.add(getOrderPlan, async ({ params }) => plans.get(params.id))

  endpoints.add(makeOrderPlan, async ({ params, reply, audit }) => {
    const made = await plans.make(params.id, audit)
    reply.code(made.jobs.length > 0 ? 201 : 200)
    return made
  })
}
