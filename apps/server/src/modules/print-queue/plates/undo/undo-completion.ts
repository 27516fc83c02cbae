import { AppError } from '../../../../platform/errors/app-error.ts'
import type { AuditContext } from '../../../../platform/actor.ts'
import type { Queryable } from '../../../../platform/database/database.ts'
import { v7 as uuidv7 } from 'uuid'
import { publish } from '../../../events/index.ts'
import { undoUse } from '../../../filament/index.ts'
import { undoProduction } from '../../../inventory/index.ts'
import { insertTransition, updateJob } from '../../jobs/job-changes.queries.ts'
import { describeDeletedPrinter, forgetDeletedPrinter } from '../../matching/assignments.queries.ts'
import { findBedNote, setPrinterState, uncountPlate } from '../../printers/printer-state.ts'
import { completeIfEnough } from '../complete-if-enough.ts'
import { type LockedPlate, lockPlateWithJob, isByHand } from '../lock-plate.ts'
import {
  changePlate,
  copyStart,
  findRunningPlate,
  insertPlate,
  listRunningPlates,
  nextPlateNumber,
  recountPlates,
} from '../plates.queries.ts'
import {
  type BeforeDone,
  clearCompletion,
  findBeforeStart,
  findLastEnded,
  hasLaterPlate,
  hasNextAttempt,
} from './undo.queries.ts'
import { hasSucceeded, stillOnBed } from '../release-printer.ts'
import { STATE_OF_PRINTER } from '../report-plate.ts'
import { subtractUse } from '../sum-use.ts'

const refuse = (message: string): AppError => new AppError('PRINT_JOB_NOT_UNDOABLE', { text: message })

/** The reason on the reverted plate and in the history. */
const TAKEN_BACK = 'Completion undone'

const OUT_OF_USE = ['maintenance', 'offline', 'error']

/** Throws PRINT_JOB_NOT_UNDOABLE if later changes depend on the completion of this plate. */
async function assertNothingBuilt(
  tx: Queryable,
  { job, plate, printer }: LockedPlate,
  before: BeforeDone,
): Promise<void> {
  if (job.status === 'on_hold' || job.status === 'cancelled' || job.status === 'failed')
    throw refuse('The print job has continued since then, so its last plate cannot be counted again.')
  if (await hasNextAttempt(tx, job.id))
    throw refuse('The missing pieces have been queued again since then. Delete that attempt first.')
  if (plate.printer_id === null) return
  if (!printer) throw refuse('The printer of this plate has been deleted.')
  if (await findRunningPlate(tx, printer.id))
    throw refuse(`${printer.name} is printing another plate now, so this plate cannot be put back on it.`)
  // Clearing the plate again would also clear another print that is on the bed now.
  const isOccupied = printer.state === 'needs_clearing' || (await findBedNote(tx, printer.id)) !== null
  const isOwn =
    before.is_on_bed === true &&
    printer.state_reason === stillOnBed(plate.number) &&
    !(await hasLaterPlate(tx, { printerId: printer.id, plateId: plate.id }))
  if (!isByHand({ printer }) && isOccupied && !isOwn)
    throw refuse(`Another print is on the bed of ${printer.name}. Clear the bed first.`)
}

/**
 * Returns the state of the plate after the undo. Only a print that a person has started by hand continues. The print of
 * an agent or of a network printer is over and is never sent again, so its plate becomes `printed` and waits to be
 * counted again.
 */
const stateBack = ({ plate, printer }: LockedPlate, before: BeforeDone) =>
  before.state === 'paused' || before.state === 'printing'
    ? plate.agent === null && (printer === null || printer.kind === 'manual')
      ? before.state
      : 'printed'
    : 'printed'

/**
 * Adds a copy of the plate under a new number, so that a repeated report about the old plate does not change the copy.
 */
