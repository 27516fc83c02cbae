import { MAX_JOB_QUANTITY } from '@pegasus/contracts/print-queue/jobs'
import { PRINT_JOB_TRANSITIONS, type PrintJobStatus } from '@pegasus/contracts/statuses'
import type { AuditContext } from '../../../platform/actor.ts'
import type { Queryable } from '../../../platform/database/database.ts'
import { AppError } from '../../../platform/errors/app-error.ts'
import { publish } from '../../events/index.ts'
import { takeFilament } from '../../filament/index.ts'
import { moveStock } from '../../inventory/index.ts'
import { isWholeBetween, refuseJob } from '../jobs/create-job.ts'
import { deleteLease } from '../agents/leases.queries.ts'
import {
  type JobChange,
  type JobToChange,
  findItemToPrint,
  insertTransition,
  isLiveSpool,
  lockJob,
  updateJob,
} from '../jobs/job-changes.queries.ts'

/** Filament used by a job, booked on its spool or on the named one. */
interface UsedFilament {
  usedGrams?: number
  spoolId?: string
}

/** Target state of a job. */
export type JobStep =
  | { to: 'in_progress'; progress?: number; agent?: string; printerId?: string; spoolId?: string }
  /** All pieces count as good unless stated. */
  | ({ to: 'completed'; good?: number; rejected?: number; reason?: string } & UsedFilament)
  | ({ to: 'failed'; reason: string; rejected?: number } & UsedFilament)
  | { to: 'cancelled' | 'on_hold' | 'pending'; reason?: string }

function checkCounts(good: number, rejected: number): void {
  if (!isWholeBetween(good, 0, MAX_JOB_QUANTITY) || !isWholeBetween(rejected, 0, MAX_JOB_QUANTITY))
    refuseJob('good_quantity', 'good and rejected pieces must be whole numbers of 0 or more')
}

const usedOf = ({ usedGrams, spoolId }: UsedFilament) => ({
  ...(usedGrams !== undefined && { used_grams: usedGrams }),
  ...(spoolId !== undefined && { spool_id: spoolId }),
})

function changeFor(job: JobToChange, step: JobStep, now: Date): JobChange {
  switch (step.to) {
    case 'in_progress':
      return {
        status: 'in_progress',
        started_at: now,
        progress: step.progress ?? 0,
        hold_reason: null,
        ...(step.agent !== undefined && { agent: step.agent }),
        ...(step.printerId !== undefined && { printer_id: step.printerId }),
        ...(step.spoolId !== undefined && { spool_id: step.spoolId }),
      }
    case 'completed': {
      const [good, rejected] = [step.good ?? job.quantity - (step.rejected ?? 0), step.rejected ?? 0]
      checkCounts(good, rejected)
      const counts = { good_quantity: good, rejected_quantity: rejected }
      return { status: 'completed', progress: 1, finished_at: now, ...counts, ...usedOf(step) }
    }
    case 'failed':
      checkCounts(0, step.rejected ?? 0)
      return {
        status: 'failed',
        failure_reason: step.reason,
        rejected_quantity: step.rejected ?? 0,
        finished_at: now,
        ...usedOf(step),
      }
    case 'cancelled':
      return { status: 'cancelled', finished_at: now }
    case 'on_hold':
      return { status: 'on_hold', hold_reason: step.reason ?? null }
    case 'pending':
      return { status: 'pending', hold_reason: null, progress: 0, started_at: null, agent: null }
  }
}

const TOLD: Readonly<Record<PrintJobStatus, string>> = {
  pending: 'put back into the queue',
  in_progress: 'started',
  on_hold: 'put on hold',
  completed: 'completed',
  failed: 'given up as failed',
  cancelled: 'cancelled',
}

const IS: Readonly<Record<PrintJobStatus, string>> = {
  pending: 'waiting in the queue',
  in_progress: 'being printed',
  on_hold: 'on hold',
  completed: 'completed',
  failed: 'failed',
  cancelled: 'cancelled',
}

