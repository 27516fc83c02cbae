import { MAX_JOB_QUANTITY, type PrintJob } from '@pegasus/contracts/print-queue/jobs'
import {
  canGivePieces,
  canTakePieces,
  differencesOf,
  mostToSplitOff,
} from '@pegasus/contracts/print-queue/split-and-merge'
import { v7 as uuidv7 } from 'uuid'
import type { AuditContext } from '../../../platform/actor.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Database, Queryable, TransactionSql } from '../../../platform/database/database.ts'
import { AppError } from '../../../platform/errors/app-error.ts'
import { type HttpResult, type IdempotentCaller, writeOnce } from '../../../platform/http/idempotency.ts'
import { publish } from '../../events/index.ts'
import { completeIfEnough } from '../plates/complete-if-enough.ts'
import { recountPlates } from '../plates/plates.queries.ts'
import { copyOfJob } from './copy-job.ts'
import { assertItemThere, refuseJob } from './create-job.ts'
import { insertJobs, insertTransition, updateJob, lockPendingOrdersOf } from './job-changes.queries.ts'
import { withScaledEstimates } from './job-edit.ts'
import type { PrintJobRow } from './job-list.queries.ts'
import { type JobEdit, type JobToEdit, editJob } from './jobs.queries.ts'
import { type JobPresentation, presentJob } from './jobs.present.ts'
import { auditJob, lockLiveJob, showJob } from './live-job.ts'
import { saveJobCost } from './save-job-cost.ts'

/**
 * Splits and merges jobs. Only missing pieces move to another job. Good pieces, plates and the history stay
 * with their job. All calls throw PRINT_JOB_NOT_FOUND.
 */
export interface SplitAndMerge {
  /**
   * Moves missing pieces of a job to a new job. Throws PRINT_JOB_STATE if no piece can be split off, PRINT_JOB_INVALID
   * if the quantity is too large, or IDEMPOTENCY_KEY_REUSED.
   */
  split(id: string, quantity: number, by: IdempotentCaller): Promise<HttpResult<PrintJob>>
  /**
   * Moves the missing pieces of another job to this job and ends the other job: as completed if it has good
   * pieces, otherwise as cancelled. This job gets the higher priority and the earlier due date of the two.
   * Throws PRINT_JOB_STATE, or PRINT_JOB_INVALID if the jobs print different things.
   */
  merge(id: string, otherId: string, by: AuditContext): Promise<PrintJobRow>
}

interface JobPair {
  job: JobToEdit
  other: JobToEdit
}

const refuseState = (message: string): AppError => new AppError('PRINT_JOB_STATE', { text: message })

const describePieces = (count: number): string => (count === 1 ? '1 piece' : `${count} pieces`)

/** Changes the quantity of a job. Its estimates and its number of plates change with it. */
async function changeQuantity(
  tx: Queryable,
  job: JobToEdit,
  change: JobEdit & { quantity: number },
  now: Date,
): Promise<void> {
  await editJob(tx, job.id, { ...withScaledEstimates(job, { quantity: change.quantity }), ...change }, now)
  await recountPlates(tx, job.id, now)
}

const earlierOf = (one: string | null, other: string | null): Date | null => {
  const times = [one, other].flatMap((time) => (time === null ? [] : new Date(time).getTime()))
  return times.length === 0 ? null : new Date(Math.min(...times))
}

/** Adds missing pieces of another job to this job. */
async function takePieces(
  tx: Queryable,
  { job, other }: JobPair,
  count: number,
  by: AuditContext,
): Promise<void> {
  const quantity = job.quantity + count
  if (quantity > MAX_JOB_QUANTITY)
    refuseJob(
      'job_id',
      `Together, the jobs would have more than ${MAX_JOB_QUANTITY.toLocaleString('en-US')} pieces.`,
    )
  const priority = Math.min(job.priority, other.priority)
  const dueAt = earlierOf(job.due_at, other.due_at)
  const rejects = Math.min(MAX_JOB_QUANTITY, job.expected_rejects + other.expected_rejects)
  const change = { quantity, priority, due_at: dueAt, expected_rejects: rejects }
  const extra = job.extra_quantity + other.extra_quantity
  await changeQuantity(tx, job, { ...change, extra_quantity: extra }, by.now)
  const reason = `${describePieces(count)} of ${other.label_code} were added.`
  const transition = { jobId: job.id, from: job.status, to: job.status, reason, otherJobId: other.id }
  await insertTransition(tx, transition, by)
  const before = { quantity: job.quantity, priority: job.priority }
  await auditJob(
    tx,
    'print_job.merged',
    job,
    { before, after: { quantity, priority, other: other.label_code } },
    by,
  )
}

