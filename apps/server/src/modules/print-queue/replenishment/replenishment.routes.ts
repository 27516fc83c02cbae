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
  endpoints.add(listReplenishment, async () => replenishment.list())

  endpoints.add(makeReplenishment, async ({ body, reply, audit }) => {
    const made = await replenishment.make(body?.inventory_item_ids, audit)
    reply.code(made.jobs.length > 0 ? 201 : 200)
    return made
  })

  endpoints.add(listReplenishmentProposals, () => proposals.list())

  endpoints.add(proposeReplenishment, ({ audit }) => proposals.proposeNow(audit))

  endpoints.add(acceptReplenishment, async ({ body, audit }) => ({
    jobs: await proposals.accept(body.items, audit),
  }))

  endpoints.add(dismissReplenishment, ({ body, audit }) => proposals.dismiss(body.ids, audit))

  endpoints.add(restoreReplenishment, ({ body, audit }) => proposals.restore(body.ids, audit))

  endpoints.add(updateReplenishmentSchedule, ({ body, audit }) => proposals.setSchedule(body, audit))
}
