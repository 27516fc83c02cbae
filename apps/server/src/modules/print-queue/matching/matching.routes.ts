import { assignPrintJob, listPrinterMatches } from '@pegasus/contracts/print-queue/matching'
import type { Endpoints } from '../../../platform/http/endpoints.ts'
import { type JobPresentation, presentJob } from '../jobs/jobs.present.ts'
import type { Matching } from './matching.service.ts'

export function addMatchingRoutes(
  endpoints: Endpoints,
  deps: JobPresentation & { matching: Matching },
): void {
  const { matching } = deps
  endpoints.add(listPrinterMatches, ({ params }) => matching.list(params.id))

  endpoints.add(assignPrintJob, async ({ params, body, user, audit }) => {
    const choice = { printerId: body.printer_id, isOverride: body.override, role: user.user.role }
    return presentJob(await matching.assign(params.id, choice, audit), deps)
  })
}
