import { randomBytes } from 'node:crypto'
import type { AuditContext } from '../../../platform/actor.ts'
import { MINUTE_MS } from '../../../platform/clock.ts'
import type { Queryable } from '../../../platform/database/database.ts'
import { endSentence } from '../../../platform/sentences.ts'
import {
  type PlateRow,
  type PrinterToChange,
  cancelPlate,
  lockPlateWithJob,
  setPrinterState,
  updatePlate,
} from '../../print-queue/index.ts'
import { PrinterError, type PrinterReading, isOutOfOrder } from '../connector.ts'
import {
  type DispatchRow,
  type PlateFile,
  findDispatch,
  findPlateFile,
  insertDispatch,
  updateDispatch,
} from '../dispatches.queries.ts'
import { endPlate, followPlate } from './follow-plate.ts'
import type { PrinterVisit } from '../visits/printer-visit.ts'
import { UNCERTAIN, isPastLimit } from './overdue-plates.ts'
import { failUnstarted, refuse, returnRefused } from './refuse-plate.ts'
import { removeIncompleteFile } from './remove-files.ts'
import { slotsOfTools } from '../slots-of-tools.ts'
import { mayStillBegin } from '../command-times.ts'
import { GETTING_READY, OUT_OF_ORDER, hasUnseenPrint, saveMachineState } from '../watch-machine.ts'

/** After this number of starts that led to no print, the printer is out of order. */
const MAX_STARTS = 3
/** After this number of temporarily refused uploads in a row, the printer is out of order. */
const MAX_UPLOADS = 3
/** The pause after a refused upload. A printer whose software restarts needs up to a minute. */
const UPLOAD_AGAIN_AFTER_MS = MINUTE_MS

const NO_FILE = 'The sliced file of this plate no longer exists. Slice the model again.'
const CUT_OFF = 'The printer did not receive the complete file.'
const NOT_TAKEN = `The printer did not accept the start after ${MAX_STARTS} attempts.`
const BY_HAND = 'Somebody started a print at the machine first.'
const IN_MAINTENANCE = 'The printer is in maintenance.'

const uploadAgain = (refusal: string, attempt: number): string =>
  `${endSentence(refusal)} The server will send the file again in a minute, attempt ${attempt} of ${MAX_UPLOADS}.`
const ASKED = 'The server asks the printer whether the print has begun, before it sends anything again.'
const askAboutStart = (refusal: string): string => `${endSentence(refusal)} ${ASKED}`

/** Returns a unique file name: the job's code, the number of the plate, and a few random letters. */
const remoteNameOf = (plate: PlateRow, { job_code: code, format }: PlateFile): string =>
  `${code.toLowerCase()}-${plate.number}-${randomBytes(4).toString('hex')}.${format}`

/**
 * Sends a plate to its printer in three steps: name, upload, start. Each step is saved before it is carried out. The
 * reading was made after the plate was read, so it shows the effect of a step that was taken before a crash. So it is
 * checked before anything is sent. Returns whether something may have been sent. As an upload takes minutes, the
 * reading is outdated then.
 */
export async function sendPlate(
  visit: PrinterVisit,
  plate: PlateRow,
  reading: PrinterReading,
): Promise<boolean> {
  const dispatch = await findDispatch(visit.database.sql, plate.id)
  if (!(await isReadyToSend(visit, plate, dispatch, reading))) return false
  const file = await findPlateFile(visit.database.sql, plate.id)
  if (!file) {
    await failUnstarted(visit, plate, NO_FILE)
    return false
  }
  const named = dispatch ?? (await nameDispatch(visit, plate, file))
  const ready = await uploadFile(visit, plate, named, file)
  if (!ready) return true
  // During a long upload, somebody may have printed at the machine, so read its state again.
  const sent = { ...plate, remote_name: ready.remote_name }
  if (await isReadyToSend(visit, sent, ready, await visit.connector.readState()))
    await startPrint(visit, plate, ready, file)
  return true
}

