import { type Clock, HOUR_MS, SECOND_MS } from '../../platform/clock.ts'
import type { Database } from '../../platform/database/database.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import { type Poller, createPoller } from '../../platform/poller.ts'
import { DEVICE_LIMITS, type DeviceLimits, uploadLimitMs } from '../../platform/outbound/device-limits.ts'
import type { ServiceLog } from '../../platform/log/service-log.ts'
import type { ObjectStorage } from '../../platform/storage/object-storage.ts'
import {
  type NetworkPrinter,
  type PrinterKeys,
  findNetworkPrinter,
  findRunningPlate,
  setDeletedPrinterSeen,
  setPrinterCamera,
  setPrinterState,
} from '../print-queue/index.ts'
import {
  type Claim,
  CLAIM_SECONDS,
  addConnections,
  claimPrinters,
  findCameraAsked,
  releaseClaim,
  renewClaim,
  saveCameraAsked,
} from './connection-claims.queries.ts'
import { type PrinterLinks, accessTo, connectPrinter } from './connect-printer.ts'
import { PrinterError, type PrinterReading } from './connector.ts'
import { followPlate } from './plates/follow-plate.ts'
import { startNextPlate } from './plates/next-plate.ts'
import { returnOverduePlates } from './plates/overdue-plates.ts'
import { unexpectedError } from './printer-errors.ts'
import { createPrintersToVisit } from './printers-to-visit.ts'
import { postponeRemovals, removeOldFiles } from './plates/remove-files.ts'
import { ClaimLostError, type PrinterVisit, createPrinterVisit } from './visits/printer-visit.ts'
import { sendPlate } from './plates/send-plate.ts'
import { createVisitDeadline } from './visits/visit-deadline.ts'
import { stopEndedPrints, watchMachine } from './watch-machine.ts'

const LOOK_FOR_DUE_PRINTERS_MS = SECOND_MS
/**
 * Maximum number of printers that one process visits at the same time. Printers to which it is uploading do not count.
 */
const VISITS_AT_ONCE = 20
/**
 * Maximum number of printers to which one process uploads new plates at the same time. An upload can take an hour. The
 * other printers are still visited during that time. Plates that were already started are uploaded even beyond this
 * limit, because a plate that waits too long becomes overdue.
 */
const UPLOADS_AT_ONCE = 20
const CAMERA_ASKED_EVERY_MS = HOUR_MS
const LOOK_FOR_OVERDUE_PLATES_MS = 30 * SECOND_MS

/** Visits the network printers on a schedule. */
export interface PrinterPoller extends Poller {
  /**
   * Visits every printer that no other process is visiting, due or not, and waits until all visits have
   * ended.
   */
  run(): Promise<void>
}

