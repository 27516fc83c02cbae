import type { AuditContext } from '../../../platform/actor.ts'
import type { Queryable } from '../../../platform/database/database.ts'
import { AppError } from '../../../platform/errors/app-error.ts'
import { joinSentences } from '../../../platform/sentences.ts'
import { publish } from '../../events/index.ts'
import {
  type JobChange,
  type JobToChange,
  insertTransition,
  lockJob,
  updateJob,
} from '../jobs/job-changes.queries.ts'
import { describeDeletedPrinter, forgetDeletedPrinter } from '../matching/assignments.queries.ts'
import { type PlateFailure, type PlateResult, failPlate, finishPlate } from '../plates/end-plate.ts'
import { saveJobCost } from '../jobs/save-job-cost.ts'
import {
  type PlateRow,
  listRunningPlates,
  recountPlates,
  saveLoadedSpools,
} from '../plates/plates.queries.ts'
import { type PlateCancellation, cancelRunningPlates, hasReportedUse } from '../plates/cancel-plates.ts'
import { completeAtOnce } from '../plates/complete-at-once.ts'
import { completeIfEnough } from '../plates/complete-if-enough.ts'
import {
  assignmentTo,
  findBeforeStart,
  findLastEnded,
  saveSpoolsBeforeStart,
} from '../plates/undo/undo.queries.ts'
import { startPlate } from '../plates/start-plate.ts'
import { loadChosenSpool, unloadChosenSpool } from '../printers/load-spool.ts'
import { lockPrinter } from '../printers/printers.queries.ts'
import { assertStep } from './assert-step.ts'

/** The plate that a step concerns. It can be left out if the job has only one running plate. */
interface OfPlate {
  plateId?: string
}

/** Why a print is stopped, and the filament and time of the running plate if a person knows them. */
type StoppedPrint = Omit<PlateCancellation, 'wasNotPrinted'>

/** The target status of a job, with the data for this step. A divided job reaches it only with its last plate. */
export type JobStep =
  | {
      to: 'in_progress'
      progress?: number
      agent?: string
      printerId?: string
      spoolId?: string
      pieces?: number
    }
  /** All pieces of the plate count as good unless counts are given. */
  | ({ to: 'completed' } & OfPlate & PlateResult)
  /** If `good` is given, the plate counts as done, and only its other pieces are missing again. */
  | ({ to: 'failed'; good?: number } & OfPlate & PlateFailure)
  /** With `onlyIfWaiting`, a job is not cancelled if it is printing or was put on hold after its start. */
  | ({ to: 'cancelled'; onlyIfWaiting?: boolean } & StoppedPrint)
  | ({ to: 'on_hold' } & StoppedPrint)
  /**
   * With `undoesStart`, the job and the spools are also restored to their state before the start of the running plate.
   */
  | ({ to: 'pending'; undoesStart?: boolean } & StoppedPrint)

/**
 * Returns the plate of a step, or null if no plate is running. Throws PRINT_JOB_STATE if several plates are running and
 * none is named, with these plates as `plates` in its body, or if the named plate is not running.
 */
export function choosePlate(running: readonly PlateRow[], { plateId }: OfPlate): PlateRow | null {
  if (plateId === undefined && running.length > 1)
    throw new AppError('PRINT_JOB_STATE', {
      text: `Plates ${running.map(({ number }) => number).join(' and ')} of this print job are printing. Open its page, and choose one of them.`,
      body: { plates: running.map(({ id, number }) => ({ id, number })) },
    })
  if (plateId === undefined) return running[0] ?? null
  const named = running.find(({ id }) => id === plateId)
  if (!named) throw new AppError('PRINT_JOB_STATE', { text: 'This plate is no longer printing.' })
  return named
}

/**
 * Returns the values of a job from before the start of its running plate. If somebody has entered a number of pieces
 * per plate, assigned the job to another printer or removed its assignment since then, these changes stay.
 */
