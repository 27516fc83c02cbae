import { MINUTE_MS } from '../../../platform/clock.ts'
import type { AuditContext } from '../../../platform/actor.ts'
import type { Queryable } from '../../../platform/database/database.ts'
import {
  type CancelledUse,
  type PlateRow,
  bookCancelledPlate,
  findPlateByRemoteName,
  lockPrinter,
  setPrinterState,
  uncountUnstartedPlate,
} from '../../print-queue/index.ts'
import { REQUEST_GRACE_MS, isAfterOutage, isWithin, mayStillBegin } from '../command-times.ts'
import { saveBedNote } from '../connection-claims.queries.ts'
import { type PrintRecord, type PrinterReading, tryCommand } from '../connector.ts'
import {
  type DispatchRow,
  type EndedPrint,
  closeDispatch,
  closeEndedDispatches,
  findJobCode,
  findOpenDispatch,
  findPlateFile,
  listEndedStarts,
  listStoppedPrints,
  updateDispatch,
} from '../dispatches.queries.ts'
import { useOfPrint } from '../used-filament.ts'
import type { PrinterVisit } from '../visits/printer-visit.ts'

/** A printer that still prints this long after it was told to cancel does not stop by itself. */
const CANCEL_GRACE_MS = 3 * MINUTE_MS

const DOES_NOT_STOP = 'The printer does not stop. Stop it at its screen.'
const CONFIRMED = 'The printer confirmed the cancellation but still prints. Stop it at its screen.'

/**
 * Returns how a plate was ended, as part of a sentence, if its print has to be stopped. Returns null for any other
 * plate.
 */
export const wordOfEnd = (state: PlateRow['state'] | undefined): string | null =>
  state === 'cancelled'
    ? 'was cancelled'
    : state === 'failed'
      ? 'was reported as failed'
      : state === 'done'
        ? 'was counted'
        : null

/**
 * Finds out whether plates that were cancelled or failed after their start was sent were nevertheless printed. If the
 * printer does not prove that it never printed such a plate, the bed has to be cleared. Returns false while a
 * print may still begin.
 */
export async function settleEndedStarts(visit: PrinterVisit, reading: PrinterReading): Promise<boolean> {
  const { database, connector, printer, change, clock } = visit
  const isRunning = reading.state === 'printing' || reading.state === 'paused'
  let isSettled = true
  for (const start of await listEndedStarts(database.sql, printer.id)) {
    const isShown = reading.file === start.remote_name && reading.state !== 'idle' && reading.state !== 'busy'
    // `stopEndedPlate` stops this print.
    if (isShown && isRunning) continue
    const isBooked = start.state === 'done'
    const record = isShown && isBooked ? 'unknown' : await connector.findPrint(start.remote_name)
    // If the history still reports `running`, it is older than the reading, or the start has just arrived.
    const isSeen = isShown || (record !== null && record !== 'unknown' && record.outcome !== 'running')
    // A busy printer might still begin the print, which is then stopped.
    if (!isSeen && (reading.state === 'busy' || mayStillBegin(start.start_sent_at, clock.now(), record))) {
      isSettled = false
      continue
    }
    const note = `Plate ${start.number} ${wordOfEnd(start.state)} after its start was sent. Check the bed, and clear it.`
    const isPrinted = isSeen || start.progress > 0
    const use = isPrinted && !isBooked ? await useOfCancelled(visit, start, { reading, record }) : null
    // A person can have reported a plate as failed before its print began.
    // If the printer proves nothing, its print is stopped, and its file stays, until somebody has cleared the bed.
    // Nobody clears the bed of a deleted printer.
    const isDeleted = printer.deleted_at !== null
    const isOpen = record === 'unknown' && !isPrinted && !isBooked && !isRunning && !isDeleted
    if (isOpen) isSettled = false
    const isAbsent = record === null && !isPrinted && start.state === 'failed'
    await change(async (tx, by) => {
      // A person may have cleared the bed since the dispatches were read.
      if (!(await findOpenDispatch(tx, printer.id, start.remote_name))) return
      // Both lock the job, which must be locked before the printer.
      if (isAbsent) await uncountUnstartedPlate(tx, start.plate_id, by)
      if (use) await closeAndBook(tx, { printerId: printer.id, print: start, use }, by)
      else if (!isOpen) await closeDispatch(tx, start.plate_id, by.now)
      const isKnown = (await lockPrinter(tx, printer.id))?.state === 'needs_clearing'
      if ((isShown || record !== null) && !isKnown) await saveBedNote(tx, printer.id, note)
    })
  }
  return isSettled
}

