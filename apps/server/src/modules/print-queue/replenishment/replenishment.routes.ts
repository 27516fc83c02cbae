import { listReplenishment, makeReplenishment } from '@pegasus/contracts/print-queue/replenishment'
import {
  acceptReplenishment,
  dismissReplenishment,
  listReplenishmentProposals,
  proposeReplenishment,
  restoreReplenishment,
  updateReplenishmentSchedule,
} from '@pegasus/contracts/print-queue/replenishment'
import type { Endpoints } from '../../../platform/http/endpoints.ts'
import type { NightlyProposals } from './proposals.service.ts'
import type { Replenishment } from './replenishment.service.ts'

export function addReplenishmentRoutes(
  endpoints: Endpoints,
  { replenishment, proposals }: { replenishment: Replenishment; proposals: NightlyProposals },
): void {
  endpoints.add(listReplenishment, async ({ query }) => replenishment.list(query))

  endpoints.add(makeReplenishment, async ({ body, reply, caller }) => {
    const made = await replenishment.make(body?.inventory_item_ids, caller)
    reply.code(made.status)
    return made.body
  })

  endpoints.add(listReplenishmentProposals, () => proposals.list())

  endpoints.add(proposeReplenishment, ({ caller }) => proposals.proposeNow(caller))

  endpoints.add(acceptReplenishment, async ({ body, caller }) => ({
    jobs: await proposals.accept(body.items, caller),
  }))

  endpoints.add(dismissReplenishment, ({ body, audit }) => proposals.dismiss(body.ids, audit))

  endpoints.add(restoreReplenishment, ({ body, audit }) => proposals.restore(body.ids, audit))

  endpoints.add(updateReplenishmentSchedule, ({ body, audit }) => proposals.setSchedule(body, audit))
}
