import { isPrinterLost } from '@pegasus/contracts/print-queue/lost-prints'
import type { PrintJobStatus } from '@pegasus/contracts/statuses'
import type { AuditContext } from '../../../platform/actor.ts'
import type { Queryable } from '../../../platform/database/database.ts'
import { joinSentences } from '../../../platform/sentences.ts'
import { publish } from '../../events/index.ts'
import { deleteLeaseOfPlate } from '../agents/leases.queries.ts'
import { type JobChange, type JobToChange, insertTransition, updateJob } from '../jobs/job-changes.queries.ts'
import { checkCounts, checkPlateCounts, produce } from '../steps/book-results.ts'
import { saveJobCost } from '../jobs/save-job-cost.ts'
import { type UsedByPlate, bookUse, sumOfTools, toolsOf, useOf } from './book-use.ts'
import { assignmentAfter, assignmentTo, findBeforeStart, saveBeforeDone } from './undo/undo.queries.ts'
import {
  type LockedPlate,
  assertPrinted,
  hasReportedProgress,
  isByHand,
  isUnreportedPrint,
  lockPlateWithJob,
  refusePlate,
} from './lock-plate.ts'
import { addUse } from './sum-use.ts'
import { changePlate, isUnstarted, listRunningPlates, recountPlates } from './plates.queries.ts'
import { hasSucceeded, releasePrinter } from './release-printer.ts'
import { completeIfEnough } from './complete-if-enough.ts'
import { closeCancelled } from './cancel-plates.ts'
import { findHoldReason, hasEnough } from './give-up.ts'
import { noteGivenUpJob } from '../steps/failed-jobs.queries.ts'

export interface PlateResult extends UsedByPlate {
  /** Number of good pieces. The default is all pieces that are not rejected. */
  good?: number
  rejected?: number
  /** Why pieces were rejected. */
  reason?: string
  /**
   * Whether the pieces are still on the bed. The default is true for a print of a network printer, and false for a print
   * that a person or an agent has started.
   */
  isOnBed?: boolean
  /** Whether the plate was added only to complete a job that nobody had started. */
  isAtOnce?: boolean
  /**
   * Whether the printer failed during the print. Pieces that are neither good nor rejected are then missing again. Also
   * set to end a plate whose printer is lost, see `isPrinterLost`.
   */
  hasPrinterFailed?: boolean
}

export interface PlateFailure extends UsedByPlate {
  reason: string
  rejected?: number
  /** Whether something is still on the bed. The default is true if an agent has reported progress of the print. */
  isOnBed?: boolean
  /** Whether it is proven that the print never began. Then it has used neither filament nor time. */
  isUnsent?: boolean
}

/** Returns the number of pieces of a job that are neither good nor on its `running` plates after a plate has ended. */
const missingAfter = (job: JobToChange, good: number, running: readonly { pieces: number }[]): number =>
  job.quantity - job.good_quantity - good - running.reduce((sum, { pieces }) => sum + pieces, 0)

/** Returns the totals of a job after a plate has added its pieces, filament and time. */
const sumsOf = (
  job: JobToChange,
  add: { good: number; rejected: number; usedGrams: number | null; minutes: number | null },
): Pick<JobChange, 'good_quantity' | 'rejected_quantity' | 'used_grams' | 'print_minutes'> => ({
  good_quantity: job.good_quantity + add.good,
  rejected_quantity: job.rejected_quantity + add.rejected,
  ...addUse(job, add),
})

