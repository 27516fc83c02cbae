import { MINUTE_MS, addMs } from '../../../platform/clock.ts'
import { PrinterError, type PrinterReading } from '../connector.ts'
import { listOldFiles, postponeRemoval, updateDispatch } from '../dispatches.queries.ts'
import type { PrinterVisit } from '../visits/printer-visit.ts'

/** A visit removes only a few files, so that it does not delay the next one. */
const AT_ONCE = 3
const AGAIN_AFTER_MS = 10 * MINUTE_MS

/**
 * Removes files that the server has sent and no longer needs. The names come from the dispatches, so no other file is
 * ever removed. A printer that does not remove a file is asked again later, and the file stays after a few attempts.
 */
export async function removeOldFiles(visit: PrinterVisit, reading: PrinterReading): Promise<void> {
  const { database, connector, printer, clock, change } = visit
  if (reading.state === 'busy' || reading.state === 'failed') return
  const isRunning = reading.state === 'printing' || reading.state === 'paused'
  const which = { printing: isRunning ? reading.file : null, now: clock.now(), limit: AT_ONCE }
  for (const file of await listOldFiles(database.sql, printer.id, which)) {
    const isRemoved = await isDone(connector.remove(file.remote_name))
    await change((tx, by) =>
      isRemoved
        ? updateDispatch(tx, file.plate_id, { removed_at: by.now })
        : postponeRemoval(tx, file.plate_id, addMs(by.now, AGAIN_AFTER_MS)),
    )
    if (!isRemoved) return
  }
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
