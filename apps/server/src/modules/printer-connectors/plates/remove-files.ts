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
 * Removes files that the server has sent and no longer needs. The names come from the dispatches, so no other file is
 * ever removed. A printer that does not remove a file is asked again later, and the file stays after a few attempts. It
 * gets one more attempt when the printer has removed another file, because some printers refuse during a long print.
 */
export async function removeOldFiles(visit: PrinterVisit, reading: PrinterReading): Promise<void> {
  const { database, printer, clock } = visit
  // A machine that only shows the error of its last print still removes files. Klipper shows it until the next print.
  if (reading.state === 'busy' || isOutOfOrder(reading)) return
  const isRunning = reading.state === 'printing' || reading.state === 'paused'
  const which = { printing: isRunning ? reading.file : null, now: clock.now(), limit: AT_ONCE }
  const files = await listOldFiles(database.sql, printer.id, which)
  if (files.length === 0 || !(await removeAll(visit, files))) return
  await removeAll(visit, await listGivenUpFiles(database.sql, printer.id, which))
}

/**
 * Counts an attempt for each file of a deleted printer that `removeOldFiles` had to leave, for example because the machine
 * is out of order. The printer is visited again for them only after the pause, and not after the last attempt.
 */
export const postponeRemovals = ({ printer, change }: PrinterVisit): Promise<void> =>
  change((tx, by) =>
    postponeRemovalsOfDeleted(tx, printer.id, { now: by.now, until: addMs(by.now, AGAIN_AFTER_MS) }),
  )

/** Removes files up to the first one that the printer does not remove. Returns whether it has removed all. */
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

/** Removes an incomplete file of our own, if the printer allows it. */
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
