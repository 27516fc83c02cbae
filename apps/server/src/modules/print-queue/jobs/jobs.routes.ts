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
  requeuePrintJob,
  startPrintJob,
} from '@pegasus/contracts/print-queue/steps'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { auditContextOf } from '../../../platform/actor.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Endpoints } from '../../../platform/http/endpoints.ts'
import { etagOf, requiredRevisionIn, revisionIn } from '../../../platform/http/etag.ts'
import { idempotencyKeyOf } from '../../../platform/http/idempotency.ts'
import type { UserPrincipal } from '../../../platform/http/principal.ts'
import type { PathSigner } from '../../../platform/http/signed-path.ts'
import type { Jobs, Queuer } from './jobs.service.ts'
import { presentJob } from './jobs.present.ts'
import type { JobSteps } from '../steps/steps.service.ts'

interface JobRoutesDeps {
  keeping: Jobs
  steps: JobSteps
  clock: Clock
  signer: PathSigner
}

const queuerOf = (request: FastifyRequest, user: UserPrincipal, clock: Clock): Queuer => ({
  accountId: user.accountId,
  idempotencyKey: idempotencyKeyOf(request),
  deed: auditContextOf(request, user, clock),
})

const showWith = (signer: PathSigner) => (row: Parameters<typeof presentJob>[0], reply: FastifyReply) => {
  reply.header('etag', etagOf(row.revision))
  return presentJob(row, signer)
}

export function addJobRoutes(endpoints: Endpoints, deps: JobRoutesDeps): void {
  const { keeping, clock, signer } = deps
  const show = showWith(signer)

  endpoints.add(createPrintJob, async ({ body, user, request, reply }) => {
    const answer = await keeping.add(body, queuerOf(request, user, clock))
    reply.header('etag', etagOf(answer.body.revision))
    return answer.body
  })

  endpoints.add(updatePrintJob, async ({ params, body, user, request, reply }) => {
    const revision = requiredRevisionIn(request)
    return show(await keeping.update(params.id, body, revision, auditContextOf(request, user, clock)), reply)
  })

  endpoints.add(deletePrintJob, async ({ params, user, request }) => {
    await keeping.remove(params.id, revisionIn(request), auditContextOf(request, user, clock))
  })

  endpoints.add(restorePrintJob, async ({ params, user, request, reply }) =>
    show(await keeping.restore(params.id, auditContextOf(request, user, clock)), reply),
  )

  endpoints.add(reorderPrintQueue, async ({ body, user, request, reply }) =>
    show(await keeping.move(body.id, body.before_id, auditContextOf(request, user, clock)), reply),
  )
}

/** The given fields of a step; absent ones are undefined. */
const usedIn = (
  body: { used_grams?: number | undefined; filament_id?: string | undefined } | null | undefined,
) => ({
  ...(body?.used_grams !== undefined && { usedGrams: body.used_grams }),
  ...(body?.filament_id !== undefined && { spoolId: body.filament_id }),
})

const reasonIn = (body: { reason?: string | null | undefined } | null | undefined) =>
  body?.reason ? { reason: body.reason } : {}

export function addJobStepRoutes(endpoints: Endpoints, deps: JobRoutesDeps): void {
  const { steps, clock, signer } = deps
  const show = showWith(signer)

  endpoints.add(startPrintJob, async ({ params, body, user, request, reply }) => {
    const on = { printer: body?.printer ?? null, ...(body?.filament_id && { spoolId: body.filament_id }) }
    return show(await steps.start(params.id, on, auditContextOf(request, user, clock)), reply)
  })

  endpoints.add(completeQueuedJob, async ({ params, body, user, request, reply }) => {
    const counts = {
      ...(body?.good_quantity !== undefined && { good: body.good_quantity }),
      ...(body?.rejected_quantity !== undefined && { rejected: body.rejected_quantity }),
    }
    const step = { to: 'completed', ...counts, ...reasonIn(body), ...usedIn(body) } as const
    return show(await steps.advance(params.id, step, auditContextOf(request, user, clock)), reply)
  })

  endpoints.add(failQueuedJob, async ({ params, body, user, request, reply }) => {
    const { reason, rejected_quantity: rejected } = body
    const step = {
      to: 'failed',
      reason,
      ...(rejected !== undefined && { rejected }),
      ...usedIn(body),
    } as const
    return show(await steps.advance(params.id, step, auditContextOf(request, user, clock)), reply)
  })

  endpoints.add(cancelPrintJob, async ({ params, body, user, request, reply }) => {
    const step = { to: 'cancelled', ...reasonIn(body) } as const
    return show(await steps.advance(params.id, step, auditContextOf(request, user, clock)), reply)
  })

  endpoints.add(holdPrintJob, async ({ params, body, user, request, reply }) => {
    const step = { to: 'on_hold', ...reasonIn(body) } as const
    return show(await steps.advance(params.id, step, auditContextOf(request, user, clock)), reply)
  })

  endpoints.add(requeuePrintJob, async ({ params, user, request, reply }) => {
    const answer = await steps.requeue(params.id, queuerOf(request, user, clock))
    reply.code(answer.status).header('etag', etagOf(answer.body.revision))
    return answer.body
  })
}
