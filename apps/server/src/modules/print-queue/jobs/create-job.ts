import type { MatchStrictness } from '@pegasus/contracts/print-queue/job-waits'
import {
  DEFAULT_PRIORITY,
  HIGHEST_PRIORITY,
  LOWEST_PRIORITY,
  MAX_JOB_QUANTITY,
} from '@pegasus/contracts/print-queue/jobs'
import { v7 as uuidv7 } from 'uuid'
import type { AuditContext } from '../../../platform/actor.ts'
import type { Insert } from '../../../platform/database/column-types.ts'
import type { Queryable } from '../../../platform/database/database.ts'
import { AppError } from '../../../platform/errors/app-error.ts'
import { publishAll } from '../../events/index.ts'
import {
  findVersionsToPrint,
  holdItemToPrint,
  holdItemsToPrint,
  insertJobs,
  insertTransitions,
  lockPendingOrders,
  isLiveOrder,
  isLiveSpool,
  isSliceOfVersion,
} from './job-changes.queries.ts'
import { planJobCosts, withEstimates } from './plan-job-cost.ts'
import { countExtraPieces } from '../plate-plan/extra-pieces.ts'

/** A job for an item, for a model, or for both. */
export interface NewPrintJob {
  itemId?: string | null
  stlFileId?: string | null
  quantity: number
  /** 1 is the highest priority. */
  priority?: number
  material?: string | null
  color?: string | null
  /** The spool that a person chose. */
  spoolId?: string | null
  printerId?: string | null
  matchStrictness?: MatchStrictness
  /**
   * The weight for all pieces in grams. The default comes from the sliced file, otherwise from the weight of the item.
   */
  estimatedGrams?: number | null
  /**
   * The print time for all pieces in minutes. The default comes from the sliced file, otherwise from the print time of
   * the item.
   */
  estimatedMinutes?: number | null
  orderId?: string | null
  dueAt?: Date | null
  notes?: string | null
  /** Number of pieces on one plate. If omitted, all pieces are on one plate. */
  piecesPerPlate?: number | null
  /** Number of pieces that will probably be rejected. They are printed in addition to `quantity`. The default is 0. */
  expectedRejects?: number
  /** The sliced file to print. */
  sliceId?: string | null
  orderLineId?: string | null
}

/** Returns the number of plates that are needed for these pieces. */
export const platesOf = (quantity: number, piecesPerPlate: number | null): number =>
  piecesPerPlate === null ? 1 : Math.ceil(quantity / piecesPerPlate)

export const refuseJob = (path: string, message: string): never => {
  throw new AppError('PRINT_JOB_INVALID', { text: message, errors: [{ path, message }] })
}

export const isWholeBetween = (value: number, least: number, most: number): boolean =>
  Number.isInteger(value) && value >= least && value <= most

function check(job: NewPrintJob): void {
  if (!job.itemId && !job.stlFileId) refuseJob('inventory_item_id', 'A print job needs an item or a model')
  if (!isWholeBetween(job.quantity, 1, MAX_JOB_QUANTITY))
    refuseJob(
      'quantity',
      `quantity must be a whole number from 1 to ${MAX_JOB_QUANTITY.toLocaleString('en-US')}`,
    )
  if (!isWholeBetween(job.priority ?? DEFAULT_PRIORITY, HIGHEST_PRIORITY, LOWEST_PRIORITY))
    refuseJob('priority', `priority must be a whole number from ${HIGHEST_PRIORITY} to ${LOWEST_PRIORITY}`)
}

/** Throws SPOOL_NOT_FOUND or ORDER_NOT_FOUND if the spool or order does not exist or is deleted. */
export async function assertThere(
  tx: Queryable,
  { spoolId, orderId }: { spoolId?: string | null; orderId?: string | null },
): Promise<void> {
  if (spoolId && !(await isLiveSpool(tx, spoolId))) throw new AppError('SPOOL_NOT_FOUND')
  if (orderId && !(await isLiveOrder(tx, orderId))) throw new AppError('ORDER_NOT_FOUND')
}

/**
 * Throws PRINT_JOB_INVALID if the sliced file does not exist, or was made from a version that the job does not print.
 */
export async function assertSliceFits(
  tx: Queryable,
  sliceId: string | null,
  versionId: string | null,
): Promise<void> {
  if (sliceId !== null && !(await isSliceOfVersion(tx, sliceId, versionId)))
    refuseJob('slice_id', 'This sliced file does not exist, or was made from another version of the model')
}