/** Ends the job whose missing pieces were added to another job. */
async function endMerged(
  tx: Queryable,
  { job, other }: JobPair,
  count: number,
  by: AuditContext,
): Promise<void> {
  const good = other.good_quantity
  const status = good > 0 ? 'completed' : 'cancelled'
  const change = { merged_into_id: job.id, extra_quantity: 0 }
  if (good > 0) await changeQuantity(tx, other, { ...change, quantity: good }, by.now)
  else await editJob(tx, other.id, change, by.now)
  await updateJob(tx, other.id, { status, hold_reason: null, finished_at: by.now }, by.now)
  await recountPlates(tx, other.id, by.now)
  await saveJobCost(tx, other.id)
  const reason = `${describePieces(count)} were added to ${job.label_code}.`
  const transition = { jobId: other.id, from: other.status, to: status, reason, otherJobId: job.id } as const
  await insertTransition(tx, transition, by)
  const after = { status, merged_into: job.label_code }
  await auditJob(tx, 'print_job.merged', other, { before: { status: other.status }, after }, by)
}

/** Throws PRINT_JOB_STATE or PRINT_JOB_INVALID unless the missing pieces of `other` can be added to `job`. */
function assertMergeable(job: PrintJobRow, other: PrintJobRow): void {
  if (!canTakePieces(job))
    throw refuseState(
      `${job.label_code} has already been printed or has ended, so nothing can be added to it.`,
    )
  if (!canGivePieces(other))
    throw refuseState(`${other.label_code} is not waiting with missing pieces, so it cannot be merged.`)
  const differences = differencesOf(job, other)
  if (differences.length > 0)
    refuseJob(
      'job_id',
      `${other.label_code} has another ${differences.join(', another ')}, so it cannot be merged.`,
    )
}

export function createSplitAndMerge(
  deps: JobPresentation & { database: Database; clock: Clock },
): SplitAndMerge {
  const { database, clock } = deps

  const split = async (
    tx: TransactionSql,
    id: string,
    quantity: number,
    by: AuditContext,
  ): Promise<PrintJob> => {
    await lockPendingOrdersOf(tx, id)
    const job = await lockLiveJob(tx, id, by.now)
    const most = mostToSplitOff(await showJob(tx, id))
    if (most === 0) throw refuseState('No piece of this print job can be split off.')
    if (quantity > most) refuseJob('quantity', `At most ${describePieces(most)} can be split off.`)
    await assertItemThere(tx, job.item_id)
    const newId = uuidv7()
    const isHeld = job.status === 'on_hold'
    const held = isHeld ? { status: job.status, hold_reason: job.hold_reason } : {}
    const extra = Math.min(job.extra_quantity, quantity)
    await insertJobs(tx, {
      ...copyOfJob(job, quantity, by.now),
      ...held,
      id: newId,
      extra_quantity: extra,
    })
    const part = await lockLiveJob(tx, newId, by.now)
    const kept = { quantity: job.quantity - quantity, extra_quantity: job.extra_quantity - extra }
    await changeQuantity(tx, job, kept, by.now)
    const away = `${describePieces(quantity)} were split off as ${part.label_code}.`
    const given = { jobId: id, from: job.status, to: job.status, reason: away, otherJobId: newId }
    await insertTransition(tx, given, by)
    const taken = { jobId: newId, from: null, to: part.status, otherJobId: id }
    await insertTransition(tx, { ...taken, reason: `Split off from ${job.label_code}` }, by)
    await completeIfEnough(tx, id, by)
    const after = { quantity: job.quantity - quantity, other: part.label_code }
    await auditJob(tx, 'print_job.split', job, { before: { quantity: job.quantity }, after }, by)
    await auditJob(tx, 'print_job.split', part, { after: { quantity, other: job.label_code } }, by)
    await publish(tx, { type: 'updated', entity: 'print_job', id })
    await publish(tx, { type: 'created', entity: 'print_job', id: newId })
    return presentJob(await showJob(tx, newId), deps)
  }

  return {
    split: (id, quantity, by) =>
      writeOnce(
        { database, clock },
        by,
        ['print-queue/split', id, quantity],
        async (tx, { audit: context }) => ({
          status: 201,
          body: await split(tx, id, quantity, context),
        }),
      ),

    merge: (id, otherId, by) =>
      database.transaction(async (tx) => {
        if (id === otherId) refuseJob('job_id', 'A print job cannot be merged with itself.')
        // Jobs are always locked in the same order, so that two merges cannot deadlock.
        const locked = new Map<string, JobToEdit>()
        for (const each of [id, otherId].toSorted()) locked.set(each, await lockLiveJob(tx, each, by.now))
        const pair = { job: locked.get(id)!, other: locked.get(otherId)! }
        const [job, other] = [await showJob(tx, id), await showJob(tx, otherId)]
        assertMergeable(job, other)
        await takePieces(tx, pair, other.missing_quantity, by)
        await endMerged(tx, pair, other.missing_quantity, by)
        for (const each of [id, otherId])
          await publish(tx, { type: 'updated', entity: 'print_job', id: each })
        return showJob(tx, id)
      }),
  }
}
