import { type Clock, DAY_MS, addMs } from '../../platform/clock.ts'
import type { Database } from '../../platform/database/database.ts'
import type { ServiceLog } from '../../platform/log/service-log.ts'
import { trashCutoff } from '../../platform/trash.ts'
import { isNetworkKind } from '@pegasus/contracts/print-queue/printers'
import { type NetworkPrinter, listNetworkPrinters, notePrinterError } from '../print-queue/index.ts'
import { lockUnclaimed, saveGivingUp } from './connection-claims.queries.ts'
import { listUnfinishedPrinters } from './dispatches.queries.ts'

/** A deleted printer is visited for this time, to stop prints that were ended before the deletion. */
const STOPS_AFTER_DELETION_MS = DAY_MS

const NOT_STOPPED =
  'This printer was deleted, and did not confirm within a day that its print has stopped. If the print still runs, stop it at the machine. Then clear the bed.'

/**
 * Creates a function that returns the printers to visit. A deleted printer is visited only while one of its prints has
 * to be stopped, or a file of such a print has to be removed. If a print is not stopped within a day, people are
 * alerted, once for each deletion. A restored printer shows the alert as the note about its bed.
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
  const alertOfEnd = async (
    { id, name }: NetworkPrinter,
    { deletedAt, now }: { deletedAt: string; now: Date },
  ): Promise<void> => {
    const isNew = await database.transaction(async (tx) => {
      // A visit that began earlier may still write its own note, so do not write one yet.
      if (!(await lockUnclaimed(tx, id))) return false
      const isChanged = await saveGivingUp(tx, { printerId: id, note: NOT_STOPPED, now, deletedAt })
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
    const unfinished = new Map(found.map((each) => [each.printer_id, each]))
    const giveUpBefore = addMs(now, -STOPS_AFTER_DELETION_MS)
    const isGivenUp = ({ deleted_at: at }: NetworkPrinter) => at !== null && new Date(at) <= giveUpBefore
    for (const printer of printers.filter(isGivenUp)) {
      const { id, deleted_at: deletedAt } = printer
      const print = unfinished.get(id)
      if (deletedAt === null || !print?.is_open) continue
      const toldAt = print.given_up_at
      // Earlier versions have saved only the note.
      const isTold = toldAt === null ? print.bed_note === NOT_STOPPED : new Date(toldAt) > new Date(deletedAt)
      if (!isTold) await alertOfEnd(printer, { deletedAt, now })
    }
    return printers.filter(
      (printer) => printer.deleted_at === null || (unfinished.has(printer.id) && !isGivenUp(printer)),
    )
  }
}
