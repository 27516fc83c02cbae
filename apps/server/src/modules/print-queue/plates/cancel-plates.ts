import type { AuditContext } from '../../../platform/actor.ts'
import type { Queryable } from '../../../platform/database/database.ts'
import { AppError } from '../../../platform/errors/app-error.ts'
import { joinSentences } from '../../../platform/sentences.ts'
import { deleteLeaseOfPlate } from '../agents/leases.queries.ts'
import type { JobToChange } from '../jobs/job-changes.queries.ts'
import { bookCancelled } from './book-cancelled.ts'
import type { UsedByPlate } from './book-use.ts'
import { type LockedPlate, isByHand, isUnreportedPrint, lockPlateWithJob } from './lock-plate.ts'
import { changePlate, listRunningPlates } from './plates.queries.ts'
import { releasePrinter } from './release-printer.ts'
import { UNKNOWN_USE, useOfCancelled } from './use-of-cancelled.ts'

/** Why the plates of a job are cancelled, and what a person knows about the print. */
export interface PlateCancellation extends UsedByPlate {
  reason?: string
  /** Whether a person started the print by mistake, so that it has used nothing. */
  wasNotPrinted?: boolean
}

/** Throws PRINT_JOB_STATE if a plate is `printed`, because its pieces must be counted first. */
function assertCounted(running: readonly { number: number; state: string }[]): void {
  const printed = running.find(({ state }) => state === 'printed')
  if (!printed) return
  throw new AppError('PRINT_JOB_STATE', {
    text: `Plate ${printed.number} is printed, but its pieces are not counted. Report it as done or as failed first.`,
  })
}

/** Returns whether somebody has reported filament, time or a spool. */
export const hasReportedUse = ({ usedGrams, gramsByTool, printMinutes, spoolId }: UsedByPlate): boolean =>
  [usedGrams, gramsByTool, printMinutes, spoolId].some((value) => value !== undefined)

/** Creates the error PRINT_JOB_STATE for a use that is reported for a job that does not print. */
export const refuseUse = (): AppError =>
  new AppError('PRINT_JOB_STATE', {
    text: 'This print job is not printing now, so it has no filament or time to book.',
  })

/** Throws PRINT_JOB_STATE if the reported use cannot belong to these plates. */
function assertOnePlateByHand(held: readonly LockedPlate[]): void {
  const [first] = held
  if (!first) throw refuseUse()
  if (held.length > 1)
    throw new AppError('PRINT_JOB_STATE', {
      text: `Plates ${held.map(({ plate }) => plate.number).join(' and ')} of this print job are printing, so it is unknown which of them used the filament. Report the plates as failed one by one.`,
    })
  if (!isByHand(first))
    throw new AppError('PRINT_JOB_STATE', {
      text: 'The server reads the filament and time of this print from its printer. Leave them out.',
    })
}

/**
 * Cancels every running plate of a locked job. If people or agents print them, their filament and time are booked at
 * once; `PrinterPoller` books those of network printers. Returns a note for the history if the use of a print is
 * unknown. The caller sets the new status of the job. Throws PRINT_JOB_STATE if a plate has already been
 * printed, or if the plates cannot have used the reported filament or time.
 */
export async function cancelRunningPlates(
  tx: Queryable,
  job: JobToChange,
  { reason, wasNotPrinted, ...use }: PlateCancellation,
  by: AuditContext,
): Promise<string | null> {
  const running = await listRunningPlates(tx, job.id)
  assertCounted(running)
  // Printers are always locked in the same order, so that two cancellations cannot deadlock.
  const inOrder = running.toSorted((a, b) => ((a.printer_id ?? '') < (b.printer_id ?? '') ? -1 : 1))
  const lockedPlates: LockedPlate[] = []
  for (const { id } of inOrder) lockedPlates.push(await lockPlateWithJob(tx, id))
  if (hasReportedUse(use)) assertOnePlateByHand(lockedPlates)
  for (const each of lockedPlates) {
    await closeCancelled(tx, each, reason ?? null, by)
    await deleteLeaseOfPlate(tx, each.plate.id)
  }
  if (wasNotPrinted) return null
  const notes: string[] = []
  // Always lock all printers before the spools, so that two calls cannot deadlock.
  for (const { plate } of lockedPlates.filter(isByHand)) {
    const now = await lockPlateWithJob(tx, plate.id)
    const used = await useOfCancelled(tx, now, use)
    const note = used ? await bookCancelled(tx, now, used, by) : UNKNOWN_USE
    if (!used) await changePlate(tx, plate.id, { failure_reason: joinSentences([reason, note]) })
    if (note !== null) notes.push(lockedPlates.length > 1 ? `Plate ${plate.number}: ${note}` : note)
  }
  return notes.join(' ') || null
}

/** Ends a locked plate as cancelled, and releases its printer. */
export async function closeCancelled(
  tx: Queryable,
  held: LockedPlate,
  reason: string | null,
  by: AuditContext,
): Promise<void> {
  const { id } = held.plate
  await changePlate(tx, id, {
    state: 'cancelled',
    failure_reason: reason,
    command: null,
    finished_at: by.now,
  })
  const end = { isCounted: false, isGood: false, isCleared: false, minutes: null }
  await releasePrinter(tx, held, { ...end, isOnBed: isUnreportedPrint(held) }, by)
}
