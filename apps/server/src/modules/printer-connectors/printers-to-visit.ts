import { type Clock, DAY_MS, addMs } from '../../platform/clock.ts'
import type { Database } from '../../platform/database/database.ts'
import type { ServiceLog } from '../../platform/log/service-log.ts'
import { trashCutoff } from '../../platform/trash.ts'
import { isNetworkKind } from '@pegasus/contracts/print-queue/printers'
import { type NetworkPrinter, listNetworkPrinters, notePrinterError } from '../print-queue/index.ts'
import { changeBedNote, lockUnclaimed } from './connection-claims.queries.ts'
import { listUnfinishedPrinters } from './dispatches.queries.ts'

/** For this time after its deletion, a printer is told to stop the prints that were ended before. */
const STOPS_AFTER_DELETION_MS = DAY_MS

const NOT_STOPPED =
  'This printer was deleted, and did not confirm within a day that its print has stopped. If the print still runs, stop it at the machine. Then clear the bed.'

/**
 * Creates a function that returns the printers to visit. A deleted printer is visited only while a print of it has to be
 * stopped, or the file of such a print has to be removed. If its print is still not stopped after a day, people are
 * alerted once. The note about the bed, which a restored printer shows, keeps that they were.
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
  const alertOfEnd = async ({ id, name }: NetworkPrinter, now: Date): Promise<void> => {
    const isNew = await database.transaction(async (tx) => {
      // A visit that began before may still write its own note.
      if (!(await lockUnclaimed(tx, id))) return false
      const isChanged = await changeBedNote(tx, id, NOT_STOPPED)
      if (isChanged) await notePrinterError(tx, { printerId: id, reason: NOT_STOPPED, now })
      return isChanged
    })
    if (isNew)
      log.warn(
        { printer: name },
        'a deleted printer was not seen to stop its print within a day, and is left alone',
      )
  }

  return async () => {
    const now = clock.now()
    const listed = await listNetworkPrinters(database.sql, trashCutoff(now))
    const printers = listed.filter(({ kind }) => isNetworkKind(kind))
    const ids = printers.flatMap(({ id, deleted_at: at }) => (at === null ? [] : id))
    const found = ids.length === 0 ? [] : await listUnfinishedPrinters(database.sql, ids, now)
    const unfinished = new Map(
      found.map((each) => [each.printer_id, each.is_open && each.bed_note !== NOT_STOPPED]),
    )
    const giveUpBefore = addMs(now, -STOPS_AFTER_DELETION_MS)
    const isGivenUp = ({ deleted_at: at }: NetworkPrinter) => at !== null && new Date(at) <= giveUpBefore
    for (const printer of printers)
      if (isGivenUp(printer) && unfinished.get(printer.id)) await alertOfEnd(printer, now)
    return printers.filter(
      (printer) => printer.deleted_at === null || (unfinished.has(printer.id) && !isGivenUp(printer)),
    )
  }
}
