import { getPrintJob, listPrintJobSteps, listPrintQueue } from '@pegasus/contracts/print-queue'
import type { Endpoints } from '../../platform/http/endpoints.ts'
import { etagOf } from '../../platform/http/etag.ts'
import { sendPageHeaders } from '../../platform/http/paging.ts'
import type { PathSigner } from '../../platform/http/signed-path.ts'
import { presentJob, presentStep } from './print-queue.present.ts'
import type { PrintQueue } from './print-queue.service.ts'

export function addPrintQueueRoutes(
  endpoints: Endpoints,
  deps: { queue: PrintQueue; signer: PathSigner },
): void {
  const { queue, signer } = deps

  endpoints.add(listPrintQueue, async ({ query, request, reply }) => {
    const page = await queue.list(query)
    sendPageHeaders(request, reply, page)
    return page.items.map((row) => presentJob(row, signer))
  })

  endpoints.add(getPrintJob, async ({ params, reply }) => {
    const row = await queue.get(params.id)
    reply.header('etag', etagOf(row.revision))
    return presentJob(row, signer)
  })

  endpoints.add(listPrintJobSteps, async ({ params }) => {
    const steps = await queue.history(params.id)
    return steps.map(presentStep)
  })
}
