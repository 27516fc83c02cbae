import type { AuditAction } from '@pegasus/contracts/audit'
import type { PrintJob } from '@pegasus/contracts/print-queue/jobs'
import type { CreatePrintJobBody, UpdatePrintJobBody } from '@pegasus/contracts/print-queue/job-changes'
import type { PrintJobStatus } from '@pegasus/contracts/statuses'
import type { AuditContext } from '../../../platform/actor.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Database, Queryable } from '../../../platform/database/database.ts'
import { AppError, orThrow } from '../../../platform/errors/app-error.ts'
import { type HttpResult, type IdempotentCaller, writeOnce } from '../../../platform/http/idempotency.ts'
import { publish } from '../../events/index.ts'
import { assertItemThere, assertSliceFits, assertThere, createPrintJob, refuseJob } from './create-job.ts'
import { trashCutoff } from '../../../platform/trash.ts'
import { type EditedColumns, auditedJob, changesOf, withScaledEstimates } from './job-edit.ts'
import { type JobEdit, type JobToEdit, editJob, lockJobToEdit } from './jobs.queries.ts'
import { findVersionToPrint, holdItemToPrint, lockPendingOrdersOf } from './job-changes.queries.ts'
import { type JobPresentation, presentJob } from './jobs.present.ts'
import { planJobCosts } from './plan-job-cost.ts'
import type { PrintJobRow } from './job-list.queries.ts'
import { clearJobCost, saveJobCost } from './save-job-cost.ts'
import { auditJob, lockLiveJob, showJob } from './live-job.ts'
import { forgetDeletedPrinter } from '../matching/assignments.queries.ts'
import { reorder } from './reorder.ts'
import { endLeasesOfJob } from '../plates/book-cancelled.ts'
import { hasPlates, recountPlates } from '../plates/plates.queries.ts'
import { completeIfEnough } from '../plates/complete-if-enough.ts'
import { countExtraPieces } from '../plate-plan/extra-pieces.ts'

const OVER: readonly PrintJobStatus[] = ['completed', 'failed', 'cancelled']

/** Creates, edits, deletes, restores and moves jobs. */
export interface Jobs {
  /** Adds a job. Throws IDEMPOTENCY_KEY_REUSED or an error of `createPrintJob`. */
  add(body: CreatePrintJobBody, by: IdempotentCaller): Promise<HttpResult<PrintJob>>
  /**
   * Edits a job. `revision` comes from `If-Match`; null accepts any revision. Throws PRINT_JOB_NOT_FOUND,
   * PRECONDITION_FAILED, PRINT_JOB_STATE if the job has progressed too far for the change, or an error of
   * `createPrintJob`.
   */
  update(
    id: string,
    edit: UpdatePrintJobBody,
    revision: number | null,
    by: AuditContext,
  ): Promise<PrintJobRow>
  /**
   * Moves a job to the trash. Throws PRINT_JOB_NOT_FOUND, PRECONDITION_FAILED, or PRINT_JOB_STATE while it is being
   * printed.
   */
  remove(id: string, revision: number | null, by: AuditContext): Promise<void>
  /**
   * Restores a job from the trash. A job outside the trash stays unchanged. Throws PRINT_JOB_NOT_FOUND,
   * PRINT_JOB_REPEATED, or PRINT_JOB_STATE for an unfinished job whose item is deleted.
   */
  restore(id: string, by: AuditContext): Promise<PrintJobRow>
  /** Moves a job before another job, or to the end of the queue. Throws PRINT_JOB_NOT_FOUND or PRINT_JOB_STATE. */
  move(id: string, beforeId: string | null, by: AuditContext): Promise<PrintJobRow>
}

/**
 * Returns the columns that change if an edit gives the job another item or model, with the current version of that
 * model. Otherwise, the result is empty.
 */
