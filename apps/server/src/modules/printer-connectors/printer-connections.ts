import type { Clock } from '../../platform/clock.ts'
import type { NetworkPrinter, PrinterConnections, PrinterKeys } from '../print-queue/index.ts'
import { endClaim, saveBedNote, settleFaults, visitSoon } from './connection-claims.queries.ts'
import { type PrinterLinks, accessTo, connectPrinter } from './connect-printer.ts'
import { type PrinterConnector, PrinterError, type PrinterReading } from './connector.ts'
import { closeClearedStarts, findUnstopped } from './dispatches.queries.ts'
import { wordOfEnd } from './plates/ended-prints.ts'
import { START_GRACE_MS } from './command-times.ts'

const DOES: Readonly<Record<PrinterReading['state'], string>> = {
  idle: 'is idle',
  busy: 'is busy',
  printing: 'is printing',
  paused: 'has paused a print',
  finished: 'has finished a print',
  cancelled: 'has cancelled a print',
  failed: 'reports an error',
}

/** Creates the calls to printers that people cause directly. They are sent at once, not at the next visit. */
export function createPrinterConnections(
  deps: PrinterLinks & { keys: PrinterKeys; clock: Clock },
): PrinterConnections {
  const connect = (printer: NetworkPrinter): PrinterConnector | null => {
    const access = accessTo(printer, deps.keys)
    return access && connectPrinter(access, deps)
  }

  const runningCalls = new Map<string, Promise<Buffer | null>>()
  /**
   * Reads a picture. Requests that arrive during a call share its result, so that a slow camera gets only one call at
   * a time.
   */
  const readPicture = (printer: NetworkPrinter): Promise<Buffer | null> => {
    const running = runningCalls.get(printer.id)
    if (running) return running
    const call = Promise.resolve(connect(printer)?.snapshot() ?? null).finally(() =>
      runningCalls.delete(printer.id),
    )
    runningCalls.set(printer.id, call)
    return call
  }

  return {
    async test(printer) {
      const connector = connect(printer)
      if (!connector)
        return { ok: false, message: 'Printers of this kind cannot be reached over the network.' }
      try {
        const { state, message, isOffline } = await connector.readState()
        if (isOffline && message !== null) return { ok: false, message }
        const said = message === null ? '' : ` Its message: ${message}`
        return { ok: true, message: `${printer.name} responds and ${DOES[state]}.${said}` }
      } catch (error) {
        if (error instanceof PrinterError) return { ok: false, message: error.message }
        throw error
      }
    },

    async readCamera(printer) {
      try {
        const bytes = await readPicture(printer)
        const isPng = bytes?.subarray(1, 4).toString('latin1') === 'PNG'
        return bytes && { bytes, contentType: isPng ? 'image/png' : 'image/jpeg' }
      } catch (error) {
        if (error instanceof PrinterError) return null
        throw error
      }
    },

    async forgetBed(tx, printerId) {
      const now = deps.clock.now()
      await saveBedNote(tx, printerId, null)
      await closeClearedStarts(tx, printerId, { graceMs: START_GRACE_MS, now })
    },
    async describeUnstopped(sql, printerId) {
      const print = await findUnstopped(sql, printerId)
      return print && `Plate ${print.number} of ${print.label_code} ${wordOfEnd(print.state)}`
    },
    noteBed: saveBedNote,
    visitSoon,
    endVisit: endClaim,
    settleFaults,
  }
}