/** Returns whether the plate can be sent now. If not, handles what the reading or the dispatch shows instead. */
async function isReadyToSend(
  visit: PrinterVisit,
  plate: PlateRow,
  dispatch: DispatchRow | null,
  reading: PrinterReading,
): Promise<boolean> {
  const { change, clock } = visit
  const isOurs = reading.file !== null && reading.file === plate.remote_name
  const isRunning = reading.state === 'printing' || reading.state === 'paused'
  if (isOurs && isRunning) await followPlate(visit, plate, reading)
  else if (dispatch?.start_sent_at) await settleStart(visit, plate, dispatch, reading)
  else if (reading.state === 'busy')
    await change((tx, by) => saveWaiting(tx, visit, plate, reading.message ?? GETTING_READY, by))
  else if (isRunning) await giveWay(visit, plate, { reading, reason: BY_HAND, isUnsent: true })
  else if (isOutOfOrder(reading)) {
    const reason = reading.message ?? OUT_OF_ORDER
    await giveWay(visit, plate, { reading, reason, isUnsent: true })
  } else if (await isOccupied(visit, reading))
    await giveWay(visit, plate, { reading, reason: BY_HAND, isUnsent: true })
  else return (await change((tx, by) => mayStart(tx, plate, by))) && !isPausing(dispatch, clock.now())
  return false
}

/** Returns whether the bed holds a print that was started by hand and that the server never saw running. */
const isOccupied = ({ change, printer }: PrinterVisit, reading: PrinterReading): Promise<boolean> =>
  change((tx, _by, connection) => hasUnseenPrint(tx, { printerId: printer.id, reading, connection }))

/** Saves why a plate waits for its printer, for example until somebody answers a question on its screen. */
async function saveWaiting(
  tx: Queryable,
  { printer }: PrinterVisit,
  { id }: PlateRow,
  reason: string | null,
  by: AuditContext,
): Promise<void> {
  const { plate } = await lockPlateWithJob(tx, id)
  if (plate.state !== 'sending') return
  await setPrinterState(tx, printer.id, { state: 'printing', reason, seenAt: by.now }, by)
}

/** Saves that a printer that was offline or in error responds again. */
async function saveResponse(
  tx: Queryable,
  printer: PrinterToChange | null,
  reason: string | null,
  by: AuditContext,
): Promise<void> {
  if (printer?.state !== 'offline' && printer?.state !== 'error') return
  await setPrinterState(tx, printer.id, { state: 'printing', reason, seenAt: by.now }, by)
}

/**
 * Cancels a plate because the machine is printing something else or is out of order. Also saves the machine's state.
 * `isUnsent` means that the print of the plate never began.
 */
const giveWay = (
  { change, printer }: PrinterVisit,
  plate: PlateRow,
  { reading, ...cancellation }: { reading: PrinterReading; reason: string; isUnsent: boolean },
): Promise<void> =>
  change(async (tx, by, connection) => {
    await cancelPlate(tx, plate.id, cancellation, by)
    await saveMachineState(tx, { printerId: printer.id, reading, connection }, by)
  })

/**
 * Returns whether a plate may still be started, because somebody may have cancelled it in the meantime. A printer in
 * maintenance must not move, so its plate returns to the queue. Any other printer that was offline or in error is in
 * use again.
 */
async function mayStart(tx: Queryable, { id }: PlateRow, by: AuditContext): Promise<boolean> {
  const { plate, printer } = await lockPlateWithJob(tx, id)
  if (plate.state !== 'sending') return false
  const isInMaintenance = printer?.state === 'maintenance'
  if (isInMaintenance) await cancelPlate(tx, id, { reason: IN_MAINTENANCE, isUnsent: true }, by)
  else await saveResponse(tx, printer, null, by)
  return !isInMaintenance
}

/** Returns whether the printer has refused the upload less than a minute ago, so that the next attempt has to wait. */
const isPausing = (dispatch: DispatchRow | null, now: Date): boolean =>
  dispatch?.refused_at != null &&
  Math.abs(now.getTime() - new Date(dispatch.refused_at).getTime()) < UPLOAD_AGAIN_AFTER_MS