async function reprint(tx: Queryable, job: JobToEdit, changes: EditedColumns): Promise<JobEdit> {
  if (changes.item_id === undefined && changes.stl_file_id === undefined) return {}
  const itemId = changes.item_id === undefined ? job.item_id : changes.item_id
  const item = itemId === null ? null : await holdItemToPrint(tx, itemId)
  if (itemId !== null && !item) throw new AppError('ITEM_NOT_FOUND')
  const ownModel = changes.item_id === undefined ? null : (item?.stl_file_id ?? null)
  const modelId = changes.stl_file_id === undefined ? (ownModel ?? job.stl_file_id) : changes.stl_file_id
  if (itemId === null && modelId === null)
    refuseJob('inventory_item_id', 'A print job needs an item or a model')
  const versionId = modelId === null ? null : await findVersionToPrint(tx, modelId)
  if (modelId !== null && versionId === null) throw new AppError('MODEL_NOT_FOUND')
  const isOther = versionId !== job.stl_version_id
  return {
    item_id: itemId,
    stl_file_id: modelId,
    stl_version_id: versionId,
    // A sliced file of the former version would print another part.
    ...(isOther && changes.slice_id === undefined && { slice_id: null }),
  }
}

/**
 * If an edit changes the order or the item of a job, returns columns with a null order line. A database trigger then
 * finds the matching line again.
 */
const lineOf = (job: JobToEdit, changes: EditedColumns): JobEdit =>
  changes.order_id === undefined && changes.item_id === undefined
    ? {}
    : { order_id: changes.order_id === undefined ? job.order_id : changes.order_id, order_line_id: null }

/**
 * The fields on which the planned cost of a job depends. A new quantity alone needs no new plan, because the plan is
 * scaled with the quantity.
 */
const PLANNED_FROM = [
  'item_id',
  'stl_file_id',
  'slice_id',
  'spool_id',
  'pieces_per_plate',
  'estimated_grams',
  'estimated_minutes',
] as const satisfies readonly (keyof EditedColumns)[]

/**
 * Plans the cost again if an edit changes what is printed. After the first plate has started, the planned cost stays as
 * it is.
 */
async function replan(
  tx: Queryable,
  job: JobToEdit,
  changes: EditedColumns,
  next: JobEdit,
): Promise<JobEdit> {
  if (!PLANNED_FROM.some((name) => name in changes) || (await hasPlates(tx, job.id))) return {}
  const [planned] = await planJobCosts(tx, [{ ...job, ...next, quantity: changes.quantity ?? job.quantity }])
  return planned!
}

/** Throws PRINT_JOB_STATE if the job has progressed too far for these changes. */
function assertMayChange({ status }: JobToEdit, changes: EditedColumns): void {
  const names = Object.keys(changes)
  if (OVER.includes(status) && names.some((name) => name !== 'notes'))
    throw new AppError('PRINT_JOB_STATE', {
      text: 'This print job has ended, so only its notes can be changed.',
    })
  if (status === 'in_progress' && (names.includes('item_id') || names.includes('stl_file_id')))
    throw new AppError('PRINT_JOB_STATE', {
      text: 'This print job is being printed, so its item and model can no longer be changed.',
    })
}