/** Saves the state of a job after a plate has ended, and adds a transition to its history. */
async function settle(
  tx: Queryable,
  { job, plate }: Pick<LockedPlate, 'job' | 'plate'>,
  next: { change: JobChange; reasons: (string | null | undefined)[]; good?: number; rejected?: number },
  by: AuditContext,
): Promise<void> {
  const { status } = next.change
  const isOver = status === 'completed' || status === 'failed'
  const waits = status === 'pending' || status === 'on_hold'
  await updateJob(
    tx,
    job.id,
    {
      ...next.change,
      ...(isOver && { finished_at: by.now }),
      ...(waits && { agent: null }),
      ...(status === 'pending' && { hold_reason: null }),
    },
    by.now,
  )
  await recountPlates(tx, job.id, by.now)
  if (isOver) await saveJobCost(tx, job.id)
  if (status === 'on_hold')
    await noteGivenUpJob(tx, { jobId: job.id, reason: next.change.hold_reason ?? null, now: by.now })
  const reasons = joinSentences(next.reasons)
  const about = job.pieces_per_plate === null ? '' : `Plate ${plate.number}: `
  const reason = reasons === null ? (about ? `Plate ${plate.number}` : null) : about + reasons
  const counts = { good: next.good ?? null, rejected: next.rejected ?? null }
  await insertTransition(tx, { jobId: job.id, from: job.status, to: status, reason, ...counts }, by)
  await publish(tx, { type: 'updated', entity: 'print_job', id: job.id })
}

/**
 * Returns the status of a job after a finished plate. `isElsewhere` means that other plates of the job are still
 * running.
 */
function statusAfter(
  job: JobToChange,
  plate: LockedPlate['plate'],
  good: number,
  isElsewhere: boolean,
): PrintJobStatus {
  if (isElsewhere) return 'in_progress'
  if (job.good_quantity + good >= job.quantity) return 'completed'
  // An undivided job ends with its print, even if pieces were rejected. It continues only if its quantity was increased
  // during the print.
  const isWhole = job.pieces_per_plate === null && plate.pieces >= job.quantity - job.good_quantity
  return isWhole ? 'completed' : 'pending'
}

/**
 * Returns the status of a job after its printer failed during the plate. An undivided job fails, as with `failPlate`.
 */
const statusAfterFailure = (job: JobToChange, good: number, isElsewhere: boolean): PrintJobStatus =>
  isElsewhere
    ? 'in_progress'
    : job.good_quantity + good >= job.quantity
      ? 'completed'
      : job.pieces_per_plate === null
        ? 'failed'
        : 'pending'

/**
 * Finishes a plate whose pieces have been counted. If they are still on the bed, its printer has to be cleared. Good
 * pieces are added to stock, the filament is booked once, and the job continues or is completed. A plate that is
 * already done stays unchanged. Throws PLATE_NOT_FOUND, PRINT_JOB_STATE, PRINT_JOB_INVALID, STOCK_LIMIT or
 * SPOOL_NOT_FOUND.
 */
