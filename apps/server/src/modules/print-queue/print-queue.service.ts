import {
  DEFAULT_PRIORITY,
  HIGHEST_PRIORITY,
  LOWEST_PRIORITY,
  MAX_JOB_QUANTITY,
} from '@pegasus/contracts/print-queue'
import {
  PRINT_JOB_TRANSITIONS,
  type PrintJobStatus,
  UNFINISHED_PRINT_JOB_STATUSES,
} from '@pegasus/contracts/statuses'
import { v7 as uuidv7 } from 'uuid'
import type { Deed } from '../../platform/actor.ts'
import type { Database, Queryable } from '../../platform/database/database.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import { type Cursor, type Page, decodeCursor, toPage } from '../../platform/http/paging.ts'
import { publish } from '../events/index.ts'
import { moveStock } from '../inventory/index.ts'
import { deleteLease } from './leases.queries.ts'
import {
  type JobChange,
  type JobToChange,
  findItemToPrint,
  findVersionToPrint,
  insertJob,
  insertTransition,
  lockJob,
  updateJob,
} from './print-jobs.queries.ts'
import { type PrintJobRow, countJobs, listFinished, listQueue } from './print-queue.queries.ts'

export interface PrintQueue {
  /**
   * What is to be done, in the order in which it is to be done; of a finished status, the latest first. `cursor` is
   * as the list of that order gave it out. Throws INVALID_INPUT for another one.
   */
  list(query: {
    status?: PrintJobStatus | undefined
    cursor?: string | undefined
    limit: number
  }): Promise<Page<PrintJobRow>>
}

const isUnfinished = (status: PrintJobStatus): boolean =>
  (UNFINISHED_PRINT_JOB_STATUSES as readonly PrintJobStatus[]).includes(status)

const queueCursor = (row: PrintJobRow): Cursor => ({
  createdAt: row.created_at,
  id: row.id,
  ranks: [row.priority, row.position],
})

const finishedCursor = (row: PrintJobRow): Cursor => ({
  createdAt: row.finished_at ?? row.created_at,
  id: row.id,
})

export function createPrintQueue({ database: { sql } }: { database: Database }): PrintQueue {
  return {
    async list({ status, limit, cursor: text }) {
      const statuses = status ? [status] : UNFINISHED_PRINT_JOB_STATUSES
      const isQueue = status === undefined || isUnfinished(status)
      const cursor = decodeCursor(text, isQueue ? 2 : 0)
      const [rows, total] = await Promise.all([
        isQueue ? listQueue(sql, statuses, { cursor, limit }) : listFinished(sql, status, { cursor, limit }),
        countJobs(sql, statuses),
      ])
      return toPage(rows, limit, total, isQueue ? queueCursor : finishedCursor)
    },
  }
}

/** A job for an item, for a model, or for both. */
export interface NewPrintJob {
  itemId?: string | null
  stlFileId?: string | null
  quantity: number
  /** 1 is the highest. */
  priority?: number
  material?: string | null
  color?: string | null
  /** The spool that was chosen. */
  spoolId?: string | null
  printerId?: string | null
  /** Of the whole job; from the item's weight unless told. */
  estimatedGrams?: number | null
  estimatedMinutes?: number | null
  orderId?: string | null
  dueAt?: Date | null
  notes?: string | null
}

const refuse = (path: string, message: string): never => {
  throw new AppError('PRINT_JOB_INVALID', { say: message, errors: [{ path, message }] })
}

const isWholeBetween = (value: number, least: number, most: number): boolean =>
  Number.isInteger(value) && value >= least && value <= most

function check(job: NewPrintJob): void {
  if (!job.itemId && !job.stlFileId) refuse('inventory_item_id', 'A print job needs an item or a model')
  if (!isWholeBetween(job.quantity, 1, MAX_JOB_QUANTITY))
    refuse('quantity', `quantity must be a whole number from 1 to ${MAX_JOB_QUANTITY}`)
  if (!isWholeBetween(job.priority ?? DEFAULT_PRIORITY, HIGHEST_PRIORITY, LOWEST_PRIORITY))
    refuse('priority', `priority must be a whole number from ${HIGHEST_PRIORITY} to ${LOWEST_PRIORITY}`)
}

/**
 * Puts a job at the end of its priority. It keeps the version of the model that is current now. Answers its id.
 * Throws PRINT_JOB_INVALID, ITEM_NOT_FOUND or MODEL_NOT_FOUND.
 */
