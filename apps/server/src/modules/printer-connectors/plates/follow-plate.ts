import {
  type PlateRow,
  failPlate,
  lockPlateWithJob,
  setPrinterState,
  updatePlate,
} from '../../print-queue/index.ts'
import { MINUTE_MS, addMs } from '../../../platform/clock.ts'
import { endSentence } from '../../../platform/sentences.ts'
import { saveBedNote, saveShownPrint } from '../connection-claims.queries.ts'
import {
  type PrinterError,
  type PrinterReading,
  type PrintRecord,
  isOutOfOrder,
  tryCommand,
} from '../connector.ts'
import { type PlateFile, findPlateFile, updateDispatch } from '../dispatches.queries.ts'
import type { PrinterVisit } from '../visits/printer-visit.ts'
import { useOfPrint } from '../used-filament.ts'
import { isAfterOutage, isWithin } from '../command-times.ts'
import { GETTING_READY, OUT_OF_ORDER, reasonOfPrintError } from '../watch-machine.ts'

/**
 * A print that disappears at or above this progress counts as finished. It has most likely ended well, and a person
 * looks at the pieces anyway.
 */
const NEARLY_DONE = 0.98
/**
 * The command to pause or resume is repeated with each visit. If the printer fails to carry it out for this time, the
 * server gives up.
 */
const COMMAND_GRACE_MS = 3 * MINUTE_MS
/** If a record says for this time that a print is running, but the printer does not show it, the record is wrong. */
const STALE_RECORD_MS = 5 * MINUTE_MS
const ASKS_FOR_END = 'The server asks the printer how the print has ended.'

/** Saves the printer's report about a plate that is printing, paused or printed. */
export async function followPlate(
  visit: PrinterVisit,
  plate: PlateRow,
  reading: PrinterReading,
): Promise<void> {
  const isOurs = reading.file !== null && reading.file === plate.remote_name
  const isRunning = reading.state === 'printing' || reading.state === 'paused'
  if (plate.state === 'printed') return reportRest(visit, plate, reading)
  if (isOurs && isRunning) return reportProgress(visit, plate, reading)
  if (reading.state === 'busy') return saveRecovery(visit, plate, reading, reading.message ?? GETTING_READY)
  await endPlate(visit, plate, reading)
}

/**
 * Saves the state of a printer that responds but does not show its plate. `seen_at` stays unchanged, because
 * `settleRecord` and `isPrinterLost` measure from it.
 */
const saveRecovery = (
  { change }: PrinterVisit,
  { id, progress }: PlateRow,
  reading: PrinterReading,
  reason: string,
): Promise<void> =>
  change(async (tx, by) => {
    const { plate, printer } = await lockPlateWithJob(tx, id)
    if (!printer || printer.state === 'maintenance') return
    if (plate.state !== 'sending' && plate.state !== 'printing' && plate.state !== 'paused') return
    const state = plate.state === 'paused' ? 'paused' : 'printing'
    const shown = isOutOfOrder(reading)
      ? ({ state: reading.isOffline ? 'offline' : 'error', reason: reading.message ?? OUT_OF_ORDER } as const)
      : ({ state, reason, progress } as const)
    // This runs with each visit until the printer shows the plate or its end is known, so save only changes.
    if (printer.state === shown.state && printer.state_reason === shown.reason) return
    await setPrinterState(tx, printer.id, { ...shown, isReported: true }, by)
  })

const reasonOfPrinted = ({ number }: PlateRow, note: string | null): string =>
  note ?? `Plate ${number} is printed. Take it off and clear the bed.`

/**
 * Saves the state of a printer whose plate is printed. Whatever the machine does, the plate stays on the bed until
 * somebody clears it.
 */
async function reportRest(
  { change, printer }: PrinterVisit,
  plate: PlateRow,
  reading: PrinterReading,
): Promise<void> {
  const isRunning = reading.state === 'printing' || reading.state === 'paused'
  await change(async (tx, by) => {
    // A person may have cleared the bed since the plate was read.
    if ((await lockPlateWithJob(tx, plate.id)).plate.state !== 'printed') return
    // Another print may have failed on top of this plate. A person who clears the plate also removes what that print
    // left.
    await saveShownPrint(tx, printer.id, reading)
    const reason = isRunning
      ? `A print was started at the machine before plate ${plate.number} was cleared.`
      : reasonOfPrinted(plate, plate.failure_reason)
    await setPrinterState(tx, printer.id, { state: 'needs_clearing', reason, seenAt: by.now }, by)
  })
}

async function reportProgress(visit: PrinterVisit, plate: PlateRow, reading: PrinterReading): Promise<void> {
  const failure = await applyCommand(visit, plate, reading)
  const isPaused = reading.state === 'paused'
  // A person's command stays until the printer shows its effect, because a pause may take a minute. A command that was
  // lost or temporarily refused is repeated for some minutes. A final refusal is shown until the state changes.
  const failedAt = isAfterOutage(visit) ? null : plate.command_failed_at
  const isOverdue = failedAt !== null && !isWithin(COMMAND_GRACE_MS, failedAt, visit.clock.now())
  const isFinal = failure !== null && ((failure.fault === 'refused' && !failure.isTransient) || isOverdue)
  const isWaited =
    !isFinal && ((plate.command === 'pause' && !isPaused) || (plate.command === 'resume' && isPaused))
  const state = isPaused ? 'paused' : 'printing'
  const refusal = isFinal ? refusalOf(plate, failure) : null
  const earlier = state === plate.state ? plate.command_refusal : null
  await visit.change(async (tx, by) => {
    const progress = reading.progress ?? plate.progress
    const shown = isWaited ? {} : ({ state } as const)
    const failed = failure !== null && failedAt === null ? { commandFailedAt: by.now } : {}
    const refused = refusal === null ? {} : { commandRefusal: refusal }
    const knownCommand = plate.command
    await updatePlate(tx, plate.id, { progress, knownCommand, ...shown, ...failed, ...refused }, by)
    await setPrinterState(
      tx,
      visit.printer.id,
      {
        state,
        reason:
          refusal ??
          failure?.message ??
          earlier ??
          (isPaused ? (reading.message ?? 'The print is paused.') : null),
        progress,
        finishesAt: reading.minutesLeft === null ? null : addMs(by.now, reading.minutesLeft * MINUTE_MS),
        seenAt: by.now,
      },
      by,
    )
  })
}

