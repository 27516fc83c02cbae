import type { AuditContext } from '../../../platform/actor.ts'
import type { Queryable } from '../../../platform/database/database.ts'
import { joinSentences } from '../../../platform/sentences.ts'
import { trashCutoff } from '../../../platform/trash.ts'
import { publish } from '../../events/index.ts'
import { deleteLeasesOfJob, listLeasedPlates } from '../agents/leases.queries.ts'
import { lockJobOrDeleted, updateJob } from '../jobs/job-changes.queries.ts'
import { saveJobCost } from '../jobs/save-job-cost.ts'
import { lockPrinter } from '../printers/printers.queries.ts'
import { countEndedPlate, uncountPlate } from '../printers/printer-state.ts'
import { bookUse } from './book-use.ts'
import type { LockedPlate } from './lock-plate.ts'
import { type PlateRow, changePlate, findEndOfPlate, findPlate, lockPlate } from './plates.queries.ts'
import { minutesOf } from './release-printer.ts'
import { addUse } from './sum-use.ts'
import { type CancelledUse, useOfLapsed } from './use-of-cancelled.ts'

/** A locked plate whose job may be in the trash. */
interface HeldPlate extends LockedPlate {
  job: LockedPlate['job'] & { deleted_at?: string | null }
}

/**
 * Locks a plate with its job and its printer. Returns null unless the plate is in one of these states. The printer may
 * be in the trash, because its figures are still counted. Locks in the same order as `lockPlateWithJob`.
 */
async function lockEnded(
  tx: Queryable,
  plateId: string,
  states: readonly PlateRow['state'][],
  now: Date,
): Promise<HeldPlate | null> {
  const found = await findPlate(tx, plateId)
  if (!found) return null
  const job = await lockJobOrDeleted(tx, found.print_job_id)
  if (!job) return null
  const printer = found.printer_id === null ? null : await lockPrinter(tx, found.printer_id, trashCutoff(now))
  const plate = await lockPlate(tx, plateId)
  return plate && states.includes(plate.state) ? { job, printer, plate } : null
}

/** Like `lockEnded`, but returns null if the filament of the plate is already booked. */
async function lockUnbooked(
  tx: Queryable,
  plateId: string,
  states: readonly PlateRow['state'][],
  now: Date,
): Promise<HeldPlate | null> {
  const held = await lockEnded(tx, plateId, states, now)
  if (!held || held.plate.used_grams !== null) return null
  return held.plate.state === 'cancelled' && held.plate.print_minutes !== null ? null : held
}

/**
 * Books the filament and the time of a cancelled plate after its printer has stopped: as waste on its spools, on the
 * plate, on its job and on its printer. The plate does not count as failed.
 *
 * Also books the filament of a plate that a person reported as failed without filament. That report has already added
 * the time to the printer. Minutes that the person reported stay unchanged.
 *
 * A plate in another state, or with a booked use, stays unchanged. The job may be in the trash.
 */
export async function bookCancelledPlate(
  tx: Queryable,
  plateId: string,
  use: CancelledUse,
  by: AuditContext,
): Promise<void> {
  const held = await lockUnbooked(tx, plateId, ['cancelled', 'failed'], by.now)
  if (!held) return
  const { printMinutes, ...rest } = use
  const isTimeKnown = printMinutes === undefined || held.plate.print_minutes !== null
  await bookCancelled(tx, held, isTimeKnown ? rest : { ...rest, printMinutes }, by)
}

/**
 * Reverts what a failed plate has added to the figures of its printer and to the cost of its job, after the printer has
 * proved that the print never began. A plate stays unchanged if a person has reported filament, time or rejected pieces
 * for it. A reported 0 does not count. The job may be in the trash.
 */
