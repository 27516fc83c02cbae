import { type PlateRow, failPlate, setPrinterState, updatePlate } from '../../print-queue/index.ts'
import { MINUTE_MS, addMs } from '../../../platform/clock.ts'
import { saveBedNote } from '../connection-claims.queries.ts'
import { PrinterError, type PrinterReading, type PrintRecord } from '../connector.ts'
import { type PlateFile, findPlateFile, updateDispatch } from '../dispatches.queries.ts'
import type { PrinterVisit } from '../visits/printer-visit.ts'
import { useOfPrint } from '../used-filament.ts'

/**
 * From this progress on, a print that is no longer shown counts as finished. It has most likely ended well,
 * and a person looks at the pieces anyway.
 */
const NEARLY_DONE = 0.98
/** After this time without a report, a record of a running print that the printer does not show is wrong. */
const STALE_RECORD_MS = 5 * MINUTE_MS

/** Saves the printer's report about a plate that is printing, paused or printed. */
export async function followPlate(
  visit: PrinterVisit,
  plate: PlateRow,
  reading: PrinterReading,
): Promise<void> {
  const isOurs = reading.file !== null && reading.file === plate.remote_name
  const isRunning = reading.state === 'printing' || reading.state === 'paused'
  if (plate.state === 'printed') return reportRest(visit, plate, isRunning ? reading : null)
  if (isOurs && isRunning) return reportProgress(visit, plate, reading)
  if (reading.state === 'busy') return
  await endPlate(visit, plate, reading)
}

const reasonOfPrinted = ({ number }: PlateRow, note: string | null): string =>
  note ?? `Plate ${number} is printed. Take it off and clear the bed.`

/**
 * Saves the state of a printer whose plate is printed. The plate stays on the bed until somebody clears it,
 * whatever the machine does.
 */
async function reportRest(
  { change, printer }: PrinterVisit,
  plate: PlateRow,
  running: PrinterReading | null,
): Promise<void> {
  await change(async (tx, by) => {
    const reason = running
      ? `A print was started at the machine before plate ${plate.number} was cleared.`
      : reasonOfPrinted(plate, plate.failure_reason)
    await setPrinterState(tx, printer.id, { state: 'needs_clearing', reason, seenAt: by.now }, by)
  })
}

async function reportProgress(visit: PrinterVisit, plate: PlateRow, reading: PrinterReading): Promise<void> {
  const refusal = await applyCommand(visit, plate, reading)
  const isPaused = reading.state === 'paused'
  // Keep a person's command until the printer shows its effect, because a pause may take a minute.
  const isWaited =
    refusal === null && ((plate.command === 'pause' && !isPaused) || (plate.command === 'resume' && isPaused))
  const state = isPaused ? 'paused' : 'printing'
  await visit.change(async (tx, by) => {
    const progress = reading.progress ?? plate.progress
    const shown = isWaited ? {} : ({ state, knownCommand: plate.command } as const)
    await updatePlate(tx, plate.id, { progress, ...shown }, by)
    await setPrinterState(
      tx,
      visit.printer.id,
      {
        state,
        reason: refusal ?? (isPaused ? (reading.message ?? 'The print is paused.') : null),
        progress,
        finishesAt: reading.minutesLeft === null ? null : addMs(by.now, reading.minutesLeft * MINUTE_MS),
        seenAt: by.now,
      },
      by,
    )
  })
}

/** Pauses or resumes the print if a person asked for it. Returns the message of a refusal, otherwise null. */
async function applyCommand(
  { connector }: PrinterVisit,
  { command }: PlateRow,
  { state }: PrinterReading,
): Promise<string | null> {
  try {
    if (command === 'pause' && state === 'printing') await connector.pause()
    if (command === 'resume' && state === 'paused') await connector.resume()
    return null
  } catch (error) {
    if (error instanceof PrinterError && error.fault === 'refused') return error.message
    throw error
  }
}

/** The result of one of our prints, with a message if it did not end well. */
export interface PrintEnd {
  isGood: boolean
  /** A readable message. It is null after a good end, unless something is unusual. */
  sentence: string | null
  /** Whether the machine itself is out of order or switched off. */
  isMachineFault: boolean
}

const SENTENCES: Record<'cancelled' | 'failed' | 'lost' | 'gone', string> = {
  cancelled: 'The print was cancelled at the printer.',
  failed: 'The printer ended the print with an error.',
  lost: 'The printer restarted or lost its connection during the print.',
  gone: 'The printer no longer shows this print. It was ended at the machine, or the printer restarted.',
}

const UNSEEN = 'The server did not see the end of this print. Check the pieces.'

/**
 * Returns whether a print has had enough time to end, which the server may have missed: since the start, the print
 * time of the sliced file has passed.
 */
const isDueAt = (now: Date, { started_at: startedAt }: PlateRow, file: PlateFile | null): boolean =>
  file?.minutes != null && addMs(new Date(startedAt), file.minutes * MINUTE_MS) <= now