async function nameDispatch(visit: PrinterVisit, plate: PlateRow, file: PlateFile): Promise<DispatchRow> {
  const remoteName = remoteNameOf(plate, file)
  return visit.change(async (tx, by) => {
    await updatePlate(tx, plate.id, { remoteName }, by)
    await insertDispatch(tx, { plateId: plate.id, printerId: visit.printer.id, remoteName, now: by.now })
    return {
      plate_id: plate.id,
      remote_name: remoteName,
      upload_begun_at: null,
      uploaded_at: null,
      start_sent_at: null,
      starts: 0,
      cancel_sent_at: null,
      cancel_repeated_at: null,
      cancel_acknowledged_at: null,
      refusals: 0,
      refused_at: null,
    }
  })
}

/**
 * Chooses another name for the file, because the printer already has a file with this name. If that file is an
 * incomplete upload of ours, it is removed.
 */
async function rename(
  visit: PrinterVisit,
  plate: PlateRow,
  dispatch: DispatchRow,
  file: PlateFile,
): Promise<DispatchRow> {
  const remoteName = remoteNameOf(plate, file)
  if (dispatch.upload_begun_at !== null) await removeIncompleteFile(visit, dispatch.remote_name)
  await visit.change(async (tx, by) => {
    await updatePlate(tx, plate.id, { remoteName }, by)
    await updateDispatch(tx, plate.id, { remote_name: remoteName, upload_begun_at: null, uploaded_at: null })
  })
  return { ...dispatch, remote_name: remoteName, upload_begun_at: null, uploaded_at: null }
}

/**
 * Uploads the file, unless the printer already has all of it. Returns null if the plate cannot be started in this
 * visit.
 */
async function uploadFile(
  visit: PrinterVisit,
  plate: PlateRow,
  dispatch: DispatchRow,
  file: PlateFile,
): Promise<DispatchRow | null> {
  const { connector, storage, change } = visit
  const stored = await storage.stat(file.object_key)
  if (!stored) {
    await failUnstarted(visit, plate, NO_FILE)
    return null
  }
  const found = await connector.findFile(dispatch.remote_name)
  const isComplete = found?.sizeBytes === stored.sizeBytes && dispatch.upload_begun_at !== null
  if (isComplete) return (await endIfPrinted(visit, plate, dispatch)) ? null : dispatch
  visit.upload.begin(stored.sizeBytes)
  const target = found ? await rename(visit, plate, dispatch, file) : dispatch
  await change(async (tx, by) => {
    // The plate no longer waits, so remove the reason for the wait.
    await saveWaiting(tx, visit, plate, null, by)
    await updateDispatch(tx, plate.id, { upload_begun_at: by.now })
  })
  const opened = await storage.open(file.object_key)
  if (!opened) return null
  try {
    await connector.upload(target.remote_name, opened)
  } catch (error) {
    const isPassing = error instanceof PrinterError && error.isTransient
    if (!isPassing || dispatch.refusals + 1 >= MAX_UPLOADS) return refuse(visit, plate, error)
    await postponeUpload(visit, plate, dispatch, error.message)
    return null
  } finally {
    opened.stream.destroy()
  }
  const arrived = await connector.findFile(target.remote_name)
  if (!arrived || (arrived.sizeBytes ?? stored.sizeBytes) !== stored.sizeBytes) {
    await returnRefused(visit, plate, CUT_OFF)
    return null
  }
  await change((tx, by) => updateDispatch(tx, plate.id, { uploaded_at: by.now }))
  return target
}

/**
 * Ends the plate if the printer has already printed its file, although the server has not sent the start. This happens
 * if an earlier visit has uploaded the file and a person has started it at the machine. Returns whether the file was
 * printed.
 */
async function endIfPrinted(
  visit: PrinterVisit,
  plate: PlateRow,
  { remote_name: name }: DispatchRow,
): Promise<boolean> {
  const record = await visit.connector.findPrint(name)
  if (record === null || record === 'unknown') return false
  await endPlate(visit, { ...plate, remote_name: name }, await visit.connector.readState())
  return true
}

