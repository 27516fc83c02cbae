import type { PrinterState } from '@pegasus/contracts/print-queue/printers'
import { MINUTE_MS, addMs } from '../../platform/clock.ts'
import { findPlateByRemoteName, setPrinterState } from '../print-queue/index.ts'
import { saveBedNote } from './claims.queries.ts'
import type { PrinterReading } from './connector.ts'
import { closeEndedDispatches, findOpenDispatch, updateDispatch } from './dispatches.queries.ts'
import type { PrinterVisit } from './printer-visit.ts'

/** The state of a printer that has no plate of ours. */
export interface MachineState {
  state: PrinterState
  reason: string | null
  /** Why the bed will be occupied when the machine is idle. Null if it will be free. */
  bedNote: string | null
}

/**
 * Returns the new state for a reading of a printer that has no plate of ours. People may print at the
 * machine. Returns null if the state does not change.
 */
export function judgeMachine(
  reading: PrinterReading,
  known: { state: PrinterState; bedNote: string | null },
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
      return {
        state: 'error',
        reason: reading.message ?? 'The printer is out of order.',
        bedNote: known.bedNote,
      }
    case 'busy': {
      const isBack = known.state === 'offline' || known.state === 'error'
      const reason = reading.message ?? 'The printer is getting ready.'
      return isBack ? { state: 'paused', reason, bedNote: known.bedNote } : null
    }
    case 'idle':
    case 'finished':
    case 'cancelled':
      return known.bedNote === null
        ? { state: 'available', reason: null, bedNote: null }
        : { state: 'needs_clearing', reason: known.bedNote, bedNote: null }
  }
}

/**
 * Saves the state of a printer that has no plate of ours. Returns whether the printer is free for the next
 * plate.
 */
export async function watchMachine(visit: PrinterVisit, reading: PrinterReading): Promise<boolean> {
  const { printer, change } = visit
  if (await stopEndedPlate(visit, reading)) return false
  return change(async (tx, by, { bed_note: bedNote }) => {
    const next = judgeMachine(reading, { state: printer.state as PrinterState, bedNote })
    if (!next) return false
    await saveBedNote(tx, printer.id, next.bedNote)
    const isRunning = reading.state === 'printing' || reading.state === 'paused'
    const state = await setPrinterState(
      tx,
      printer.id,
      {
        state: next.state,
        reason: next.reason,
        seenAt: by.now,
        ...(isRunning && {
          progress: reading.progress,
          finishesAt: reading.minutesLeft === null ? null : addMs(by.now, reading.minutesLeft * MINUTE_MS),
        }),
      },
      by,
    )
    return state === 'available' && !isRunning && reading.state !== 'busy' && reading.state !== 'failed'
  })
}

/**
 * Stops a print at the machine if its plate was cancelled here. Returns whether the printer is still printing
 * it. A print of the same file that somebody starts later is not stopped.
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
  if (!dispatch || plate?.state !== 'cancelled') return false
  if (dispatch.cancel_sent_at === null) {
    await change((tx, by) => updateDispatch(tx, plate.id, { cancel_sent_at: by.now }))
    await connector.cancel()
  }
  await change(async (tx, by) => {
    const note = `Plate ${plate.number} was cancelled while it was printed. Take it off and clear the bed.`
    await saveBedNote(tx, printer.id, note)
    const reason = `Plate ${plate.number} was cancelled. The server is stopping the print.`
    await setPrinterState(tx, printer.id, { state: 'printing', reason, seenAt: by.now }, by)
  })
  return true
}