/**
 * Decides how a print ended, from the state that the printer shows and from its history. If neither shows the result,
 * a print that has had enough time counts as printed, because a person looks at the pieces anyway.
 */
export function judgeEnd(
  plate: Pick<PlateRow, 'remote_name' | 'progress'>,
  reading: PrinterReading,
  record: PrintRecord | null | 'unknown',
  { isDue }: { isDue: boolean },
): PrintEnd {
  const isOurs = reading.file === plate.remote_name
  const shown = isOurs ? reading.state : 'idle'
  const remembered = typeof record === 'object' && record ? record.outcome : null
  const bad = (sentence: string, isMachineFault = false): PrintEnd => ({
    isGood: false,
    sentence,
    isMachineFault,
  })
  if (shown === 'finished' || remembered === 'finished')
    return { isGood: true, sentence: null, isMachineFault: false }
  if (reading.isOffline) return bad([SENTENCES.lost, reading.message].filter(Boolean).join(' '), true)
  if (shown === 'failed' || (remembered === 'failed' && reading.state === 'failed'))
    return bad(
      reading.message ? `${SENTENCES.failed} Its message: ${reading.message}` : SENTENCES.failed,
      true,
    )
  if (remembered === 'failed') return bad(SENTENCES.failed)
  if (shown === 'cancelled' || remembered === 'cancelled') return bad(SENTENCES.cancelled)
  if (remembered === 'lost') return bad(SENTENCES.lost, reading.state === 'failed')
  if (reading.state === 'failed')
    return bad(reading.message ? `${SENTENCES.lost} Its message: ${reading.message}` : SENTENCES.lost, true)
  if (plate.progress >= NEARLY_DONE)
    return {
      isGood: true,
      sentence: 'The printer no longer shows this print. Check the pieces.',
      isMachineFault: false,
    }
  return isDue ? { isGood: true, sentence: UNSEEN, isMachineFault: false } : bad(SENTENCES.gone)
}

/** Ends a plate whose print is over. The plate either is printed and still on the bed, or has failed. */
export async function endPlate(visit: PrinterVisit, plate: PlateRow, reading: PrinterReading): Promise<void> {
  const { connector, database, clock } = visit
  const record = plate.remote_name === null ? null : await connector.findPrint(plate.remote_name)
  const settled = await settleRecord(visit, plate, record)
  if (settled === 'wait') return
  const file = await findPlateFile(database.sql, plate.id)
  const end = judgeEnd(plate, reading, settled, { isDue: isDueAt(clock.now(), plate, file) })
  await keepEnd(visit, { plate, reading, file }, end, settled)
}

/**
 * Returns the record of a print that is over. A record that still reports a running print does not match the state yet,
 * so the result is `wait`. Some printers never end the record of a print that they lost in a crash: after some minutes,
 * the print counts as lost if the printer still does not show it.
 */
async function settleRecord(
  { connector, clock, printer }: PrinterVisit,
  plate: PlateRow,
  record: PrintRecord | null | 'unknown',
): Promise<PrintRecord | null | 'unknown' | 'wait'> {
  if (record === null || record === 'unknown' || record.outcome !== 'running') return record
  const seenAt = new Date(printer.seen_at ?? plate.started_at)
  if (Math.abs(clock.now().getTime() - seenAt.getTime()) < STALE_RECORD_MS) return 'wait'
  // The print may have begun after the first reading.
  const { state, file } = await connector.readState()
  const isShown = file === plate.remote_name && (state === 'printing' || state === 'paused')
  return isShown || state === 'busy' ? 'wait' : { ...record, outcome: 'lost' }
}

async function keepEnd(
  { change, printer }: PrinterVisit,
  { plate, reading, file }: { plate: PlateRow; reading: PrinterReading; file: PlateFile | null },
  end: PrintEnd,
  record: PrintRecord | null | 'unknown',
): Promise<void> {
  const progress = reading.progress ?? plate.progress
  const { used } = useOfPrint(record, file, { isWhole: end.isGood, progress })
  await change(async (tx, by) => {
    const seenAt = by.now
    if (end.isGood) {
      const note = end.sentence === null ? {} : { note: end.sentence }
      await updatePlate(tx, plate.id, { state: 'printed', progress: 1, ...note, ...used }, by)
      const reason = reasonOfPrinted(plate, end.sentence)
      await setPrinterState(tx, printer.id, { state: 'needs_clearing', reason, seenAt }, by)
    } else {
      const reason = end.sentence ?? SENTENCES.failed
      await failPlate(tx, plate.id, { reason, ...used }, by)
      const note = `${reason} Clear the bed.`
      await saveBedNote(tx, printer.id, end.isMachineFault ? note : null)
      const next = end.isMachineFault
        ? ({ state: reading.isOffline ? 'offline' : 'error', reason } as const)
        : ({ state: 'needs_clearing', reason: note } as const)
      await setPrinterState(tx, printer.id, { ...next, seenAt }, by)
    }
    await updateDispatch(tx, plate.id, { closed_at: by.now })
  })
}