export function createPrinterPoller(
  deps: PrinterLinks & {
    database: Database
    storage: ObjectStorage
    clock: Clock
    keys: PrinterKeys
    limits?: Partial<DeviceLimits> | undefined
    log: ServiceLog
  },
): PrinterPoller {
  const { database, storage, clock, keys, call, bambu, log } = deps
  const running = new Map<string, Promise<void>>()
  /**
   * The claims of the visits that have reserved an upload. When a visit ends or is abandoned, its upload becomes free.
   */
  const uploads = new Set<Claim>()
  const stopping = new AbortController()
  const printersToVisit = createPrintersToVisit({ database, clock, log })

  /**
   * Visits one printer. If the printer does not respond, this becomes its state and is not an error. A visit is
   * abandoned at once if its claim is lost, if it takes too long, or if the process ends. An abandoned visit may hang
   * forever, for example in the storage, but it can no longer change or send anything.
   */
  const visitPrinter = async (printer: NetworkPrinter, claim: Claim): Promise<void> => {
    const limits = { ...DEVICE_LIMITS, ...deps.limits }
    const lost = new AbortController()
    const deadline = createVisitDeadline(limits.visitMs)
    const signal = AbortSignal.any([stopping.signal, lost.signal, deadline.signal])
    const upload: PrinterVisit['upload'] = {
      reserve() {
        // An abandoned visit must not reserve an upload, because it would never release it.
        if (signal.aborted || (!uploads.has(claim) && uploads.size >= UPLOADS_AT_ONCE)) return false
        uploads.add(claim)
        return true
      },
      release: () => void uploads.delete(claim),
      begin(sizeBytes) {
        signal.throwIfAborted()
        uploads.add(claim)
        deadline.extend(uploadLimitMs(limits, sizeBytes))
      },
    }
    const renewal = setInterval(
      () => {
        void renewClaim(database.sql, claim).then(
          (isOurs) => {
            if (!isOurs)
              lost.abort(new ClaimLostError(`Another process is communicating with ${printer.name}.`))
          },
          (error: unknown) => log.warn({ err: error, printer: printer.name }, 'a claim was not renewed'),
        )
      },
      (CLAIM_SECONDS * SECOND_MS) / 3,
    )
    const abortion = rejectionOnAbort(signal)
    let isFailed = false
    try {
      isFailed = await Promise.race([attempt(printer, claim, { signal, upload }), abortion.promise])
    } catch (error) {
      isFailed = !(error instanceof ClaimLostError)
      if (isFailed) log.warn({ err: error, printer: printer.name }, 'a visit of a printer was put off')
    } finally {
      uploads.delete(claim)
      abortion.end()
      deadline.end()
      clearInterval(renewal)
      await releaseClaim(database.sql, claim, { isFailed }).catch((error: unknown) =>
        log.warn({ err: error, printer: printer.name }, 'a claim was not released'),
      )
    }
  }

  /** Tries a visit. Returns whether it has failed. */
  const attempt = async (
    printer: NetworkPrinter,
    claim: Claim,
    { signal, upload }: Pick<PrinterVisit, 'signal' | 'upload'>,
  ): Promise<boolean> => {
    const access = accessTo(printer, keys)
    if (!access) return false
    const connector = connectPrinter(access, { call, bambu, signal })
    const visit = createPrinterVisit({
      printer,
      connector,
      claim,
      database,
      storage,
      clock,
      log,
      signal,
      upload,
    })
    try {
      const reading = await takeNextStep(visit)
      if (reading) await removeOldFiles(visit, reading)
      if (printer.deleted_at === null) await askCamera(visit)
      else await postponeRemovals(visit)
      return false
    } catch (error) {
      if (error instanceof ClaimLostError || signal.aborted) throw error
      if (isEndedByPerson(error)) return false
      const isForeseen = error instanceof PrinterError
      if (isForeseen)
        log.debug({ err: error, printer: printer.name }, 'a printer did not answer as it should')
      else log.warn({ err: error, printer: printer.name }, 'a visit of a printer failed unexpectedly')
      await saveFailure(visit, isForeseen ? error : unexpectedError(error))
      return true
    }
  }

  let lookedForOverdueMs = -Infinity
  /**
   * Returns overdue plates to the queue. Every process does this for all printers, because a process that hangs cannot
   * do it for its own.
   */
  const lookForOverduePlates = async (isForced: boolean): Promise<void> => {
    if (!isForced && performance.now() - lookedForOverdueMs < LOOK_FOR_OVERDUE_PLATES_MS) return
    lookedForOverdueMs = performance.now()
    await returnOverduePlates({ database, clock, log })
  }

  const start = async (isForced: boolean): Promise<void> => {
    await lookForOverduePlates(isForced)
    const printers = await printersToVisit()
    const idle = printers.filter(({ id }) => !running.has(id))
    if (idle.length === 0 || stopping.signal.aborted) return
    const printerIds = idle.map(({ id }) => id)
    await addConnections(database.sql, printerIds)
    const limit = isForced ? printerIds.length : Math.max(0, VISITS_AT_ONCE - (running.size - uploads.size))
    for (const claim of await claimPrinters(database.sql, { printerIds, isForced, limit })) {
      const printer = idle.find(({ id }) => id === claim.printerId)
      if (!printer) continue
      const visited = visitPrinter(printer, claim).finally(() => running.delete(printer.id))
      running.set(printer.id, visited)
    }
  }

  // The poller does not wait for visits, so a slow printer delays only itself.
  const poller = createPoller({
    name: 'printers',
    pauseMs: LOOK_FOR_DUE_PRINTERS_MS,
    work: () => start(false),
    log,
  })
  return {
    start: () => poller.start(),
    async run() {
      await start(true)
      await Promise.all(running.values())
    },
    async stop() {
      stopping.abort(new ClaimLostError('The server stops.'))
      await poller.stop()
      await Promise.all(running.values())
    },
  }
}

