import { type Clock, DAY_MS, addMs } from '../../platform/clock.ts'
import type { Database } from '../../platform/database/database.ts'
import type { ServiceLog } from '../../platform/log/service-log.ts'
import { isNetworkKind } from '@pegasus/contracts/print-queue/printers'
import { type NetworkPrinter, listNetworkPrinters } from '../print-queue/index.ts'
import { listUnfinishedPrinters } from './dispatches.queries.ts'

/** For this time after its deletion, a printer is told to stop the prints that were ended before. */
const STOPS_AFTER_DELETION_MS = DAY_MS

/**
 * Creates a function that returns the printers to visit. A deleted printer is visited only while a print of it has to be
 * stopped, or the file of such a print has to be removed. If its print is still not stopped after a day, a warning is
 * logged.
 */
export function createPrintersToVisit({
  database,
  clock,
  log,
}: {
  database: Database
  clock: Clock
  log: ServiceLog
}): () => Promise<NetworkPrinter[]> {
  /** The deleted printers that this process knows to be unfinished. */
  let unfinished: NetworkPrinter[] = []

  const warnOfEnd = async (givenUp: readonly NetworkPrinter[], now: Date): Promise<void> => {
    if (givenUp.length === 0) return
    const ids = givenUp.map(({ id }) => id)
    const stillPrinting = (await listUnfinishedPrinters(database.sql, ids, now)).filter(
      ({ is_open: isOpen }) => isOpen,
    )
    for (const { printer_id: id } of stillPrinting) {
      const printer = givenUp.find((known) => known.id === id)?.name
      log.warn(
        { printer },
        'a deleted printer was not seen to stop its print within a day, and is left alone',
      )
    }
  }

  return async () => {
    const now = clock.now()
    const listed = await listNetworkPrinters(database.sql, addMs(now, -STOPS_AFTER_DELETION_MS))
    const printers = listed.filter(({ kind }) => isNetworkKind(kind))
    const givenUp = unfinished.filter(({ id }) => !printers.some((printer) => printer.id === id))
    const deleted = printers.filter(({ deleted_at: at }) => at !== null)
    const ids = deleted.map(({ id }) => id)
    const found = ids.length === 0 ? [] : await listUnfinishedPrinters(database.sql, ids, now)
    const unfinishedIds = new Set(found.map(({ printer_id: id }) => id))
    unfinished = deleted.filter(({ id }) => unfinishedIds.has(id))
    await warnOfEnd(givenUp, now)
    return printers.filter(({ id, deleted_at: at }) => at === null || unfinishedIds.has(id))
  }
}