/** Saves that the printer temporarily refused the upload. A later visit sends the file again. */
const postponeUpload = (
  visit: PrinterVisit,
  plate: PlateRow,
  { refusals }: DispatchRow,
  refusal: string,
): Promise<void> =>
  visit.change(async (tx, by) => {
    await updateDispatch(tx, plate.id, { refusals: refusals + 1, refused_at: by.now })
    await saveWaiting(tx, visit, plate, uploadAgain(refusal, refusals + 2), by)
  })

async function startPrint(
  visit: PrinterVisit,
  plate: PlateRow,
  dispatch: DispatchRow,
  file: PlateFile,
): Promise<void> {
  const { connector, change } = visit
  const starts = dispatch.starts + 1
  const isSent = await change(async (tx, by) => {
    if (!(await mayStart(tx, plate, by))) return false
    // Save the start before it is sent. After a crash, the server then knows that it may have been sent.
    await updateDispatch(tx, plate.id, { start_sent_at: by.now, starts })
    return true
  })
  if (!isSent) return
  let refusal: PrinterError | null = null
  try {
    await connector.start(dispatch.remote_name, { plate: file.plate, slots: slotsOfTools(file) })
  } catch (error) {
    if (!(error instanceof PrinterError)) throw error
    if (error.isTransient)
      return change((tx, by) => saveWaiting(tx, visit, plate, askAboutStart(error.message), by))
    if (error.mayHaveHappened) throw error
    if (error.fault !== 'refused') {
      // The start never reached the printer, so a later visit can send it.
      await change((tx) => updateDispatch(tx, plate.id, { start_sent_at: null, starts: dispatch.starts }))
      throw error
    }
    refusal = error
  }
  const reading = await connector.readState()
  const isRunning = reading.state === 'printing' || reading.state === 'paused'
  if (isRunning && reading.file === dispatch.remote_name)
    return followPlate(visit, { ...plate, remote_name: dispatch.remote_name }, reading)
  // The printer refused the start because somebody has started another print during the upload.
  if (refusal && isRunning) return giveWay(visit, plate, { reading, reason: BY_HAND, isUnsent: true })
  if (refusal) await refuse(visit, plate, refusal)
}

/**
 * Finds out what became of a start that was sent. The start is repeated only if the printer proves that it never
 * printed the file.
 */
async function settleStart(
  visit: PrinterVisit,
  plate: PlateRow,
  dispatch: DispatchRow,
  reading: PrinterReading,
): Promise<void> {
  const { connector, change, clock, printer } = visit
  const record = await connector.findPrint(dispatch.remote_name)
  const isShown =
    reading.file === dispatch.remote_name && reading.state !== 'idle' && reading.state !== 'busy'
  if (isShown || (record !== null && record !== 'unknown')) return endPlate(visit, plate, reading)
  const isWaited =
    dispatch.start_sent_at !== null && mayStillBegin(dispatch.start_sent_at, clock.now(), record)
  const isOther = reading.state === 'printing' || reading.state === 'paused'
  const isBusy = reading.state === 'busy'
  const isLate = dispatch.start_sent_at !== null && isPastLimit(dispatch.start_sent_at, clock.now())
  if ((isBusy && !isLate) || (isWaited && !isOther))
    return change(async (tx, by) => {
      const held = await lockPlateWithJob(tx, plate.id)
      if (held.plate.state === 'sending') await saveResponse(tx, held.printer, ASKED, by)
    })
  if (record === 'unknown' && isOther)
    return giveWay(visit, plate, { reading, reason: UNCERTAIN, isUnsent: false })
  if (record === 'unknown' || isBusy)
    return change(async (tx, by) => {
      // The dispatch stays open, because the printer may still begin the print. Then the print is stopped.
      await cancelPlate(tx, plate.id, { reason: UNCERTAIN }, by)
      await setPrinterState(
        tx,
        printer.id,
        { state: 'needs_clearing', reason: UNCERTAIN, seenAt: by.now },
        by,
      )
    })
  if (isOther) return giveWay(visit, plate, { reading, reason: BY_HAND, isUnsent: true })
  if (dispatch.starts >= MAX_STARTS) return returnRefused(visit, plate, NOT_TAKEN)
  await change((tx) => updateDispatch(tx, plate.id, { start_sent_at: null }))
}
