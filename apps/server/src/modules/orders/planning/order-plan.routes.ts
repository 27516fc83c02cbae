import { getOrderPlan, makeOrderPlan } from '@pegasus/contracts/orders/order-plan'
import type { Endpoints } from '../../../platform/http/endpoints.ts'
import type { OrderPlans } from './order-plan.service.ts'

export function addOrderPlanRoutes(endpoints: Endpoints, plans: OrderPlans): void {
  endpoints.add(getOrderPlan, async ({ params }) => plans.get(params.id))

  endpoints.add(makeOrderPlan, async ({ params, reply, caller }) => {
    const { status, body } = await plans.make(params.id, caller)
    reply.code(status)
    return body
  })
}
