import type { AuditAction } from '@pegasus/contracts/audit'
import type { PrintJob } from '@pegasus/contracts/print-queue/jobs'
import { requeueMode } from '@pegasus/contracts/statuses'
import { v7 as uuidv7 } from 'uuid'
import type { AuditContext } from '../../../platform/actor.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Database, TransactionSql } from '../../../platform/database/database.ts'
import { AppError } from '../../../platform/errors/app-error.ts'
import { type HttpResult, writeBodyOnce, writeOnce } from '../../../platform/http/idempotency.ts'
import { publish } from '../../events/index.ts'
import { copyOfJob } from '../jobs/copy-job.ts'
import { assertItemThere, assertThere } from '../jobs/create-job.ts'
import { type JobStep, advancePrintJob, choosePlate } from './advance-job.ts'
import { hasReportedUse, refuseUse } from '../plates/cancel-plates.ts'
import { listRunningPlates } from '../plates/plates.queries.ts'
import { refuseStep } from './assert-step.ts'
import type { JobToEdit } from '../jobs/jobs.queries.ts'
import { auditJob, lockLiveJob, showJob } from '../jobs/live-job.ts'
import type { IdempotentCaller } from '../../../platform/http/idempotency.ts'
import {
  ensurePrinter,
  insertJobs,
  insertTransition,
  lockPendingOrdersOf,
} from '../jobs/job-changes.queries.ts'
import { type JobPresentation, presentJob } from '../jobs/jobs.present.ts'
import { describeDeletedPrinter } from '../matching/assignments.queries.ts'
import { countExtraPieces } from '../plate-plan/extra-pieces.ts'
import { pausePlate } from '../plates/pause-plate.ts'
import { undoCompletion } from '../plates/undo/undo-completion.ts'
import type { PrintJobRow } from '../jobs/job-list.queries.ts'

/**
 * Steps of a job. Each call throws PRINT_JOB_NOT_FOUND, and PRINT_JOB_STATE if the transition table does not
 * allow the step.
 */
export interface JobSteps {
  /**
   * Starts the next plate of a job. `printer` is a name, and an unknown printer is added. Throws SPOOL_NOT_FOUND,
   * IDEMPOTENCY_KEY_REUSED, or an error of `startPlate`.
   */
  start(
    id: string,
    on: { printer?: string | null; spoolId?: string; pieces?: number },
    by: IdempotentCaller,
  ): Promise<PrintJob>
  /**
   * Puts a job on hold, cancels it, or fails it. Running prints end without a result if the job is put on hold or
   * cancelled. Throws the errors of `advancePrintJob`.
   */
  advance(
    id: string,
    step: Exclude<JobStep, { to: 'in_progress' | 'pending' | 'completed' }>,
    by: AuditContext,
  ): Promise<PrintJobRow>
  /**
   * Completes a job or one of its plates. A second completion of a job changes nothing. Throws the errors of
   * `advancePrintJob`, or IDEMPOTENCY_KEY_REUSED.
   */
  complete(id: string, step: Extract<JobStep, { to: 'completed' }>, by: IdempotentCaller): Promise<PrintJob>
  /** Pauses a running plate or resumes a paused plate. */
  pause(
    id: string,
    what: { command: 'pause' | 'resume'; plateId: string | undefined },
    by: AuditContext,
  ): Promise<PrintJobRow>
  /** Reverts the last completion. Throws PRINT_JOB_NOT_UNDOABLE with a reason. */
  undo(id: string, by: AuditContext): Promise<PrintJobRow>
  /**
   * Puts a job back into the queue. An unfinished job returns as the same job (status 200). For a finished job, a new
   * job is queued as the next attempt (status 201). Throws PRINT_JOB_REPEATED if the job already has a next attempt,
   * IDEMPOTENCY_KEY_REUSED, or the errors of `advancePrintJob`. With `undoesStart`, also restores the job and the
   * spools as they were before the start.
   */
  requeue(id: string, how: Requeue, by: IdempotentCaller): Promise<HttpResult<PrintJob>>
}

/** The reason for a requeue, and the filament and time of the running plate if a person knows them. */
type Requeue = Omit<Extract<JobStep, { to: 'pending' }>, 'to' | 'undoesStart'> & { undoesStart: boolean }

const ACTIONS = {
  in_progress: 'print_job.started',
  completed: 'print_job.completed',
  failed: 'print_job.failed',
  on_hold: 'print_job.held',
  cancelled: 'print_job.cancelled',
  pending: 'print_job.requeued',
} as const satisfies Record<JobStep['to'], AuditAction>

