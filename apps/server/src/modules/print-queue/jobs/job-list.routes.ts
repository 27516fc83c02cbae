import { getPrintJob, listPrintJobSteps, listPrintQueue } from '@pegasus/contracts/print-queue/jobs'
import { listPlates } from '@pegasus/contracts/print-queue/plates'
import type { Clock } from '../../../platform/clock.ts'
import type { Endpoints } from '../../../platform/http/endpoints.ts'
import { mapPage } from '../../../platform/http/paging.ts'
import { trashCutoff } from '../../../platform/trash.ts'
import { type JobPresentation, presentJob, presentStep } from './jobs.present.ts'
import type { PrintQueue } from './job-list.service.ts'

export function addPrintQueueRoutes(
  endpoints: Endpoints,
  deps: JobPresentation & { queue: PrintQueue; clock: Clock },
): void {
  const { queue, clock } = deps

  endpoints.add(listPrintQueue, async ({ query }) => {
    const { deleted, inventory_item_id: itemId, unresolved_since: unresolvedSince, ...asked } = query
    const page = await queue.list({
      ...asked,
      itemId,
      unresolvedSince,
      ...(deleted && { inTrashSince: trashCutoff(clock.now()) }),
    })
    return mapPage(page, (row) => presentJob(row, deps))
  })

  endpoints.add(getPrintJob, async ({ params }) => presentJob(await queue.get(params.id), deps))

  endpoints.add(listPlates, async ({ params }) => queue.plates(params.id))

  endpoints.add(listPrintJobSteps, async ({ params }) => {
    const steps = await queue.history(params.id)
    return steps.map(presentStep)
  })
}