async function jobBeforeStart(tx: Queryable, job: JobToChange, plate: PlateRow): Promise<Partial<JobChange>> {
  const before = (await findBeforeStart(tx, plate.id))?.job
  if (!before) return {}
  const isDividedByStart = before.pieces_per_plate === null && job.pieces_per_plate === plate.pieces
  return {
    printer_id: before.printer_id,
    ...(job.assigned_printer_id === null && (await assignmentTo(tx, before.assigned_printer_id, before))),
    ...(isDividedByStart && { pieces_per_plate: null }),
  }
}

/** Throws PRINT_JOB_STATE if several plates are running, because it is unknown which start should be undone. */
function assertOneStart(job: JobToChange, running: readonly PlateRow[]): void {
  if (running.length > 1)
    throw new AppError('PRINT_JOB_STATE', {
      text: `Another plate of ${job.label_code} has been started since then, so the start cannot be undone.`,
    })
}

/**
 * Restores the spools that the start of a plate has replaced: the chosen spool of the job, and the spools in the
 * printers. Call it after the filament of the plate is booked, because the grams of each tool are booked on the spools
 * in the slots.
 */
async function restoreSpools(
  tx: Queryable,
  job: JobToChange,
  { id: plateId, printer_id: printerId }: PlateRow,
  by: AuditContext,
): Promise<void> {
  const before = await findBeforeStart(tx, plateId)
  if (!before?.chosen) return
  const { chosen: spoolId, job_spool: earlier = null, loaded } = before
  if (job.spool_id === spoolId) await updateJob(tx, job.id, { status: job.status, spool_id: earlier }, by.now)
  if (!loaded || printerId === null) return
  await lockPrinter(tx, printerId)
  await unloadChosenSpool(tx, { printerId, spoolId, before: loaded }, by.now)
}

/** Cancels the running plates of a job, and then holds, requeues or cancels the job. */
async function withdraw(
  tx: Queryable,
  job: JobToChange,
  step: Extract<JobStep, { to: 'cancelled' | 'on_hold' | 'pending' }>,
  by: AuditContext,
): Promise<void> {
  const running = await listRunningPlates(tx, job.id)
  const [plate] = running
  const undoesStart = step.to === 'pending' && (step.undoesStart ?? false)
  if (undoesStart) assertOneStart(job, running)
  const { to: _, ...cancellation } = step
  // An agent may already have printed something before a person undoes the start.
  const isUnused = plate !== undefined && plate.agent === null && plate.progress === 0
  const wasNotPrinted = undoesStart && isUnused && !hasReportedUse(cancellation)
  const note = await cancelRunningPlates(tx, job, { ...cancellation, wasNotPrinted }, by)
  if (undoesStart && plate) await restoreSpools(tx, job, plate, by)
  // A job that returns to the queue is assigned to its last printer. This does not apply to an agent's job,
  // because agents claim the next job in the queue.
  const printerId = plate?.agent === null ? plate.printer_id : null
  const isKept = step.to === 'pending' && job.assigned_printer_id === null && plate !== undefined
  const before = isKept ? (await findBeforeStart(tx, plate.id))?.job : undefined
  const undone = undoesStart && plate ? await jobBeforeStart(tx, job, plate) : {}
  const isFresh = step.to === 'pending' && job.good_quantity === 0
  let gone: string | null = null
  if (step.to === 'pending') {
    const earlier =
      undoesStart && plate ? (await findBeforeStart(tx, plate.id))?.job?.assigned_printer_id : null
    gone = await describeDeletedPrinter(tx, job.id, earlier)
    await forgetDeletedPrinter(tx, job.id)
  }
  await updateJob(
    tx,
    job.id,
    {
      status: step.to,
      ...(step.to === 'cancelled' && { finished_at: by.now }),
      ...(step.to === 'on_hold' && { hold_reason: step.reason ?? null }),
      ...(step.to === 'pending' && { hold_reason: null, agent: null }),
      ...(isKept && (await assignmentTo(tx, printerId, before))),
      ...(isFresh && { started_at: null }),
      ...undone,
    },
    by.now,
  )
  await recountPlates(tx, job.id, by.now)
  if (step.to === 'cancelled') await saveJobCost(tx, job.id)
  const reason = joinSentences([step.reason, note, gone])
  await insertTransition(tx, { jobId: job.id, from: job.status, to: step.to, reason }, by)
  await publish(tx, { type: 'updated', entity: 'print_job', id: job.id })
  if (step.to === 'pending') await completeIfEnough(tx, job.id, by)
}