export function createJobSteps(deps: JobPresentation & { database: Database; clock: Clock }): JobSteps {
  const { database, clock } = deps

  const step = async (tx: TransactionSql, id: string, next: JobStep, by: AuditContext) => {
    const before = await lockLiveJob(tx, id, by.now)
    if ('spoolId' in next) await assertThere(tx, { spoolId: next.spoolId ?? null })
    await advancePrintJob(tx, id, next, by)
    const job = await showJob(tx, id)
    // A second completion changes nothing.
    if (before.status === job.status && before.status !== 'in_progress') return job
    const counts = { good_quantity: job.good_quantity, rejected_quantity: job.rejected_quantity }
    const after = {
      status: job.status,
      ...((next.to === 'completed' || (next.to === 'failed' && next.good)) && counts),
      ...('reason' in next && next.reason && { reason: next.reason }),
      ...('usedGrams' in next && next.usedGrams !== undefined && { used_grams: next.usedGrams }),
      ...('gramsByTool' in next && next.gramsByTool && { used_grams: next.gramsByTool.join(' + ') }),
    }
    await auditJob(tx, ACTIONS[next.to], job, { after }, by)
    return job
  }

  const queueNextAttempt = async (
    tx: TransactionSql,
    job: JobToEdit,
    why: string | undefined,
    by: AuditContext,
  ): Promise<string> => {
    const id = uuidv7()
    const quantity = Math.max(1, job.quantity - job.good_quantity)
    const copy = copyOfJob(job, quantity, by.now)
    await insertJobs(tx, { ...copy, id, attempt: job.attempt + 1, previous_job_id: job.id })
    await countExtraPieces(tx, id, 0)
    const attempt = [`Attempt ${job.attempt + 1} after ${job.label_code}`, why].filter(Boolean).join(': ')
    const gone = await describeDeletedPrinter(tx, job.id)
    const reason = gone === null ? attempt : `${attempt.replace(/\.$/, '')}. ${gone}`
    await insertTransition(tx, { jobId: id, from: null, to: 'pending', reason }, by)
    await publish(tx, { type: 'created', entity: 'print_job', id })
    return id
  }

  const putBack = async (
    tx: TransactionSql,
    id: string,
    how: Requeue,
    by: AuditContext,
  ): Promise<HttpResult<PrintJob>> => {
    await lockPendingOrdersOf(tx, id)
    const job = await lockLiveJob(tx, id, by.now)
    const way = requeueMode(job)
    if (way === null) throw refuseStep(job.status, 'pending')
    if (way === 'itself')
      return { status: 200, body: presentJob(await step(tx, id, { to: 'pending', ...how }, by), deps) }
    if (hasReportedUse(how)) throw refuseUse()
    if (job.merged_into_id !== null)
      throw new AppError('PRINT_JOB_STATE', {
        text: 'The missing pieces of this print job were added to another print job.',
      })
    await assertItemThere(tx, job.item_id)
    const next = await showJob(tx, await queueNextAttempt(tx, job, how.reason, by))
    const after = { attempt: next.attempt, quantity: next.quantity, previous_job_id: id }
    await auditJob(tx, 'print_job.requeued', next, { after }, by)
    await publish(tx, { type: 'updated', entity: 'print_job', id })
    return { status: 201, body: presentJob(next, deps) }
  }

  return {
    start: (id, started, caller) =>
      writeBodyOnce(
        { database, clock },
        caller,
        ['print-queue/start', id, started],
        async (tx, { audit: by }) => {
          const { printer, spoolId, pieces } = started
          await lockLiveJob(tx, id, by.now)
          const printerId = printer ? await ensurePrinter(tx, { name: printer }, by.now) : undefined
          const on = {
            ...(printerId && { printerId }),
            ...(spoolId && { spoolId }),
            ...(pieces && { pieces }),
          }
          return presentJob(await step(tx, id, { to: 'in_progress', ...on }, by), deps)
        },
      ),

    advance: (id, next, by) => database.transaction((tx) => step(tx, id, next, by)),

    complete: (id, next, by) => {
      const request = ['print-queue/complete', id, next]
      return writeBodyOnce({ database, clock }, by, request, async (tx, { audit }) =>
        presentJob(await step(tx, id, next, audit), deps),
      )
    },

    pause: (id, { command, plateId }, by) =>
      database.transaction(async (tx) => {
        await lockLiveJob(tx, id, by.now)
        const plate = choosePlate(await listRunningPlates(tx, id), { ...(plateId && { plateId }) })
        if (!plate) throw new AppError('PRINT_JOB_STATE', { text: 'This print job is not printing now.' })
        await pausePlate(tx, plate.id, command, by)
        const job = await showJob(tx, id)
        const action = command === 'pause' ? 'print_job.paused' : 'print_job.resumed'
        await auditJob(tx, action, job, { after: { plate: plate.number } }, by)
        return job
      }),

    undo: (id, by) =>
      database.transaction(async (tx) => {
        await lockLiveJob(tx, id, by.now)
        const plate = await undoCompletion(tx, id, by)
        const job = await showJob(tx, id)
        await auditJob(tx, 'print_job.completion_undone', job, { after: { plate } }, by)
        return job
      }),

    requeue: (id, how, by) => {
      const { undoesStart, ...stopped } = how
      const call = [
        'print-queue/requeue',
        id,
        ...(undoesStart ? ['undo'] : []),
        ...(Object.keys(stopped).length > 0 ? [stopped] : []),
      ]
      return writeOnce({ database, clock }, by, call, (tx, { audit }) => putBack(tx, id, how, audit))
    },
  }
}