export async function uncountUnstartedPlate(tx: Queryable, plateId: string, by: AuditContext): Promise<void> {
  const locked = await lockEnded(tx, plateId, ['failed'], by.now)
  const end = locked && (await findEndOfPlate(tx, plateId))
  if (!end) return
  const { job, printer, plate } = locked
  const { used_grams: grams, print_minutes: minutes } = plate
  const hasUse = end.rejected_quantity > 0 || (grams ?? 0) > 0 || (minutes ?? 0) > 0
  const isUncounted = grams === 0 && minutes === 0
  if (hasUse || isUncounted) return
  if (printer) {
    const printMinutes = await minutesOf(tx, locked, minutes, new Date(end.finished_at ?? by.now))
    await uncountPlate(tx, printer.id, { isGood: false, printMinutes })
  }
  await changePlate(tx, plateId, { used_grams: 0, is_estimated: false, print_minutes: 0 })
  await saveCostIfOver(tx, locked)
  if (!isInTrash(locked)) await publish(tx, { type: 'updated', entity: 'print_job', id: job.id })
}

const isInTrash = ({ job }: HeldPlate): boolean => (job.deleted_at ?? null) !== null

/** Saves the cost of a job again after a change of one of its plates, if the job has ended or is in the trash. */
async function saveCostIfOver(tx: Queryable, held: HeldPlate): Promise<void> {
  const { id, status } = held.job
  const isOver = status === 'completed' || status === 'cancelled' || status === 'failed'
  if (isOver || isInTrash(held)) await saveJobCost(tx, id)
}

/**
 * Books the printed share of a plate that returned to the queue because its agent was silent. Call it when the agent
 * can no longer take the plate back. Does nothing if the agent had reported no progress.
 */
export async function bookLapsedPlate(tx: Queryable, plateId: string, by: AuditContext): Promise<void> {
  const held = await lockUnbooked(tx, plateId, ['cancelled'], by.now)
  const use = held && (await useOfLapsed(tx, held.plate))
  if (held && use) await bookCancelled(tx, held, use, by)
}

/**
 * Ends the leases of a locked job that is not being printed, and books what its silent agents have printed. Call it
 * before the job changes, so that the agents cannot report about a different job.
 */
export async function endLeasesOfJob(tx: Queryable, jobId: string, by: AuditContext): Promise<void> {
  const plates = await listLeasedPlates(tx, jobId)
  // Always lock all printers before the spools, so that two calls cannot deadlock.
  for (const { printer_id: id } of plates) if (id !== null) await lockPrinter(tx, id, trashCutoff(by.now))
  for (const { id } of plates) await bookLapsedPlate(tx, id, by)
  await deleteLeasesOfJob(tx, jobId)
}

/** Like `bookCancelledPlate`, for a locked plate. Returns a note about filament that could not be booked. */
export async function bookCancelled(
  tx: Queryable,
  held: HeldPlate,
  use: CancelledUse,
  by: AuditContext,
): Promise<string | null> {
  const { job, plate, printer } = held
  const grams = use.usedGrams ?? null
  const minutes = use.printMinutes ?? null
  const { tools, spoolId } = use
  const booking = {
    kind: 'waste',
    reason: plate.failure_reason,
    grams,
    ...(tools && { tools }),
    ...(spoolId !== undefined && { spoolId }),
  } as const
  const { note } = await bookUse(tx, { job: { id: plate.print_job_id }, plate }, booking, by)
  await changePlate(tx, plate.id, {
    used_grams: grams,
    is_estimated: use.isEstimated ?? false,
    // If the minutes are unknown, the cost uses this share of the planned minutes.
    progress: use.share,
    print_minutes: minutes ?? plate.print_minutes,
    ...(note !== null && { failure_reason: joinSentences([plate.failure_reason, note]) }),
  })
  if (printer && plate.state === 'cancelled')
    await countEndedPlate(tx, printer.id, { isGood: null, printMinutes: use.printerMinutes })
  await updateJob(tx, job.id, { status: job.status, ...addUse(job, { usedGrams: grams, minutes }) }, by.now)
  // If the job has ended or was deleted, its cost was saved without this plate.
  await saveCostIfOver(tx, held)
  if (!isInTrash(held)) await publish(tx, { type: 'updated', entity: 'print_job', id: job.id })
  return note
}
