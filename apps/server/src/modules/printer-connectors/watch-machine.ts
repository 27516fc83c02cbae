import type { PrinterState } from '@pegasus/contracts/print-queue/printers'
import { MINUTE_MS, addMs } from '../../platform/clock.ts'
import type { AuditContext } from '../../platform/actor.ts'
import type { Queryable } from '../../platform/database/database.ts'
import { type PrinterToChange, lockPrinter, reasonToClear, setPrinterState } from '../print-queue/index.ts'
import { type ConnectionRow, saveBedNote, saveShownPrint } from './connection-claims.queries.ts'
import { type PrinterReading, shownPrintOf } from './connector.ts'
import { hasSent, hasSentToOther } from './dispatches.queries.ts'
import { settleEndedStarts, settleStoppedPrints, stopEndedPlate } from './plates/ended-prints.ts'
import type { PrinterVisit } from './visits/printer-visit.ts'

/** The reason that is shown for a busy printer that reports no reason itself. */
export const GETTING_READY = 'The printer is getting ready.'
export const OUT_OF_ORDER = 'The printer is out of order.'

/** Returns the reason that is shown for a printer whose print ended with an error. It tells people what to do. */
export const reasonOfPrintError = ({ message }: PrinterReading): string => {
  const help = 'The printer ended the print with an error. Clear the bed, then press Resume.'
  return message === null ? help : `${help} Its message: ${message}`
}

/** The state of a printer that has no plate of ours. */
export interface MachineState {
  state: PrinterState
  reason: string | null
  /** Why the bed will have to be cleared once the machine is idle. Null if it will be empty. */
  bedNote: string | null
}

/**
 * Returns the new state of a printer that has no plate of ours, for a reading. People may print at the machine. A
 * printer that refused a plate stays in error while it is idle or getting ready. Returns null if the state does not
 * change.
 */
export function judgeMachine(
  reading: PrinterReading,
  known: Pick<PrinterToChange, 'state' | 'state_reason'> & {
    bedNote: string | null
    refusal: string | null
    /** The failed print that the printer already showed before this reading. */
    failedPrint: string | null
    settledPrint: string | null
    /**
     * Whether the printer shows a print that somebody started by hand and that the server never saw running, see
     * `hasUnseenPrint`.
     */
    isUnseen: boolean
  },
): MachineState | null {
  const name = reading.file ?? 'a file'
  const noteOfEnd = `${name} was started at the machine, and its print has ended. Take it off and clear the bed.`
  // A person has put the printer back into use after this failed print, so its error no longer counts.
  const isSettled = reading.failedPrint !== undefined && reading.failedPrint === known.settledPrint
  const isNew = reading.failedPrint !== undefined && reading.failedPrint !== known.failedPrint
  const shown: PrinterReading['state'] = isSettled ? 'cancelled' : reading.state
  switch (shown) {
    case 'printing':
    case 'paused':
      return {
        state: shown,
        reason: `Prints ${name}, which was started at the machine.`,
        bedNote: noteOfEnd,
      }
    case 'failed':
      // A bed that has to be cleared is more important than the lost connection, so the state stays.
      if (reading.isOffline && known.state === 'needs_clearing') return null
      return {
        state: reading.isOffline ? 'offline' : 'error',
        reason:
          reading.failedPrint !== undefined ? reasonOfPrintError(reading) : (reading.message ?? OUT_OF_ORDER),
        // An error does not empty the bed. If the printer did not show this failed print before, the print ran between
        // two visits and may have left something. After a person has cleared the bed, the print is no longer new.
        bedNote: known.bedNote ?? reasonToClear(known) ?? (isNew ? noteOfEnd : null),
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
      if (known.isUnseen) return { state: 'needs_clearing', reason: noteOfEnd, bedNote: null }
      // If the bed has to be cleared, this state is shown first.
      return known.refusal !== null && known.state !== 'needs_clearing'
        ? { state: 'error', reason: known.refusal, bedNote: null }
        : { state: 'available', reason: null, bedNote: null }
  }
}

/**
 * Returns whether an idle printer shows another print than at the last visit, and the server has not sent its file.
 * Then somebody started this print by hand, and the server never saw it running. If the printer already showed an
 * earlier print of the same file, a file that the server sent counts, too. At the first visit of a printer, only a file
 * counts that the server has sent to another printer: it is the same machine, added again, and the plate may still be
 * on its bed.
 */
export async function hasUnseenPrint(
  sql: Queryable,
  {
    printerId,
    reading,
    connection: { shown_print: known },
  }: { printerId: string; reading: PrinterReading; connection: Pick<ConnectionRow, 'shown_print'> },
): Promise<boolean> {
  const shown = shownPrintOf(reading)
  const { file } = reading
  if (file === null || shown === null || shown === '' || shown === known) return false
  if (known === null) return hasSentToOther(sql, printerId, file)
  return known.startsWith(`${file} `) || !(await hasSent(sql, printerId, file))
}

/**
 * Stops the prints of ended plates, and books the prints that have stopped. Returns `stopping` while the printer is
 * printing such a plate, and `waiting` while such a print may still begin or end.
 */
export async function stopEndedPrints(
  visit: PrinterVisit,
  reading: PrinterReading,
): Promise<'stopping' | 'waiting' | 'settled'> {
  const areStartsSettled = await settleEndedStarts(visit, reading)
  const areStopsSettled = await settleStoppedPrints(visit, reading)
  if (await stopEndedPlate(visit, reading)) return 'stopping'
  return areStartsSettled && areStopsSettled ? 'settled' : 'waiting'
}

/**
 * Saves the state of a printer that has no plate of ours. Returns whether the printer is free for the next
 * plate.
 */
export async function watchMachine(visit: PrinterVisit, reading: PrinterReading): Promise<boolean> {
  const progress = await stopEndedPrints(visit, reading)
  if (progress === 'stopping') return false
  return visit.change(async (tx, by, connection) => {
    const state = await saveMachineState(tx, { printerId: visit.printer.id, reading, connection }, by)
    return state === 'available' && progress === 'settled'
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
  const isUnseen = await hasUnseenPrint(tx, { printerId, reading, connection })
  await saveShownPrint(tx, printerId, reading)
  const next = judgeMachine(reading, {
    ...printer,
    bedNote: connection.bed_note,
    refusal: connection.refusal,
    failedPrint: connection.failed_print,
    settledPrint: connection.settled_print,
    isUnseen,
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