const refusalOf = ({ number, command }: PlateRow, { message }: PrinterError): string =>
  `Plate ${number} was not ${command === 'pause' ? 'paused' : 'resumed'}. ${message}`

/**
 * Pauses or resumes the print if a person asked for it. Returns the error if the printer did not do it, otherwise null.
 */
async function applyCommand(
  { connector }: PrinterVisit,
  { command }: PlateRow,
  { state }: PrinterReading,
): Promise<PrinterError | null> {
  if (command === 'pause' && state === 'printing') return tryCommand(() => connector.pause())
  if (command === 'resume' && state === 'paused') return tryCommand(() => connector.resume())
  return null
}

/** The result of one of our prints, with a message if it did not end well. */
export interface PrintEnd {
  isGood: boolean
  /** A sentence for people. After a good end, it is null unless something is unusual. */
  sentence: string | null
  /** Whether the machine itself is out of order or switched off, instead of only the print having failed. */
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
 * Returns whether a print must have ended by now, although the server did not see its end: the print time of the sliced
 * file has passed since the start.
 */
const isDueAt = (now: Date, { started_at: startedAt }: PlateRow, file: PlateFile | null): boolean =>
  file?.minutes != null && addMs(new Date(startedAt), file.minutes * MINUTE_MS) <= now

/**
 * Decides how a print ended, from the state that the printer shows and from its history. If neither shows it and the
 * print must have ended by now, it counts as printed, because a person looks at the pieces anyway.
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
  if (remembered === 'lost') return bad(SENTENCES.lost, isOutOfOrder(reading))
  if (isOutOfOrder(reading))
    return bad(reading.message ? `${SENTENCES.lost} Its message: ${reading.message}` : SENTENCES.lost, true)
  if (plate.progress >= NEARLY_DONE)
    return {
      isGood: true,
      sentence: 'The printer no longer shows this print. Check the pieces.',
      isMachineFault: false,
    }
  return isDue ? { isGood: true, sentence: UNSEEN, isMachineFault: false } : bad(SENTENCES.gone)
}

/** Ends a plate whose print is over. The plate becomes `printed` and stays on the bed, or it fails. */
export async function endPlate(visit: PrinterVisit, plate: PlateRow, reading: PrinterReading): Promise<void> {
  const { connector, database, clock } = visit
  const record = plate.remote_name === null ? null : await connector.findPrint(plate.remote_name)
  const settled = await settleRecord(visit, plate, record)
  if (settled === 'wait') return saveRecovery(visit, plate, reading, ASKS_FOR_END)
  const file = await findPlateFile(database.sql, plate.id)
  const end = judgeEnd(plate, reading, settled, { isDue: isDueAt(clock.now(), plate, file) })
  await keepEnd(visit, { plate, reading, file }, end, settled)
}

/**
 * Returns the printer's record of a print that is over. If the record still says `running`, it is too old, and the
 * result is `wait`. Some printers never close the record of a print that was lost in a crash. So if the printer does
 * not show the print for some minutes, it counts as lost.
 */
async function settleRecord(
  { connector, clock, printer }: PrinterVisit,
  plate: PlateRow,
  record: PrintRecord | null | 'unknown',
): Promise<PrintRecord | null | 'unknown' | 'wait'> {
  if (record === null || record === 'unknown' || record.outcome !== 'running') return record
  const seenAt = new Date(printer.seen_at ?? plate.started_at)
  if (Math.abs(clock.now().getTime() - seenAt.getTime()) < STALE_RECORD_MS) return 'wait'
  // The print may have begun after the first reading, so read the state again.
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
    await saveShownPrint(tx, printer.id, reading)
    if (end.isGood) {
      const note = end.sentence === null ? {} : { note: end.sentence }
      await updatePlate(tx, plate.id, { state: 'printed', progress: 1, ...note, ...used }, by)
      const reason = reasonOfPrinted(plate, end.sentence)
      await setPrinterState(tx, printer.id, { state: 'needs_clearing', reason, seenAt }, by)
    } else {
      const reason = end.sentence ?? SENTENCES.failed
      await failPlate(tx, plate.id, { reason, ...used }, by)
      const note = `${endSentence(reason)} Clear the bed.`
      await saveBedNote(tx, printer.id, end.isMachineFault ? note : null)
      const next = end.isMachineFault
        ? ({
            state: reading.isOffline ? 'offline' : 'error',
            reason: reading.failedPrint !== undefined ? reasonOfPrintError(reading) : reason,
          } as const)
        : ({ state: 'needs_clearing', reason: note } as const)
      await setPrinterState(tx, printer.id, { ...next, seenAt }, by)
    }
    await updateDispatch(tx, plate.id, { closed_at: by.now })
  })
}
