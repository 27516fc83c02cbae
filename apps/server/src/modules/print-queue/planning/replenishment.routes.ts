import { listReplenishment, makeReplenishment } from '@pegasus/contracts/print-queue/plan'
import type { Endpoints } from '../../../platform/http/endpoints.ts'
import type { Replenishment } from './replenishment.service.ts'

export function addReplenishmentRoutes(endpoints: Endpoints, replenishment: Replenishment): void {
  endpoints.add(listReplenishment, async () => replenishment.list())

  endpoints.add(makeReplenishment, async ({ body, reply, audit }) => {
    const made = await replenishment.make(body?.inventory_item_ids, audit)
    reply.code(made.jobs.length > 0 ? 201 : 200)
    return made
  })
}