export function createJobs(deps: JobPresentation & { database: Database; clock: Clock }): Jobs {
  const { database, clock } = deps

  const lock = async (tx: Queryable, id: string, now: Date) =>
    orThrow(await lockJobToEdit(tx, id, trashCutoff(now)), 'PRINT_JOB_NOT_FOUND')

  const lockLive = async (tx: Queryable, id: string, revision: number | null, now: Date) => {
    const job = await lockLiveJob(tx, id, now)
    if (revision !== null && revision !== job.revision)
      throw new AppError('PRECONDITION_FAILED', {
        body: { current: presentJob(await showJob(tx, id), deps) },
      })
    return job
  }

  const audit = (
    tx: Queryable,
    action: AuditAction,
    job: Pick<JobToEdit, 'id' | 'label_code'>,
    sides: { before?: JobToEdit; after?: JobToEdit },
    by: AuditContext,
  ) => {
    const { before, after } = sides
    const fields = {
      ...(before && { before: auditedJob(before) }),
      ...(after && { after: auditedJob(after) }),
    }
    return auditJob(tx, action, job, fields, by)
  }

  const add = async (tx: Queryable, body: CreatePrintJobBody, by: AuditContext): Promise<PrintJob> => {
    const id = await createPrintJob(
      tx,
      {
        itemId: body.inventory_item_id ?? null,
        stlFileId: body.stl_file_id ?? null,
        quantity: body.quantity,
        priority: body.priority,
        material: body.material ?? null,
        color: body.color ?? null,
        spoolId: body.filament_id ?? null,
        ...(body.match_strictness !== undefined && { matchStrictness: body.match_strictness }),
        orderId: body.order_id ?? null,
        estimatedGrams: body.estimated_grams ?? null,
        estimatedMinutes: body.estimated_minutes ?? null,
        dueAt: body.due_at ? new Date(body.due_at) : null,
        notes: body.notes ?? null,
        piecesPerPlate: body.pieces_per_plate ?? null,
        expectedRejects: body.expected_rejects ?? 0,
        sliceId: body.slice_id ?? null,
      },
      by,
    )
    const job = await lock(tx, id, by.now)
    await audit(tx, 'print_job.created', job, { after: job }, by)
    return presentJob(await showJob(tx, id), deps)
  }

  return {
    add: (body, by) =>
      writeOnce({ database, clock }, by, ['print-queue', body], async (tx, { audit }) => ({
        status: 201,
        body: await add(tx, body, audit),
      })),

    update: (id, edit, revision, by) =>
      database.transaction(async (tx) => {
        if (edit.order_id !== undefined || edit.inventory_item_id !== undefined)
          await lockPendingOrdersOf(tx, id, edit.order_id)
        const job = await lockLive(tx, id, revision, by.now)
        const changes = changesOf(job, edit)
        if (Object.keys(changes).length === 0) return showJob(tx, id)
        assertMayChange(job, changes)
        // Otherwise, pieces that a silent agent reports later would be counted for the new item.
        if (changes.item_id !== undefined || changes.stl_file_id !== undefined)
          await endLeasesOfJob(tx, id, by)
        await assertThere(tx, { spoolId: changes.spool_id ?? null, orderId: changes.order_id ?? null })
        const next = {
          ...withScaledEstimates(job, changes),
          ...(await reprint(tx, job, changes)),
          ...lineOf(job, changes),
        }
        await assertSliceFits(tx, next.slice_id ?? null, next.stl_version_id ?? job.stl_version_id)
        await editJob(tx, id, { ...next, ...(await replan(tx, job, changes, next)) }, by.now)
        const isMoved = changes.order_id !== undefined || changes.item_id !== undefined
        if (isMoved || changes.quantity !== undefined)
          await countExtraPieces(tx, id, isMoved ? 0 : job.quantity)
        const counts = [changes.quantity, changes.pieces_per_plate, changes.expected_rejects]
        if (counts.some((count) => count !== undefined)) {
          await recountPlates(tx, id, by.now)
          await completeIfEnough(tx, id, by)
        }
        await audit(tx, 'print_job.updated', job, { before: job, after: await lock(tx, id, by.now) }, by)
        await publish(tx, { type: 'updated', entity: 'print_job', id })
        return showJob(tx, id)
      }),

    remove: (id, revision, by) =>
      database.transaction(async (tx) => {
        const job = await lockLive(tx, id, revision, by.now)
        if (job.status === 'in_progress')
          throw new AppError('PRINT_JOB_STATE', {
            text: 'This print job is being printed. Please cancel it first.',
          })
        await editJob(tx, id, { deleted_at: by.now }, by.now)
        // A waiting job may already have printed plates. Their cost is saved, because it stays in the production
        // report.
        if (!OVER.includes(job.status)) await saveJobCost(tx, id)
        await audit(tx, 'print_job.deleted', job, {}, by)
        await publish(tx, { type: 'deleted', entity: 'print_job', id })
      }),

    restore: (id, by) =>
      database.transaction(async (tx) => {
        const job = await lock(tx, id, by.now)
        if (job.deleted_at === null) return showJob(tx, id)
        if (!OVER.includes(job.status)) await assertItemThere(tx, job.item_id)
        // The printer of this job may have been deleted while the job was in the trash.
        await forgetDeletedPrinter(tx, id)
        await editJob(tx, id, { deleted_at: null }, by.now)
        if (!OVER.includes(job.status)) {
          await clearJobCost(tx, id)
          await countExtraPieces(tx, id, 0)
        }
        await audit(tx, 'print_job.restored', job, {}, by)
        await publish(tx, { type: 'created', entity: 'print_job', id })
        return showJob(tx, id)
      }),

    move: (id, beforeId, by) =>
      database.transaction(async (tx) => {
        await reorder(tx, id, beforeId, by)
        return showJob(tx, id)
      }),
  }
}