/**
 * Books the filament and time of cancelled and failed plates whose print was stopped. Returns false while the printer
 * is still stopping such a print.
 */
export async function settleStoppedPrints(visit: PrinterVisit, reading: PrinterReading): Promise<boolean> {
  const { database, connector, printer, change, clock } = visit
  const isRunning = reading.state === 'printing' || reading.state === 'paused'
  const stopped = await listStoppedPrints(database.sql, printer.id, isRunning ? reading.file : null)
  for (const print of stopped) {
    if (reading.state === 'busy') return false
    const record = await connector.findPrint(print.remote_name)
    // The history can be older than the reading.
    const isLate = typeof record === 'object' && record?.outcome === 'running'
    if (isLate && isWithin(REQUEST_GRACE_MS, print.cancel_sent_at, clock.now())) return false
    const use = await useOfCancelled(visit, print, { reading, record })
    await change((tx, by) => closeAndBook(tx, { printerId: printer.id, print, use }, by))
  }
  return true
}

/**
 * Returns the use of a cancelled or failed print that is over, from the printer's record, otherwise from its progress.
 * A record that still reports a running print has no final figures.
 */
async function useOfCancelled(
  { database }: PrinterVisit,
  print: EndedPrint,
  { reading, record }: { reading: PrinterReading; record: PrintRecord | null | 'unknown' },
): Promise<CancelledUse> {
  const file = await findPlateFile(database.sql, print.plate_id)
  const shown = reading.file === print.remote_name ? reading : null
  const isWhole =
    shown?.state === 'finished' || (typeof record === 'object' && record?.outcome === 'finished')
  const progress = Math.max(shown?.progress ?? 0, print.progress)
  const isFinal = typeof record === 'string' || record?.outcome !== 'running'
  const { used, share } = useOfPrint(isFinal ? record : 'unknown', file, { isWhole, progress })
  const printed = Math.min(1, Math.max(0, share))
  const elapsed = (new Date(print.ended_at).getTime() - new Date(print.started_at).getTime()) / MINUTE_MS
  const planned = file?.minutes == null ? elapsed : file.minutes * printed
  return { ...used, share: printed, printerMinutes: used.printMinutes ?? planned }
}

/**
 * Closes the dispatch of a cancelled or failed plate and books its use. Both happen in one transaction, and a closed
 * dispatch books nothing, so a repeated visit changes nothing.
 */
async function closeAndBook(
  tx: Queryable,
  { printerId, print, use }: { printerId: string; print: EndedPrint; use: CancelledUse },
  by: AuditContext,
): Promise<void> {
  if (!(await closeDispatch(tx, print.plate_id, by.now))) return
  // If the completion of this plate was undone, its copy on the bed will be counted.
  const latest = await findPlateByRemoteName(tx, printerId, print.remote_name)
  if (latest?.id === print.plate_id) await bookCancelledPlate(tx, print.plate_id, use, by)
}

/** The smallest loss of progress that proves that a file is being printed from its beginning again. */
const PROGRESS_LOSS = 0.01

/**
 * Returns whether a person has started the file of an ended plate at the machine after its print was cancelled. A print
 * that goes on does not lose progress. A printer that confirmed the cancel has stopped after the grace, unless it was seen
 * printing all the time: then it still prints the old print.
 */
function isStartedAgain(
  visit: PrinterVisit,
  dispatch: DispatchRow,
  plate: PlateRow,
  reading: PrinterReading,
): boolean {
  const { cancel_sent_at: sentAt, cancel_acknowledged_at: acknowledgedAt } = dispatch
  if (sentAt === null) return false
  // A counted plate has the full progress, even if its print goes on.
  const lastProgress = plate.state === 'done' ? null : plate.progress
  if (lastProgress !== null && reading.progress !== null && reading.progress < lastProgress - PROGRESS_LOSS)
    return true
  const isStopped = acknowledgedAt !== null && !isWithin(CANCEL_GRACE_MS, acknowledgedAt, visit.clock.now())
  return isStopped && isAfterOutage(visit)
}