export async function finishPlate(
  tx: Queryable,
  plateId: string,
  result: PlateResult,
  by: AuditContext,
): Promise<void> {
  const locked = await lockPlateWithJob(tx, plateId)
  const { job, plate } = locked
  if (plate.state === 'done') return
  if (plate.state === 'failed' || plate.state === 'cancelled') throw refusePlate(plate)
  const hasFailed = result.hasPrinterFailed ?? false
  const { printer } = locked
  const isLost = hasFailed && printer !== null && isPrinterLost(printer, plate.state, by.now.getTime())
  if (!isLost) assertPrinted(locked)
  const rejected = result.rejected ?? 0
  // A plate that was added to complete the job at once has no fixed number of pieces.
  if (!result.isAtOnce) checkPlateCounts(plate, result.good ?? 0, rejected)
  const goodQuantity = result.good ?? plate.pieces - rejected
  checkCounts(goodQuantity, rejected)
  const pieces = Math.max(1, goodQuantity + rejected)
  // The sliced file's grams and minutes are booked in proportion to the pieces of the plate.
  if (result.isAtOnce) await changePlate(tx, plateId, { pieces })
  const { grams: usedGrams, tools, isEstimated, note } = await useOf(tx, locked, { ...result, pieces })
  const minutes = result.printMinutes ?? plate.print_minutes
  await changePlate(tx, plateId, {
    state: 'done',
    progress: 1,
    good_quantity: goodQuantity,
    rejected_quantity: rejected,
    failure_reason: result.reason ?? null,
    used_grams: usedGrams,
    is_estimated: isEstimated,
    print_minutes: minutes,
    command: null,
    finished_at: by.now,
  })
  await deleteLeaseOfPlate(tx, plateId)
  const isPrinted = plate.state !== 'sending' && !isByHand(locked)
  const isOnBed = result.isOnBed ?? (isPrinted && !hasFailed)
  // After a failure of the printer, the missing pieces can still be on the bed.
  const isGood = hasSucceeded({ good: goodQuantity, rejected })
  const end = { isCounted: true, isGood, isCleared: !isOnBed && !hasFailed, isOnBed, minutes }
  const printerMinutes = await releasePrinter(tx, locked, end, by)
  const others = await listRunningPlates(tx, job.id)
  const isElsewhere = others.length > 0
  const status = hasFailed
    ? statusAfterFailure(job, goodQuantity, isElsewhere)
    : statusAfter(job, plate, goodQuantity, isElsewhere)
  const stockNote = await produce(tx, job, { plateId, good: goodQuantity }, by)
  const use = await bookUse(
    tx,
    locked,
    { ...result, ...(tools && { tools }), grams: usedGrams, kind: 'use', reason: null },
    by,
  )
  await saveBeforeDone(tx, plateId, {
    state: plate.state,
    progress: plate.progress,
    used_grams: plate.used_grams,
    is_estimated: plate.is_estimated,
    print_minutes: plate.print_minutes,
    is_at_once: result.isAtOnce ?? false,
    is_on_bed: isOnBed,
    printer_minutes: printerMinutes,
    entries: use.entries,
    job: {
      used_grams: job.used_grams,
      print_minutes: job.print_minutes,
      failure_reason: job.failure_reason,
      spool_id: job.spool_id,
      agent: job.agent,
    },
  })
  const change = {
    status,
    ...(status !== 'completed' &&
      status !== 'failed' &&
      (await assignmentAfter(tx, locked, { missing: missingAfter(job, goodQuantity, others) }))),
    failure_reason: hasFailed ? (result.reason ?? null) : null,
    ...sumsOf(job, { good: goodQuantity, rejected, usedGrams, minutes }),
    ...(result.spoolId !== undefined && { spool_id: result.spoolId }),
  }
  await settle(
    tx,
    locked,
    { change, reasons: [result.reason, stockNote, note, use.note], good: goodQuantity, rejected },
    by,
  )
}

/**
 * Ends a failed plate and books its filament as waste. A plate that has already failed stays unchanged. An undivided job
 * also fails. A divided job waits for its next plate. After the third failure in a row, over all attempts, either kind
 * of job is put on hold until a person requeues it. Throws the errors of `finishPlate`.
 *
 * A plate whose start was never sent, or that is reported without filament and time, counts neither for its printer nor
 * for the cost. It does count if rejected pieces are reported, or if its agent had said that the print had begun.
 */
