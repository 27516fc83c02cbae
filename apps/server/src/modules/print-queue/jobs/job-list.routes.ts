import { getPrintJob, listPrintJobSteps, listPrintQueue } from '@pegasus/contracts/print-queue/jobs'
import type { Clock } from '../../../platform/clock.ts'
import type { Endpoints } from '../../../platform/http/endpoints.ts'
import { mapPage } from '../../../platform/http/paging.ts'
import type { PathSigner } from '../../../platform/http/signed-path.ts'
import { trashCutoff } from '../../../platform/trash.ts'
import { presentJob, presentStep } from './jobs.present.ts'
import type { PrintQueue } from './job-list.service.ts'

export function addPrintQueueRoutes(
  endpoints: Endpoints,
  deps: { queue: PrintQueue; signer: PathSigner; clock: Clock },
): void {
  const { queue, signer, clock } = deps

  endpoints.add(listPrintQueue, async ({ query }) => {
    const { deleted, inventory_item_id: itemId, ...asked } = query
    const page = await queue.list({
      ...asked,
      itemId,
      ...(deleted && { inTrashSince: trashCutoff(clock.now()) }),
    })
    return mapPage(page, (row) => presentJob(row, signer))
  })

  endpoints.add(getPrintJob, async ({ params }) => presentJob(await queue.get(params.id), signer))

  endpoints.add(listPrintJobSteps, async ({ params }) => {
    const steps = await queue.history(params.id)
    return steps.map(presentStep)
  })
}
