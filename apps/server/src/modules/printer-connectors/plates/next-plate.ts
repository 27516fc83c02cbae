import { AppError } from '../../../platform/errors/app-error.ts'
import { type NextPrint, listNextPrints, startPlate } from '../../print-queue/index.ts'
import type { PrinterVisit } from '../visits/printer-visit.ts'

/** These errors only mean that somebody else took the job first, or that the printer is no longer free. */
const PASSED_OVER = new Set(['PRINTER_BUSY', 'PRINTER_STATE', 'PRINT_JOB_STATE', 'PRINT_JOB_NOT_FOUND'])

/**
 * Starts the plate of the first job that this printer can print now. Returns whether a plate was started. If this
 * process is already uploading to too many printers, no plate is started, because a plate that waits for its upload
 * would become overdue.
 */
export async function startNextPlate(visit: PrinterVisit): Promise<boolean> {
  const { database, printer, upload } = visit
  for (const print of await listNextPrints(database.sql, printer.id)) {
    if (!upload.reserve()) return false
    if (await isStarted(visit, print)) return true
  }
  upload.release()
  return false
}

async function isStarted(
  { change, printer }: PrinterVisit,
  { jobId, sliceId, spoolId }: NextPrint,
): Promise<boolean> {
  try {
    await change((tx, by) =>
      startPlate(tx, { jobId, printerId: printer.id, sliceId, spoolId, state: 'sending' }, by),
    )
    return true
  } catch (error) {
    if (error instanceof AppError && PASSED_OVER.has(error.code)) return false
    throw error
  }
}