export async function failPlate(
  tx: Queryable,
  plateId: string,
  failure: PlateFailure,
  by: AuditContext,
): Promise<void> {
  const locked = await lockPlateWithJob(tx, plateId)
  const { job, plate } = locked
  if (plate.state === 'failed') return
  if (plate.state === 'done' || plate.state === 'cancelled') throw refusePlate(plate)
  const rejected = failure.rejected ?? 0
  checkCounts(0, rejected)
  checkPlateCounts(plate, 0, rejected)
  const tools = await toolsOf(tx, plateId, failure)
  const isUnsent = failure.isUnsent ?? (await isUnstarted(tx, plate))
  const reported = failure.usedGrams ?? sumOfTools(tools)
  const usedGrams = reported ?? (isUnsent ? 0 : plate.used_grams)
  const isEstimated = reported === null ? !isUnsent && plate.is_estimated : (failure.isEstimated ?? false)
  const minutes = failure.printMinutes ?? (isUnsent ? 0 : plate.print_minutes)
  const isOnBed = failure.isOnBed ?? isUnreportedPrint(locked)
  const hasBegun = isOnBed || hasReportedProgress(locked)
  await changePlate(tx, plateId, {
    state: 'failed',
    has_begun: hasBegun,
    rejected_quantity: rejected,
    failure_reason: failure.reason,
    used_grams: usedGrams,
    is_estimated: isEstimated,
    print_minutes: minutes,
    command: null,
    finished_at: by.now,
  })
  await deleteLeaseOfPlate(tx, plateId)
  // The figures of the printer must count the same failures as the report and the cost, see `hasBegun` in
  // plates.queries.ts.
  const isCounted = hasBegun || rejected > 0 || usedGrams !== 0 || minutes !== 0
  const end = { isCounted, isGood: false, isCleared: false, isOnBed, minutes }
  await releasePrinter(tx, locked, end, by)
  const { note: remark } = await bookUse(
    tx,
    locked,
    { ...failure, ...(tools && { tools }), grams: usedGrams, kind: 'waste' },
    by,
  )
  const others = await listRunningPlates(tx, job.id)
  const holdReason = others.length > 0 ? null : await findHoldReason(tx, job, failure.reason)
  const otherwise: PrintJobStatus = job.pieces_per_plate === null && !hasEnough(job) ? 'failed' : 'pending'
  const ended = holdReason === null ? otherwise : 'on_hold'
  const status = others.length > 0 ? 'in_progress' : ended
  const change: JobChange = {
    status,
    failure_reason: failure.reason,
    ...(status !== 'failed' &&
      (await assignmentAfter(tx, locked, { missing: missingAfter(job, 0, others) }))),
    ...(holdReason !== null && { hold_reason: holdReason }),
    ...sumsOf(job, { good: 0, rejected, usedGrams, minutes }),
    ...(failure.spoolId !== undefined && { spool_id: failure.spoolId }),
  }
  // A failed job without rejected pieces gets no counts in its history.
  const counts = rejected > 0 || status !== 'failed' ? { rejected } : {}
  await settle(tx, locked, { change, reasons: [holdReason ?? failure.reason, remark], ...counts }, by)
  await completeIfEnough(tx, job.id, by)
}

/**
 * Cancels a plate without a result, for example because its agent stopped reporting. Its pieces are missing again. With
 * `keepsLease`, the next report of its agent can reopen the plate. With `isUnsent`, the printer never got the plate, so
 * the job is assigned as before the start. With `isRefused`, the printer refused the plate, and after the second
 * refusal in a row, the job is put on hold. Throws PLATE_NOT_FOUND or PRINT_JOB_STATE.
 */
export async function cancelPlate(
  tx: Queryable,
  plateId: string,
  {
    reason,
    keepsLease = false,
    isUnsent = false,
    isRefused = false,
  }: { reason?: string; keepsLease?: boolean; isUnsent?: boolean; isRefused?: boolean },
  by: AuditContext,
): Promise<void> {
  const locked = await lockPlateWithJob(tx, plateId)
  const { job, plate } = locked
  if (plate.state === 'cancelled') return
  if (plate.state === 'done' || plate.state === 'failed') throw refusePlate(plate)
  await closeCancelled(tx, locked, reason ?? null, by)
  if (isRefused) await changePlate(tx, plateId, { is_refused: true })
  if (keepsLease) await changePlate(tx, plateId, { lapsed_at: by.now })
  else await deleteLeaseOfPlate(tx, plateId)
  const others = await listRunningPlates(tx, job.id)
  // While this plate was running, other plates may have failed three times, or may have been refused twice.
  const holdReason = others.length > 0 ? null : await findHoldReason(tx, job, job.failure_reason)
  const status = others.length > 0 ? 'in_progress' : holdReason === null ? 'pending' : 'on_hold'
  const isFresh = status === 'pending' && job.good_quantity === 0
  // The job is assigned to this printer again, unless a person has assigned it to another printer or has
  // removed the assignment in the meantime.
  const before = (await findBeforeStart(tx, plateId))?.job
  const printerId =
    isUnsent && before ? before.assigned_printer_id : plate.agent === null ? plate.printer_id : null
  const isKept = job.assigned_printer_id === null && printerId !== null
  const change = {
    status,
    ...(holdReason !== null && { hold_reason: holdReason }),
    ...(isFresh && { started_at: null }),
    ...(isKept && (await assignmentTo(tx, printerId, before))),
  } as const
  // The reason for the hold already contains the refusal.
  const reasons = isRefused && holdReason !== null ? [holdReason] : [reason, holdReason]
  await settle(tx, locked, { change, reasons }, by)
  await completeIfEnough(tx, job.id, by)
}