async function putBack(
  tx: Queryable,
  held: LockedPlate,
  before: BeforeDone,
  by: AuditContext,
): Promise<void> {
  const { job, plate, printer } = held
  const state = stateBack(held, before)
  const id = uuidv7()
  const jobBefore = (await findBeforeStart(tx, plate.id))?.job
  await insertPlate(tx, {
    id,
    print_job_id: job.id,
    number: await nextPlateNumber(tx, job.id),
    printer_id: plate.printer_id,
    slice_id: plate.slice_id,
    spool_id: plate.spool_id,
    state,
    pieces: plate.pieces,
    progress: state === 'printed' ? 1 : before.progress,
    used_grams: before.used_grams,
    is_estimated: before.is_estimated ?? false,
    print_minutes: before.print_minutes,
    remote_name: plate.remote_name,
    agent: plate.agent,
    started_at: new Date(plate.started_at),
    ...(jobBefore && { before_start: { job: jobBefore } }),
  })
  await copyStart(tx, { from: plate.id, to: id })
  if (!printer || OUT_OF_USE.includes(printer.state)) return
  const progress = state === 'printed' ? null : before.progress
  await setPrinterState(tx, printer.id, { state: STATE_OF_PRINTER[state], progress }, by)
}

/**
 * Takes the pieces out of stock and returns the filament to the spools. Throws PRINT_JOB_NOT_UNDOABLE with a reason.
 */
async function takeBack(
  tx: Queryable,
  { job, plate }: LockedPlate,
  { entries }: BeforeDone,
  by: AuditContext,
): Promise<void> {
  const stock = await undoProduction(tx, { printJobId: job.id, plateId: plate.id }, by)
  if (stock !== null) throw refuse(stock)
  for (const entryId of entries) {
    const filament = await undoUse(tx, entryId, by)
    if (filament !== null) throw refuse(filament)
  }
}

/**
 * Reverts the last completion of a locked job. The pieces are taken out of stock and the filament returns to the
 * spools. The plate is restored, unless it was added only to complete a job that nobody had started. Returns the number
 * of the reverted plate. Throws PRINT_JOB_NOT_UNDOABLE with a reason.
 */
export async function undoCompletion(tx: Queryable, jobId: string, by: AuditContext): Promise<number> {
  const last = await findLastEnded(tx, jobId)
  if (last?.state !== 'done' || last.before_done === null)
    throw refuse('This print job has no completion that can be undone.')
  const before = last.before_done
  const locked = await lockPlateWithJob(tx, last.id)
  const { job, plate, printer } = locked
  await assertNothingBuilt(tx, locked, before)
  await takeBack(tx, locked, before, by)
  const counted = { good: last.good_quantity, rejected: last.rejected_quantity }
  if (printer)
    await uncountPlate(tx, printer.id, {
      isGood: hasSucceeded(counted),
      printMinutes: before.printer_minutes,
    })
  await changePlate(tx, plate.id, {
    state: 'cancelled',
    good_quantity: 0,
    rejected_quantity: 0,
    failure_reason: TAKEN_BACK,
    used_grams: null,
    is_estimated: false,
    print_minutes: null,
  })
  await clearCompletion(tx, jobId, plate.id)
  if (!before.is_at_once) await putBack(tx, locked, before, by)
  const isAtWork = (await listRunningPlates(tx, jobId)).length > 0
  const good = job.good_quantity - last.good_quantity
  await updateJob(
    tx,
    jobId,
    {
      status: isAtWork ? 'in_progress' : 'pending',
      good_quantity: good,
      rejected_quantity: job.rejected_quantity - last.rejected_quantity,
      ...subtractUse(job, { usedGrams: plate.used_grams, minutes: plate.print_minutes }, before.job),
      failure_reason: before.job.failure_reason,
      spool_id: before.job.spool_id,
      ...(before.job.agent !== null && { agent: before.job.agent }),
      finished_at: null,
      ...(!isAtWork && good === 0 && { started_at: null }),
    },
    by.now,
  )
  await recountPlates(tx, jobId, by.now)
  const to = isAtWork ? 'in_progress' : 'pending'
  // A finished job stays assigned to a printer that is deleted, so remove that assignment now. A job that another
  // printer is printing needs no note about it.
  const gone = isAtWork ? null : await describeDeletedPrinter(tx, jobId)
  await forgetDeletedPrinter(tx, jobId)
  const reason = gone === null ? TAKEN_BACK : `${TAKEN_BACK}. ${gone}`
  await insertTransition(tx, { jobId, from: job.status, to, reason }, by)
  await publish(tx, { type: 'updated', entity: 'print_job', id: jobId })
  await completeIfEnough(tx, jobId, by)
  return plate.number
}
