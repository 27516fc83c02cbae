import {
  createPrintJob,
  deletePrintJob,
  reorderPrintQueue,
  restorePrintJob,
  updatePrintJob,
} from '@pegasus/contracts/print-queue/job-changes'
import {
  cancelPrintJob,
  completeQueuedJob,
  failQueuedJob,
  holdPrintJob,
  pausePrintJob,
  requeuePrintJob,
  resumePrintJob,
  startPrintJob,
  undoCompletion,
} from '@pegasus/contracts/print-queue/steps'
import { mergePrintJobs, splitPrintJob } from '@pegasus/contracts/print-queue/split-and-merge'
import type { Endpoints } from '../../../platform/http/endpoints.ts'
import { requiredRevisionIn, revisionIn } from '../../../platform/http/etag.ts'
import type { Jobs } from './jobs.service.ts'
import { type JobPresentation, presentJob } from './jobs.present.ts'
import type { JobSteps } from '../steps/steps.service.ts'

import type { SplitAndMerge } from './split-and-merge.service.ts'

interface JobRoutesDeps extends JobPresentation {
  jobs: Jobs
  steps: JobSteps
  parts: SplitAndMerge
}

export function addJobRoutes(endpoints: Endpoints, deps: JobRoutesDeps): void {
  const { jobs, parts } = deps
  const show = (row: Parameters<typeof presentJob>[0]) => presentJob(row, deps)

  endpoints.add(createPrintJob, async ({ body, caller }) => (await jobs.add(body, caller)).body)

  endpoints.add(updatePrintJob, async ({ params, body, request, audit }) => {
    const revision = requiredRevisionIn(request)
    return show(await jobs.update(params.id, body, revision, audit))
  })

  endpoints.add(deletePrintJob, async ({ params, request, audit }) => {
    await jobs.remove(params.id, revisionIn(request), audit)
  })

  endpoints.add(restorePrintJob, async ({ params, audit }) => show(await jobs.restore(params.id, audit)))

  endpoints.add(reorderPrintQueue, async ({ body, audit }) =>
    show(await jobs.move(body.id, body.before_id, audit)),
  )

  endpoints.add(
    splitPrintJob,
    async ({ params, body, caller }) => (await parts.split(params.id, body.quantity, caller)).body,
  )

  endpoints.add(mergePrintJobs, async ({ params, body, audit }) =>
    show(await parts.merge(params.id, body.job_id, audit)),
  )
}

/**
 * Converts the reported filament, time and plate of a request body to the names of the service. Absent fields are left
 * out.
 */
const usedIn = (
  body:
    | {
        used_grams?: number | number[] | undefined
        print_minutes?: number | undefined
        filament_id?: string | undefined
        plate_id?: string | undefined
      }
    | null
    | undefined,
) => ({
  ...(body?.print_minutes !== undefined && { printMinutes: body.print_minutes }),
  ...(body?.plate_id !== undefined && { plateId: body.plate_id }),
  ...(body?.used_grams !== undefined &&
    (Array.isArray(body.used_grams) ? { gramsByTool: body.used_grams } : { usedGrams: body.used_grams })),
  ...(body?.filament_id !== undefined && { spoolId: body.filament_id }),
})

const reasonIn = (body: { reason?: string | null | undefined } | null | undefined) =>
  body?.reason ? { reason: body.reason } : {}

export function addJobStepRoutes(endpoints: Endpoints, deps: JobRoutesDeps): void {
  const { steps } = deps
  const show = (row: Parameters<typeof presentJob>[0]) => presentJob(row, deps)

  endpoints.add(startPrintJob, ({ params, body, caller }) => {
    const on = {
      printer: body?.printer ?? null,
      ...(body?.filament_id && { spoolId: body.filament_id }),
      ...(body?.pieces !== undefined && { pieces: body.pieces }),
    }
    return steps.start(params.id, on, caller)
  })

  endpoints.add(completeQueuedJob, async ({ params, body, caller }) => {
    const counts = {
      ...(body?.good_quantity !== undefined && { good: body.good_quantity }),
      ...(body?.rejected_quantity !== undefined && { rejected: body.rejected_quantity }),
    }
    const bed = body?.cleared === undefined ? {} : { isOnBed: !body.cleared }
    const step = { to: 'completed', ...counts, ...bed, ...reasonIn(body), ...usedIn(body) } as const
    return steps.complete(params.id, step, caller)
  })

  endpoints.add(undoCompletion, async ({ params, audit }) => show(await steps.undo(params.id, audit)))

  endpoints.add(failQueuedJob, async ({ params, body, audit }) => {
    const { reason, good_quantity: good, rejected_quantity: rejected } = body
    const step = {
      to: 'failed',
      reason,
      ...(good !== undefined && { good }),
      ...(rejected !== undefined && { rejected }),
      ...usedIn(body),
    } as const
    return show(await steps.advance(params.id, step, audit))
  })

  endpoints.add(cancelPrintJob, async ({ params, body, audit }) => {
    const step = {
      to: 'cancelled',
      ...reasonIn(body),
      ...usedIn(body),
      onlyIfWaiting: body?.only_if_not_started ?? false,
    } as const
    return show(await steps.advance(params.id, step, audit))
  })

  endpoints.add(holdPrintJob, async ({ params, body, audit }) => {
    const step = { to: 'on_hold', ...reasonIn(body), ...usedIn(body) } as const
    return show(await steps.advance(params.id, step, audit))
  })

  endpoints.add(pausePrintJob, async ({ params, body, audit }) =>
    show(await steps.pause(params.id, { command: 'pause', plateId: body?.plate_id }, audit)),
  )

  endpoints.add(resumePrintJob, async ({ params, body, audit }) =>
    show(await steps.pause(params.id, { command: 'resume', plateId: body?.plate_id }, audit)),
  )

  endpoints.add(requeuePrintJob, async ({ params, body, reply, caller }) => {
    const how = { undoesStart: body?.undo_start ?? false, ...reasonIn(body), ...usedIn(body) }
    const answer = await steps.requeue(params.id, how, caller)
    reply.code(answer.status)
    return answer.body
  })
}