/**
 * Returns whether a step was refused because a person has ended its plate during the visit. The next visit reads the
 * plate again and takes the right step.
 */
const isEndedByPerson = (error: unknown): boolean =>
  error instanceof AppError && error.code === 'PRINT_JOB_STATE'

/**
 * Returns a promise that rejects with the signal's reason as soon as the signal is aborted. Call `end` when the promise
 * is no longer needed: Node keeps a signal of `AbortSignal.any` in memory as long as it has a listener.
 */
function rejectionOnAbort(signal: AbortSignal): { promise: Promise<never>; end: () => void } {
  const { promise, reject } = Promise.withResolvers<never>()
  const abort = () => reject(signal.reason as Error)
  if (signal.aborted) abort()
  else signal.addEventListener('abort', abort, { once: true })
  return { promise, end: () => signal.removeEventListener('abort', abort) }
}

/**
 * Reads the state of the printer and takes the next step of its plate. Returns the reading. Returns null if something
 * may have been sent after the reading, because the printer may print another file by now.
 */
async function takeNextStep(visit: PrinterVisit): Promise<PrinterReading | null> {
  const { database, connector, printer } = visit
  if (printer.deleted_at !== null) {
    const reading = await connector.readState()
    await stopEndedPrints(visit, reading)
    await visit.change((tx, by) => setDeletedPrinterSeen(tx, printer.id, by.now))
    return reading
  }
  // Read the plate before the state. A state that was read before the start of the plate would not show its print.
  const plate = await findRunningPlate(database.sql, printer.id)
  const reading = await connector.readState()
  if (plate?.state === 'sending') return (await sendPlate(visit, plate, reading)) ? null : reading
  if (plate) {
    await followPlate(visit, plate, reading)
    return reading
  }
  const isFree = await watchMachine(visit, reading)
  if (!isFree || !(await startNextPlate(visit))) return reading
  const started = await findRunningPlate(database.sql, printer.id)
  if (started?.state !== 'sending') return reading
  const next = await connector.readState()
  return (await sendPlate(visit, started, next)) ? null : next
}

/** Saves that a printer does not respond, unless it is in maintenance or has to be cleared. */
const saveFailure = ({ printer, change }: PrinterVisit, error: PrinterError): Promise<void> =>
  change(async (tx, by) => {
    const state = (await findNetworkPrinter(tx, printer.id))?.state
    if (state === 'maintenance' || state === 'needs_clearing') return
    await setPrinterState(
      tx,
      printer.id,
      {
        state: error.fault === 'offline' ? 'offline' : 'error',
        reason: error.message,
        isRepeated: printer.state === 'error',
      },
      by,
    )
  })

/** Checks once an hour whether the printer has a camera. */
async function askCamera({ database, clock, connector, printer, change }: PrinterVisit): Promise<void> {
  const askedAt = await findCameraAsked(database.sql, printer.id)
  // If the saved time is far in the future, the clock was set back.
  if (askedAt && Math.abs(clock.now().getTime() - new Date(askedAt).getTime()) < CAMERA_ASKED_EVERY_MS) return
  const hasCamera = await connector.snapshot().then(
    (picture) => picture !== null,
    (error: unknown) => {
      if (error instanceof PrinterError) return false
      throw error
    },
  )
  await change(async (tx, by) => {
    await saveCameraAsked(tx, printer.id, by.now)
    await setPrinterCamera(tx, printer.id, hasCamera)
  })
}
