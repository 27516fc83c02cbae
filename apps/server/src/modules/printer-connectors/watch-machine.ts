import type { PrinterState } from '@pegasus/contracts/print-queue/printers'
import { MINUTE_MS, SECOND_MS, addMs } from '../../platform/clock.ts'
import type { AuditContext } from '../../platform/actor.ts'
import type { Queryable } from '../../platform/database/database.ts'
import {
  type CancelledUse,
  type PlateRow,
  type PrinterToChange,
  bookCancelledPlate,
  findPlateByRemoteName,
  lockPrinter,
  reasonToClear,
  setPrinterState,
  uncountUnstartedPlate,
} from '../print-queue/index.ts'
import { type ConnectionRow, saveBedNote } from './connection-claims.queries.ts'
import type { PrintRecord, PrinterConnector, PrinterReading } from './connector.ts'
import {
  type EndedPrint,
  closeDispatch,
  closeEndedDispatches,
  findOpenDispatch,
  findPlateFile,
  listEndedStarts,
  listStoppedPrints,
  updateDispatch,
} from './dispatches.queries.ts'
import type { PrinterVisit } from './visits/printer-visit.ts'
import { useOfPrint } from './used-filament.ts'

/** After this time, a request can no longer be on its way. */
const REQUEST_GRACE_MS = 20 * SECOND_MS
/**
 * After this time, a start that a printer received no longer leads to a print. Before they show the print, slow printers
 * load the file, heat up and home for up to 90 seconds, and this is twice as long.
 */
export const START_GRACE_MS = 3 * MINUTE_MS

/** Why a printer does nothing, if it does not say it. */
export const GETTING_READY = 'The printer is getting ready.'

/** The state of a printer that has no plate of ours. */
export interface MachineState {
  state: PrinterState
  reason: string | null
  /** Why the bed will be occupied when the machine is idle. Null if it will be free. */
  bedNote: string | null
}

/**
 * Returns the new state for a reading of a printer that has no plate of ours. People may print at the machine. A printer
 * that refused a plate stays in error while it is idle or gets ready. Returns null if the state does not change.
 */
export function judgeMachine(
  reading: PrinterReading,
  known: Pick<PrinterToChange, 'state' | 'state_reason'> & { bedNote: string | null; refusal: string | null },
): MachineState | null {
  const name = reading.file ?? 'a file'
  switch (reading.state) {
    case 'printing':
    case 'paused':
      return {
        state: reading.state,
        reason: `Prints ${name}, which was started at the machine.`,
        bedNote: `${name} was started at the machine, and its print has ended. Take it off and clear the bed.`,
      }
    case 'failed':
      // A bed that has to be cleared stays so, as for a printer that does not respond.
      if (reading.isOffline && known.state === 'needs_clearing') return null
      return {
        state: reading.isOffline ? 'offline' : 'error',
        reason: reading.message ?? 'The printer is out of order.',
        // An error does not clear the bed.
        bedNote: known.bedNote ?? reasonToClear(known),
      }
    case 'busy': {
      if (known.state !== 'offline' && known.state !== 'error') return null
      const { bedNote, refusal } = known
      return refusal === null
        ? { state: 'paused', reason: reading.message ?? GETTING_READY, bedNote }
        : { state: 'error', reason: refusal, bedNote }
    }
    case 'idle':
    case 'finished':
    case 'cancelled':
      if (known.bedNote !== null) return { state: 'needs_clearing', reason: known.bedNote, bedNote: null }
      // A bed that has to be cleared comes first.
      return known.refusal !== null && known.state !== 'needs_clearing'
        ? { state: 'error', reason: known.refusal, bedNote: null }
        : { state: 'available', reason: null, bedNote: null }
  }
}

/**
 * Saves the state of a printer that has no plate of ours. Returns whether the printer is free for the next
 * plate.
 */