export async function createPrintJob(tx: Queryable, job: NewPrintJob, by: Deed): Promise<string> {
  check(job)
  const item = job.itemId ? await findItemToPrint(tx, job.itemId) : null
  if (job.itemId && !item) throw new AppError('ITEM_NOT_FOUND')
  const modelId = job.stlFileId ?? item?.stl_file_id ?? null
  const versionId = modelId ? await findVersionToPrint(tx, modelId) : null
  if (job.stlFileId && !versionId) throw new AppError('MODEL_NOT_FOUND')
  const ownGrams = item?.weight_grams == null ? null : item.weight_grams * job.quantity
  const id = uuidv7()
  await insertJob(tx, {
    id,
    item_id: job.itemId ?? null,
    stl_file_id: modelId,
    stl_version_id: versionId,
    quantity: job.quantity,
    status: 'pending',
    priority: job.priority ?? DEFAULT_PRIORITY,
    material: job.material ?? null,
    color: job.color ?? null,
    spool_id: job.spoolId ?? null,
    printer_id: job.printerId ?? null,
    attempt: 1,
    previous_job_id: null,
    estimated_grams: job.estimatedGrams ?? ownGrams,
    estimated_minutes: job.estimatedMinutes ?? null,
    order_id: job.orderId ?? null,
    due_at: job.dueAt ?? null,
    notes: job.notes ?? null,
    created_at: by.now,
    updated_at: by.now,
  })
  await insertTransition(tx, { jobId: id, from: null, to: 'pending' }, by)
  await publish(tx, { type: 'created', entity: 'print_job', id })
  return id
}

/** What becomes of a job. */
export type JobStep =
  | { to: 'in_progress'; progress?: number; agent?: string; printerId?: string; spoolId?: string }
  /** All good unless told. */
  | { to: 'completed'; good?: number; rejected?: number }
  | { to: 'failed'; reason: string; rejected?: number }
  | { to: 'cancelled' | 'on_hold' | 'pending'; reason?: string }

function checkCounts(good: number, rejected: number): void {
  if (!isWholeBetween(good, 0, MAX_JOB_QUANTITY) || !isWholeBetween(rejected, 0, MAX_JOB_QUANTITY))
    refuse('good_quantity', 'good and rejected pieces must be whole numbers of 0 or more')
}

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
      return { status: 'completed', progress: 1, finished_at: now, ...counts }
    }
    case 'failed':
      checkCounts(0, step.rejected ?? 0)
      return {
        status: 'failed',
        failure_reason: step.reason,
        rejected_quantity: step.rejected ?? 0,
        finished_at: now,
      }
    case 'cancelled':
      return { status: 'cancelled', finished_at: now }
    case 'on_hold':
      return { status: 'on_hold', hold_reason: step.reason ?? null }
    case 'pending':
      return { status: 'pending', hold_reason: null, progress: 0, started_at: null, agent: null }
  }
}

/**
 * Moves a job on, by the one table of transitions, and writes it down. Completing brings the good pieces into stock,
 * once: a job that is completed already is left alone. Throws PRINT_JOB_NOT_FOUND, PRINT_JOB_STATE or
 * PRINT_JOB_INVALID.
 */
export async function advancePrintJob(tx: Queryable, jobId: string, step: JobStep, by: Deed): Promise<void> {
  const job = await lockJob(tx, jobId)
  if (!job) throw new AppError('PRINT_JOB_NOT_FOUND')
  if (job.status === 'completed' && step.to === 'completed') return
  const next: readonly PrintJobStatus[] = PRINT_JOB_TRANSITIONS[job.status]
  if (!next.includes(step.to))
    throw new AppError('PRINT_JOB_STATE', { detail: `print job ${jobId}: ${job.status} to ${step.to}` })
  const change = changeFor(job, step, by.now)
  await updateJob(tx, jobId, change, by.now)
  // Whoever claimed it, if anybody did, has nothing to print any more.
  if (job.status === 'in_progress') await deleteLease(tx, jobId)
  const good = change.good_quantity ?? 0
  if (job.item_id && good > 0)
    await moveStock(tx, { itemId: job.item_id, kind: 'produce', delta: good, printJobId: jobId }, by)
  const reason = 'reason' in step ? (step.reason ?? null) : null
  const counts = { good: change.good_quantity ?? null, rejected: change.rejected_quantity ?? null }
  await insertTransition(tx, { jobId, from: job.status, to: step.to, reason, ...counts }, by)
  await publish(tx, { type: 'updated', entity: 'print_job', id: jobId })
}
