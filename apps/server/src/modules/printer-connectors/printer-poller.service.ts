import { type Clock, HOUR_MS, SECOND_MS } from '../../platform/clock.ts'
import type { Database } from '../../platform/database/database.ts'
import { type Poller, createPoller } from '../../platform/poller.ts'
import type { ServiceLog } from '../../platform/service-log.ts'
import type { ObjectStorage } from '../../platform/storage/object-storage.ts'
import {
  type NetworkPrinter,
  type PrinterKeys,
  findNetworkPrinter,
  findRunningPlate,
  listNetworkPrinters,
  setPrinterCamera,
  setPrinterState,
} from '../print-queue/index.ts'
import {
  type Claim,
  CLAIM_SECONDS,
  LONGEST_PAUSE_SECONDS,
  addConnections,
  claimPrinters,
  findCameraAsked,
  releaseClaim,
  renewClaim,
  saveCameraAsked,
} from './claims.queries.ts'
import { isNetworkKind } from '@pegasus/contracts/print-queue/printers'
import { type PrinterLinks, accessTo, connectPrinter } from './connect-printer.ts'
import { PrinterError } from './connector.ts'
import { followPlate } from './follow-plate.ts'
import { startNextPlate } from './next-plate.ts'
import { returnOverduePlates } from './overdue-plates.ts'
import { ClaimLostError, type PrinterVisit, createPrinterVisit } from './printer-visit.ts'
import { sendPlate } from './send-plate.ts'
import { watchMachine } from './watch-machine.ts'

const LOOK_FOR_DUE_PRINTERS_MS = SECOND_MS
const ASKED_EVERY_SECONDS = 5
/** Maximum number of printers to which one process connects at the same time. */
const AT_ONCE = 20
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
    log: ServiceLog
  },
): PrinterPoller {
  const { database, storage, clock, keys, call, bambu, log } = deps
  const running = new Map<string, Promise<void>>()
  const stopping = new AbortController()

  /** Visits one printer. If the printer does not respond, this is saved as its state and is not an error. */
  const visitPrinter = async (printer: NetworkPrinter, claim: Claim): Promise<void> => {
    const lost = new AbortController()
    const signal = AbortSignal.any([stopping.signal, lost.signal])
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
    let failures = 0
    try {
      failures = await attempt(printer, claim, signal)
    } catch (error) {
      if (!signal.aborted && !(error instanceof ClaimLostError))
        log.warn({ err: error, printer: printer.name }, 'a visit of a printer was put off')
    } finally {
      clearInterval(renewal)
      const pauseSeconds = Math.min(LONGEST_PAUSE_SECONDS, ASKED_EVERY_SECONDS * 2 ** Math.min(failures, 8))
      await releaseClaim(database.sql, claim, { pauseSeconds, failures }).catch((error: unknown) =>
        log.warn({ err: error, printer: printer.name }, 'a claim was not released'),
      )
    }
  }

  /** Tries a visit. Returns how many visits in a row have failed. */
  const attempt = async (printer: NetworkPrinter, claim: Claim, signal: AbortSignal): Promise<number> => {
    const access = accessTo(printer, keys)
    if (!access) return 0
    const connector = connectPrinter(access, { call, bambu, signal })
    const visit = createPrinterVisit({ printer, connector, claim, database, storage, clock, signal })
    try {
      await takeNextStep(visit)
      await askCamera(visit)
      return 0
    } catch (error) {
      if (!(error instanceof PrinterError)) throw error
      log.debug({ err: error, printer: printer.name }, 'a printer did not answer as it should')
      return keepFailure(visit, error)
    }
  }

  let lookedForOverdueMs = -Infinity
  /** Every process does this, because a process that hangs would do it for none of the others. */
  const lookForOverduePlates = async (isForced: boolean): Promise<void> => {
    if (!isForced && performance.now() - lookedForOverdueMs < LOOK_FOR_OVERDUE_PLATES_MS) return
    lookedForOverdueMs = performance.now()
    await returnOverduePlates({ database, clock, log })
  }

  const start = async (isForced: boolean): Promise<void> => {
    await lookForOverduePlates(isForced)
    const printers = (await listNetworkPrinters(database.sql)).filter(({ kind }) => isNetworkKind(kind))
    const idle = printers.filter(({ id }) => !running.has(id))
    if (idle.length === 0 || stopping.signal.aborted) return
    const printerIds = idle.map(({ id }) => id)
    await addConnections(database.sql, printerIds)
    const limit = isForced ? printerIds.length : Math.max(0, AT_ONCE - running.size)
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

/** Reads the state of the printer, and takes the next step of its plate. */
async function takeNextStep(visit: PrinterVisit): Promise<void> {
  const { database, connector, printer } = visit
  // Read the plate first: a state that was read before the plate was started would not show its print.
  const plate = await findRunningPlate(database.sql, printer.id)
  const reading = await connector.readState()
  if (plate) {
    await (plate.state === 'sending' ? sendPlate : followPlate)(visit, plate, reading)
    return
  }
  const isFree = await watchMachine(visit, reading)
  if (!isFree || !(await startNextPlate(visit))) return
  const started = await findRunningPlate(database.sql, printer.id)
  if (started?.state === 'sending') await sendPlate(visit, started, await connector.readState())
}

/**
 * Saves that a printer does not respond, unless it is in maintenance or has to be cleared. Returns the number
 * of failures in a row.
 */
function keepFailure(visit: PrinterVisit, error: PrinterError): Promise<number> {
  const { printer, change } = visit
  return change(async (tx, by, { failures }) => {
    const state = (await findNetworkPrinter(tx, printer.id))?.state
    if (state !== 'maintenance' && state !== 'needs_clearing')
      await setPrinterState(
        tx,
        printer.id,
        { state: error.fault === 'offline' ? 'offline' : 'error', reason: error.message },
        by,
      )
    return failures + 1
  })
}

/** Checks once an hour whether the printer has a camera. */
async function askCamera({ database, clock, connector, printer, change }: PrinterVisit): Promise<void> {
  const askedAt = await findCameraAsked(database.sql, printer.id)
  if (askedAt && clock.now().getTime() - new Date(askedAt).getTime() < CAMERA_ASKED_EVERY_MS) return
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