export async function watchMachine(visit: PrinterVisit, reading: PrinterReading): Promise<boolean> {
  const areStartsSettled = await settleEndedStarts(visit, reading)
  const areStopsSettled = await settleStoppedPrints(visit, reading)
  const isSettled = areStartsSettled && areStopsSettled
  if (await stopEndedPlate(visit, reading)) return false
  return visit.change(async (tx, by, connection) => {
    const state = await saveMachineState(tx, { printerId: visit.printer.id, reading, connection }, by)
    return state === 'available' && isSettled
  })
}

/**
 * Saves the state that follows from a reading of a printer that has no plate of ours. Returns the state of the
 * printer, or null if the reading does not change it.
 */
export async function saveMachineState(
  tx: Queryable,
  {
    printerId,
    reading,
    connection,
  }: { printerId: string; reading: PrinterReading; connection: ConnectionRow },
  by: AuditContext,
): Promise<PrinterState | null> {
  const printer = await lockPrinter(tx, printerId)
  if (!printer) return null
  const next = judgeMachine(reading, {
    ...printer,
    bedNote: connection.bed_note,
    refusal: connection.refusal,
  })
  if (!next) return null
  await saveBedNote(tx, printerId, next.bedNote)
  const isRunning = reading.state === 'printing' || reading.state === 'paused'
  const running = {
    progress: reading.progress,
    finishesAt: reading.minutesLeft === null ? null : addMs(by.now, reading.minutesLeft * MINUTE_MS),
  }
  return setPrinterState(
    tx,
    printerId,
    { state: next.state, reason: next.reason, seenAt: by.now, ...(isRunning && running) },
    by,
  )
}

const isWithin = (graceMs: number, sentAt: string, now: Date): boolean =>
  Math.abs(now.getTime() - new Date(sentAt).getTime()) < graceMs

/**
 * Returns whether a start that was sent at this time may still lead to a print. A printer that proves from its record
 * that it has not printed the file has not received the start.
 */
export const mayStillBegin = (
  sentAt: string,
  now: Date,
  record: Awaited<ReturnType<PrinterConnector['findPrint']>>,
): boolean => isWithin(record === 'unknown' ? START_GRACE_MS : REQUEST_GRACE_MS, sentAt, now)

/**
 * Returns how a plate was ended, as part of a sentence, if its print has to be stopped. Returns null for any other
 * plate.
 */
const wordOfEnd = (state: PlateRow['state'] | undefined): string | null =>
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
async function settleEndedStarts(visit: PrinterVisit, reading: PrinterReading): Promise<boolean> {
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
    const isOpen = record === 'unknown' && !isPrinted && !isBooked && !isRunning
    if (isOpen) isSettled = false
    const isAbsent = record === null && !isPrinted && start.state === 'failed'
    await change(async (tx, by) => {
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
async function settleStoppedPrints(visit: PrinterVisit, reading: PrinterReading): Promise<boolean> {
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

/**
 * Stops a print at the machine if its plate was cancelled or reported as failed here. Returns whether the printer is
 * still printing it. Does not stop a print of the same file that somebody starts later.
 */
async function stopEndedPlate(
  { database, connector, printer, change, clock }: PrinterVisit,
  reading: PrinterReading,
): Promise<boolean> {
  const { sql } = database
  const isRunning = reading.state === 'printing' || reading.state === 'paused'
  const printing = isRunning ? reading.file : null
  await closeEndedDispatches(sql, printer.id, { printing, now: clock.now() })
  if (printing === null) return false
  const dispatch = await findOpenDispatch(sql, printer.id, printing)
  const plate = dispatch && (await findPlateByRemoteName(sql, printer.id, printing))
  const word = wordOfEnd(plate?.state)
  if (!dispatch || !plate || word === null) return false
  if (dispatch.cancel_sent_at === null) {
    await change((tx, by) => updateDispatch(tx, plate.id, { cancel_sent_at: by.now }))
    await connector.cancel()
  }
  await change(async (tx, by) => {
    const note = `Plate ${plate.number} ${word} while it was printed. Take it off and clear the bed.`
    await saveBedNote(tx, printer.id, note)
    const reason = `Plate ${plate.number} ${word}. The server is stopping the print.`
    await setPrinterState(tx, printer.id, { state: 'printing', reason, seenAt: by.now }, by)
  })
  return true
}
