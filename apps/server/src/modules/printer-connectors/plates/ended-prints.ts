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

/** If a printer is still printing this long after a cancel command, it will not stop by itself. */
const CANCEL_GRACE_MS = 3 * MINUTE_MS

const DOES_NOT_STOP = 'The printer does not stop. Stop it at its screen.'
const CONFIRMED = 'The printer confirmed the cancellation but still prints. Stop it at its screen.'

/**
 * Returns how a plate was ended, as part of a sentence, for a plate whose print has to be stopped. Returns null for any
 * other plate.
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
 * Finds out whether plates were printed although they were cancelled or failed after their start was sent. Unless the
 * printer proves that such a plate was never printed, its bed has to be cleared. Returns false while a print may still
 * begin.
 */
export async function settleEndedStarts(visit: PrinterVisit, reading: PrinterReading): Promise<boolean> {
  const { database, connector, printer, change, clock } = visit
  const isRunning = reading.state === 'printing' || reading.state === 'paused'
  let isSettled = true
  for (const start of await listEndedStarts(database.sql, printer.id)) {
    const isShown = reading.file === start.remote_name && reading.state !== 'idle' && reading.state !== 'busy'
    // This print is still running, so `stopEndedPlate` stops it.
    if (isShown && isRunning) continue
    const isBooked = start.state === 'done'
    const record = isShown && isBooked ? 'unknown' : await connector.findPrint(start.remote_name)
    // If the history still reports `running`, it is older than the reading, or the start has just arrived.
    const isSeen = isShown || (record !== null && record !== 'unknown' && record.outcome !== 'running')
    // A busy printer may still begin the print. It is stopped then.
    if (!isSeen && (reading.state === 'busy' || mayStillBegin(start.start_sent_at, clock.now(), record))) {
      isSettled = false
      continue
    }
    const note = `Plate ${start.number} ${wordOfEnd(start.state)} after its start was sent. Check the bed, and clear it.`
    const isPrinted = isSeen || start.progress > 0
    const use = isPrinted && !isBooked ? await useOfCancelled(visit, start, { reading, record }) : null
    // A person may have reported a plate as failed before its print began. If it is unknown whether the print began,
    // the dispatch stays open and the file stays on the printer until somebody has cleared the bed. For a deleted
    // printer, nobody clears the bed.
    const isDeleted = printer.deleted_at !== null
    const isOpen = record === 'unknown' && !isPrinted && !isBooked && !isRunning && !isDeleted
    if (isOpen) isSettled = false
    const isAbsent = record === null && !isPrinted && start.state === 'failed'
    await change(async (tx, by) => {
      // A person may have cleared the bed since the dispatches were read.
      if (!(await findOpenDispatch(tx, printer.id, start.remote_name))) return
      // These calls lock the job, which must be locked before the printer.
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
    // The history can be older than the reading and still report the print as running.
    const isLate = typeof record === 'object' && record?.outcome === 'running'
    if (isLate && isWithin(REQUEST_GRACE_MS, print.cancel_sent_at, clock.now())) return false
    const use = await useOfCancelled(visit, print, { reading, record })
    await change((tx, by) => closeAndBook(tx, { printerId: printer.id, print, use }, by))
  }
  return true
}

/**
 * Returns the use of a cancelled or failed print that is over. It comes from the printer's record, otherwise from the
 * progress. A record that still says `running` has no final figures, so it is not used.
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
 * Closes the dispatch of a cancelled or failed plate and books its use in one transaction. A second call for the same
 * dispatch changes nothing.
 */
async function closeAndBook(
  tx: Queryable,
  { printerId, print, use }: { printerId: string; print: EndedPrint; use: CancelledUse },
  by: AuditContext,
): Promise<void> {
  if (!(await closeDispatch(tx, print.plate_id, by.now))) return
  // If the completion of this plate was undone, a copy of the plate waits on the bed, and its use is booked with the
  // copy.
  const latest = await findPlateByRemoteName(tx, printerId, print.remote_name)
  if (latest?.id === print.plate_id) await bookCancelledPlate(tx, print.plate_id, use, by)
}

/** If the progress falls by at least this share, the file is being printed from its beginning again. */
const PROGRESS_LOSS = 0.01

/**
 * Returns whether a person has started the file of an ended plate again at the machine after its print was cancelled.
 * The first proof is that the progress has fallen, because a print that continues does not lose progress. The second
 * proof is that the printer confirmed the cancel long ago and was not seen since then, so that it must have stopped in
 * the meantime.
 */
function isStartedAgain(
  visit: PrinterVisit,
  dispatch: DispatchRow,
  plate: PlateRow,
  reading: PrinterReading,
): boolean {
  const { cancel_sent_at: sentAt, cancel_acknowledged_at: acknowledgedAt } = dispatch
  if (sentAt === null) return false
  // The progress of a counted plate was set to 1, even if its print still runs, so it proves nothing.
  const lastProgress = plate.state === 'done' ? null : plate.progress
  if (lastProgress !== null && reading.progress !== null && reading.progress < lastProgress - PROGRESS_LOSS)
    return true
  const isStopped = acknowledgedAt !== null && !isWithin(CANCEL_GRACE_MS, acknowledgedAt, visit.clock.now())
  return isStopped && isAfterOutage(visit)
}

/**
 * Ends the dispatch of a print that was stopped, after a person has started its file again. Books the use of the
 * stopped print.
 */
async function settleStartedAgain(visit: PrinterVisit, plate: PlateRow): Promise<void> {
  const { database, printer, change } = visit
  const stopped = await listStoppedPrints(database.sql, printer.id, null)
  const print = stopped.find(({ plate_id: id }) => id === plate.id)
  // The printer's state and record of this file now belong to the later print, so they are not used.
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
 * Stops a print at the machine if its plate was ended in Pegasus Ops. Returns whether the printer is still printing it.
 * The cancel is repeated until the printer confirms it, and after that every few minutes while the print continues.
 * Does not stop a print of the same file that somebody starts later.
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
  // After it has confirmed a cancel, a printer may still park its head and cool down.
  const graceMs = acknowledgedAt === null ? REQUEST_GRACE_MS : CANCEL_GRACE_MS
  const isDue = lastSentAt === null || !isWithin(graceMs, lastSentAt, now)
  // A cancel that was sent before an outage may never have reached the printer.
  const isFirst = lastSentAt === null || (acknowledgedAt === null && isDue && isAfterOutage(visit))
  const waitsSince = isFirst ? null : (acknowledgedAt ?? dispatch.cancel_sent_at)
  const isStuck = waitsSince !== null && !isWithin(CANCEL_GRACE_MS, waitsSince, now)
  // The state of a deleted printer does not change, so nobody gets an alert. The problem is only logged, once.
  if (isStuck && printer.deleted_at !== null && !wasStuck(visit, waitsSince))
    log.warn(
      { printer: printer.name, plate: plate.number },
      'a deleted printer does not stop its ended print',
    )
  // The reason names the plate, because other jobs that wait for the printer show it, too.
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
    // The state `error` causes an alert.
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