/** Ends the dispatch of a print that was stopped and whose file a person has started again. Books its use. */
async function settleStartedAgain(visit: PrinterVisit, plate: PlateRow): Promise<void> {
  const { database, printer, change } = visit
  const stopped = await listStoppedPrints(database.sql, printer.id, null)
  const print = stopped.find(({ plate_id: id }) => id === plate.id)
  // The state and the record of this file belong to the later print.
  const reading: PrinterReading = {
    state: 'idle',
    file: null,
    progress: null,
    minutesLeft: null,
    message: null,
  }
  const use = print && (await useOfCancelled(visit, print, { reading, record: 'unknown' }))
  await change(async (tx, by) => {
    if (print && use) await closeAndBook(tx, { printerId: printer.id, print, use }, by)
    else await closeDispatch(tx, plate.id, by.now)
  })
}

/** Returns whether a printer that was told to stop at this time did not stop by the last visit either. */
const wasStuck = ({ printer: { seen_at: seenAt } }: PrinterVisit, waitsSince: string): boolean =>
  seenAt !== null && !isWithin(CANCEL_GRACE_MS, waitsSince, new Date(seenAt))

/**
 * Stops a print at the machine if its plate was cancelled or reported as failed here. Returns whether the printer is
 * still printing it. The cancel is sent again while the printer prints the file and has not confirmed a cancel, and every few
 * minutes if it has confirmed one. Does not stop a print of the same file that somebody starts later.
 */
export async function stopEndedPlate(visit: PrinterVisit, reading: PrinterReading): Promise<boolean> {
  const { database, connector, printer, change, clock, log } = visit
  const { sql } = database
  const isRunning = reading.state === 'printing' || reading.state === 'paused'
  const printing = isRunning ? reading.file : null
  await closeEndedDispatches(sql, printer.id, { printing, now: clock.now() })
  if (printing === null) return false
  const dispatch = await findOpenDispatch(sql, printer.id, printing)
  const plate = dispatch && (await findPlateByRemoteName(sql, printer.id, printing))
  const word = wordOfEnd(plate?.state)
  if (!dispatch || !plate || word === null) return false
  const now = clock.now()
  if (isStartedAgain(visit, dispatch, plate, reading)) {
    await settleStartedAgain(visit, plate)
    return false
  }
  const acknowledgedAt = dispatch.cancel_acknowledged_at
  const lastSentAt = dispatch.cancel_repeated_at ?? dispatch.cancel_sent_at
  // A printer that has confirmed a cancel may still park its head and cool down.
  const graceMs = acknowledgedAt === null ? REQUEST_GRACE_MS : CANCEL_GRACE_MS
  const isDue = lastSentAt === null || !isWithin(graceMs, lastSentAt, now)
  // A cancel that was sent before an outage may never have reached the printer.
  const isFirst = lastSentAt === null || (acknowledgedAt === null && isDue && isAfterOutage(visit))
  const waitsSince = isFirst ? null : (acknowledgedAt ?? dispatch.cancel_sent_at)
  const isStuck = waitsSince !== null && !isWithin(CANCEL_GRACE_MS, waitsSince, now)
  // The state of a deleted printer, which would alert people, does not change.
  if (isStuck && printer.deleted_at !== null && !wasStuck(visit, waitsSince))
    log.warn(
      { printer: printer.name, plate: plate.number },
      'a deleted printer does not stop its ended print',
    )
  // Other jobs that wait for the printer show the reason too.
  const ended = `Plate ${plate.number} of ${await findJobCode(sql, plate.id)} ${word}.`
  await change(async (tx, by) => {
    if (isDue)
      await updateDispatch(
        tx,
        plate.id,
        isFirst ? { cancel_sent_at: by.now, cancel_repeated_at: null } : { cancel_repeated_at: by.now },
      )
    const note = `Plate ${plate.number} ${word} while it was printed. Take it off and clear the bed.`
    await saveBedNote(tx, printer.id, note)
    // The error alerts people.
    const shown = isStuck
      ? {
          state: 'error' as const,
          reason: `${ended} ${acknowledgedAt === null ? DOES_NOT_STOP : CONFIRMED}`,
        }
      : {
          state: 'printing' as const,
          reason: `${ended} The server is stopping the print.`,
        }
    await setPrinterState(tx, printer.id, { ...shown, seenAt: by.now }, by)
  })
  // The next reading shows whether the printer has stopped.
  const isConfirmed = isDue && (await tryCommand(() => connector.cancel())) === null
  if (isConfirmed && acknowledgedAt === null)
    await change((tx, by) => updateDispatch(tx, plate.id, { cancel_acknowledged_at: by.now }))
  return true
}
