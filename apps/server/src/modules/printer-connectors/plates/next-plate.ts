import { AppError } from '../../../platform/errors/app-error.ts'
import { type NextPrint, listNextPrints, startPlate } from '../../print-queue/index.ts'
import type { PrinterVisit } from '../visits/printer-visit.ts'

/** Errors that only mean that somebody else was faster, or that the printer is no longer free. */
const PASSED_OVER = new Set(['PRINTER_BUSY', 'PRINTER_STATE', 'PRINT_JOB_STATE', 'PRINT_JOB_NOT_FOUND'])

/**
 * Starts the plate of the first job that this printer can print now and that has a file for it. Returns
 * whether a plate was started. If the process is uploading to too many printers, the job waits without a plate: a plate
 * that waits for its upload would be given up as overdue.
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