/** Text of PRINT_JOB_STATE: the current state, and why the step is impossible. */
export const refuseStep = (from: PrintJobStatus, to: PrintJobStatus): AppError =>
  new AppError('PRINT_JOB_STATE', {
    say:
      from === to
        ? `This print job is ${IS[from]} already.`
        : `This print job is ${IS[from]}, so it cannot be ${TOLD[to]}.`,
  })

/** Throws PRINT_JOB_STATE if the transition table has no such step. */
export function assertStep(from: PrintJobStatus, to: PrintJobStatus): void {
  const next: readonly PrintJobStatus[] = PRINT_JOB_TRANSITIONS[from]
  if (!next.includes(to)) throw refuseStep(from, to)
}

const ITEM_IN_TRASH = 'The item is in the trash, so nothing was added to stock.'

/** Adds good pieces to stock. Returns a note for the history if that was impossible. */
async function produce(
  tx: Queryable,
  job: JobToChange,
  good: number,
  by: AuditContext,
): Promise<string | null> {
  if (!job.item_id || good === 0) return null
  // The pieces exist whatever happened to their item, and an agent could do nothing about it.
  if (!(await findItemToPrint(tx, job.item_id))) return ITEM_IN_TRASH
  await moveStock(tx, { itemId: job.item_id, kind: 'produce', delta: good, printJobId: job.id }, by)
  return null
}

const SPOOL_IN_TRASH = 'The spool is in the trash, so its filament was not booked.'

/** Books used filament, and returns a note like the above. A spool named with the step must exist. */
async function bookFilament(
  tx: Queryable,
  job: JobToChange,
  step: JobStep,
  by: AuditContext,
): Promise<string | null> {
  if (step.to !== 'completed' && step.to !== 'failed') return null
  const spoolId = step.spoolId ?? job.spool_id
  const { usedGrams: grams = 0 } = step
  if (!spoolId || grams === 0) return null
  if (!step.spoolId && !(await isLiveSpool(tx, spoolId))) return SPOOL_IN_TRASH
  const kind = step.to === 'completed' ? 'use' : 'waste'
  const reason = step.to === 'failed' ? step.reason : null
  await takeFilament(tx, { spoolId, grams, kind, reason, printJobId: job.id }, by)
  return null
}

/**
 * Moves a job to the next state by the transition table and records it. Completing adds the good pieces to stock
 * once; a completed job stays unchanged. Throws PRINT_JOB_NOT_FOUND, PRINT_JOB_STATE, PRINT_JOB_INVALID, STOCK_LIMIT
 * or SPOOL_NOT_FOUND.
 */
export async function advancePrintJob(
  tx: Queryable,
  jobId: string,
  step: JobStep,
  by: AuditContext,
): Promise<void> {
  const job = await lockJob(tx, jobId)
  if (!job) throw new AppError('PRINT_JOB_NOT_FOUND')
  if (job.status === 'completed' && step.to === 'completed') return
  assertStep(job.status, step.to)
  const change = changeFor(job, step, by.now)
  await updateJob(tx, jobId, change, by.now)
  // An agent that claimed it has nothing to print any more.
  if (job.status === 'in_progress') await deleteLease(tx, jobId)
  const remarks = [
    await produce(tx, job, change.good_quantity ?? 0, by),
    await bookFilament(tx, job, step, by),
  ]
  const reasons = ['reason' in step ? step.reason : null, ...remarks].filter(Boolean)
  const counts = { good: change.good_quantity ?? null, rejected: change.rejected_quantity ?? null }
  const reason = reasons.length > 0 ? reasons.join(' ') : null
  await insertTransition(tx, { jobId, from: job.status, to: step.to, reason, ...counts }, by)
  await publish(tx, { type: 'updated', entity: 'print_job', id: jobId })
}