/**
 * Returns whether a call to complete a waiting job repeats its last completion. Such a call changes nothing. A call
 * with a count is never a repetition, because it reports pieces that were printed although nobody pressed Start.
 */
const isRepeated = async (tx: Queryable, job: JobToChange, { good }: PlateResult): Promise<boolean> =>
  good === undefined && (await findLastEnded(tx, job.id))?.state === 'done'

/**
 * Throws PRINT_JOB_STATE if a plate of the job is printing or paused, or if the job was put on hold after its start.
 */
async function assertWaiting(tx: Queryable, job: JobToChange): Promise<void> {
  const running = await listRunningPlates(tx, job.id)
  const isHeld = job.status === 'on_hold' && job.started_at !== null
  if (running.length === 0 && !isHeld) return
  const why = running.length > 0 ? 'is being printed' : 'was put on hold after its start'
  throw new AppError('PRINT_JOB_STATE', { text: `${job.label_code} ${why}, so it is not cancelled.` })
}

/**
 * Moves a job to another status according to the transition table, and adds the transition to its history. A
 * divided job continues until its last plate. Completing a job adds the good pieces to stock once. A
 * completed job stays unchanged if it is completed again. Throws PRINT_JOB_NOT_FOUND, PRINT_JOB_STATE,
 * PRINT_JOB_INVALID, STOCK_LIMIT, SPOOL_NOT_FOUND, or an error of `startPlate`.
 */
export async function advancePrintJob(
  tx: Queryable,
  jobId: string,
  step: JobStep,
  by: AuditContext,
): Promise<void> {
  const job = await lockJob(tx, jobId)
  if (!job) throw new AppError('PRINT_JOB_NOT_FOUND')
  switch (step.to) {
    case 'in_progress': {
      const { to: _, printerId = null, ...start } = step
      const { plateId } = await startPlate(tx, { jobId, printerId, ...start, state: 'printing' }, by)
      const { agent, spoolId } = start
      if (!spoolId || agent !== undefined) return
      const loaded = printerId === null ? null : await loadChosenSpool(tx, { printerId, spoolId }, by.now)
      await saveLoadedSpools(tx, plateId)
      await saveSpoolsBeforeStart(tx, plateId, { chosen: spoolId, job_spool: job.spool_id, loaded })
      return
    }
    case 'completed': {
      if (job.status === 'completed') return
      assertStep(job.status, 'completed')
      const running = await listRunningPlates(tx, jobId)
      const plate = choosePlate(running, step)
      if (!plate) {
        if (await isRepeated(tx, job, step)) return
        return completeAtOnce(tx, job, step, by)
      }
      return finishPlate(tx, plate.id, step, by)
    }
    case 'failed': {
      assertStep(job.status, 'failed')
      const plate = choosePlate(await listRunningPlates(tx, jobId), step)
      if (!plate) throw new AppError('PRINT_JOB_STATE', { text: 'This print job is not printing now.' })
      if (step.good) return finishPlate(tx, plate.id, { ...step, hasPrinterFailed: true }, by)
      return failPlate(tx, plate.id, step, by)
    }
    case 'cancelled':
    case 'on_hold':
    case 'pending':
      assertStep(job.status, step.to)
      if (step.to === 'cancelled' && step.onlyIfWaiting) await assertWaiting(tx, job)
      return withdraw(tx, job, step, by)
  }
}
