import { MINUTE_MS, addMs } from '../../../platform/clock.ts'
import { PrinterError, type PrinterReading, isOutOfOrder } from '../connector.ts'
import {
  type OldFile,
  listGivenUpFiles,
  listOldFiles,
  postponeRemoval,
  postponeRemovalsOfDeleted,
  updateDispatch,
} from '../dispatches.queries.ts'
import type { PrinterVisit } from '../visits/printer-visit.ts'

/** Maximum number of files that one visit removes, so that the next visit is not delayed. */
const AT_ONCE = 3
const AGAIN_AFTER_MS = 10 * MINUTE_MS

/**
 * Removes files that the server has sent and no longer needs. Only files with a dispatch are removed, never the files
 * of other people. If a removal fails, it is tried again later, and given up after a few attempts. A given-up file gets
 * one more attempt after the printer has removed another file, because some printers refuse removals during a long
 * print.
 */
export async function removeOldFiles(visit: PrinterVisit, reading: PrinterReading): Promise<void> {
  const { database, printer, clock } = visit
  // A machine that only shows the error of its last print can still remove files. Klipper shows this error until the
  // next print.
  if (reading.state === 'busy' || isOutOfOrder(reading)) return
  const isRunning = reading.state === 'printing' || reading.state === 'paused'
  const which = { printing: isRunning ? reading.file : null, now: clock.now(), limit: AT_ONCE }
  const files = await listOldFiles(database.sql, printer.id, which)
  if (files.length === 0 || !(await removeAll(visit, files))) return
  await removeAll(visit, await listGivenUpFiles(database.sql, printer.id, which))
}

/**
 * Counts an attempt for each file of a deleted printer that could not be removed, for example because the machine is
 * out of order. The printer is visited again after the pause, until the last attempt.
 */
export const postponeRemovals = ({ printer, change }: PrinterVisit): Promise<void> =>
  change((tx, by) =>
    postponeRemovalsOfDeleted(tx, printer.id, { now: by.now, until: addMs(by.now, AGAIN_AFTER_MS) }),
  )

/** Removes files until one removal fails. Returns whether all files were removed. */
async function removeAll({ connector, change }: PrinterVisit, files: readonly OldFile[]): Promise<boolean> {
  for (const file of files) {
    const isRemoved = await isDone(connector.remove(file.remote_name))
    await change((tx, by) =>
      isRemoved
        ? updateDispatch(tx, file.plate_id, { removed_at: by.now })
        : postponeRemoval(tx, file.plate_id, addMs(by.now, AGAIN_AFTER_MS)),
    )
    if (!isRemoved) return false
  }
  return true
}

/** Tries to remove an incomplete file that the server has sent. */
export async function removeIncompleteFile({ connector }: PrinterVisit, name: string): Promise<void> {
  await isDone(connector.remove(name))
}

/** Returns whether a call to a printer succeeds. */
const isDone = (call: Promise<void>): Promise<boolean> =>
  call.then(
    () => true,
    (error: unknown) => {
      if (error instanceof PrinterError) return false
      throw error
    },
  )