/** Locks the item of a job, so that it cannot be deleted. Throws PRINT_JOB_STATE if the item is deleted. */
export async function assertItemThere(tx: Queryable, itemId: string | null): Promise<void> {
  if (itemId !== null && !(await holdItemToPrint(tx, itemId)))
    throw new AppError('PRINT_JOB_STATE', {
      text: 'The item that this job prints is in the trash. Please restore the item first.',
    })
}

/**
 * Adds a job at the end of its priority, with the current version of its model. Returns its id. Throws
 * PRINT_JOB_INVALID, ITEM_NOT_FOUND, MODEL_NOT_FOUND, SPOOL_NOT_FOUND or ORDER_NOT_FOUND.
 */
export async function createPrintJob(tx: Queryable, job: NewPrintJob, by: AuditContext): Promise<string> {
  const [id] = await createPrintJobs(tx, [job], by)
  if (job.orderId) await countExtraPieces(tx, id!, 0)
  return id!
}

/** Adds several jobs like `createPrintJob`, with the same number of statements as for one job. Returns their ids. */
export async function createPrintJobs(
  tx: Queryable,
  jobs: readonly NewPrintJob[],
  by: AuditContext,
): Promise<string[]> {
  if (jobs.length === 0) return []
  for (const job of jobs) check(job)
  await lockPendingOrders(
    tx,
    jobs.flatMap(({ orderId }) => orderId ?? []),
  )
  const items = await holdItemsToPrint(
    tx,
    jobs.flatMap(({ itemId }) => itemId ?? []),
  )
  const lacksItem = jobs.some(({ itemId }) => itemId && !items.has(itemId))
  if (lacksItem) throw new AppError('ITEM_NOT_FOUND')
  const itemOf = ({ itemId }: NewPrintJob) => (itemId ? items.get(itemId) : undefined)
  const modelOf = (job: NewPrintJob) => job.stlFileId ?? itemOf(job)?.stl_file_id ?? null
  const versions = await findVersionsToPrint(
    tx,
    jobs.flatMap((job) => modelOf(job) ?? []),
  )
  if (jobs.some(({ stlFileId }) => stlFileId && !versions.has(stlFileId)))
    throw new AppError('MODEL_NOT_FOUND')
  for (const spoolId of new Set(jobs.map((job) => job.spoolId ?? null))) await assertThere(tx, { spoolId })
  for (const job of jobs)
    await assertSliceFits(tx, job.sliceId ?? null, versions.get(modelOf(job) ?? '') ?? null)
  for (const orderId of new Set(jobs.map((job) => job.orderId ?? null))) await assertThere(tx, { orderId })
  const ids = jobs.map(() => uuidv7())
  const unplanned = jobs.map((job, at): Insert<'print_jobs'> => {
    const modelId = modelOf(job)
    return {
      id: ids[at]!,
      item_id: job.itemId ?? null,
      stl_file_id: modelId,
      stl_version_id: modelId === null ? null : (versions.get(modelId) ?? null),
      quantity: job.quantity,
      pieces_per_plate: job.piecesPerPlate ?? null,
      plates: platesOf(job.quantity + (job.expectedRejects ?? 0), job.piecesPerPlate ?? null),
      expected_rejects: job.expectedRejects ?? 0,
      slice_id: job.sliceId ?? null,
      status: 'pending',
      priority: job.priority ?? DEFAULT_PRIORITY,
      material: job.material ?? null,
      color: job.color ?? null,
      spool_id: job.spoolId ?? null,
      printer_id: job.printerId ?? null,
      match_strictness: job.matchStrictness,
      attempt: 1,
      previous_job_id: null,
      estimated_grams: job.estimatedGrams ?? null,
      estimated_minutes: job.estimatedMinutes ?? null,
      order_id: job.orderId ?? null,
      order_line_id: job.orderLineId ?? null,
      due_at: job.dueAt ?? null,
      notes: job.notes ?? null,
      created_at: by.now,
      updated_at: by.now,
    }
  })
  const estimated = await withEstimates(tx, unplanned)
  const costs = await planJobCosts(tx, estimated)
  await insertJobs(
    tx,
    estimated.map((row, at) => ({ ...row, ...costs[at] })),
  )
  await insertTransitions(
    tx,
    ids.map((jobId) => ({ jobId, from: null, to: 'pending' })),
    by,
  )
  await publishAll(
    tx,
    ids.map((id) => ({ type: 'created', entity: 'print_job', id })),
  )
  return ids
}
