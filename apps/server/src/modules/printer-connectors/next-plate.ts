import { AppError } from '../../platform/errors/app-error.ts'
import { type NextPrint, listNextPrints, startPlate } from '../print-queue/index.ts'
import { findBestSlice } from '../slices/index.ts'
import { findPrinterCriteria } from './dispatches.queries.ts'
import type { PrinterVisit } from './printer-visit.ts'

/** Errors that only mean that somebody else was faster, or that the printer is no longer free. */
const PASSED_OVER = new Set(['PRINTER_BUSY', 'PRINTER_STATE', 'PRINT_JOB_STATE', 'PRINT_JOB_NOT_FOUND'])

/**
 * Starts the plate of the first job that this printer can print now and that has a file for it. Returns
 * whether a plate was started.
 */
export async function startNextPlate(visit: PrinterVisit): Promise<boolean> {
  const { database, printer } = visit
  for (const print of await listNextPrints(database.sql, printer.id)) {
    const sliceId = await findSliceFor(visit, print)
    if (sliceId !== null && (await isStarted(visit, print, sliceId))) return true
  }
  return false
}

/**
 * Returns the file that the job names, or null if the printer cannot read it. If the job names no file,
 * returns the best file for the printer.
 */
async function findSliceFor(
  { database, connector, printer }: PrinterVisit,
  { sliceId, sliceFormat, stlVersionId }: NextPrint,
): Promise<string | null> {
  const formats: readonly string[] = connector.formats
  if (sliceId !== null) return formats.includes(sliceFormat ?? '') ? sliceId : null
  const criteria = await findPrinterCriteria(database.sql, printer.id)
  if (!criteria || stlVersionId === null) return null
  const best = await findBestSlice(database.sql, {
    versionId: stlVersionId,
    printerModel: criteria.model,
    nozzleMm: criteria.nozzle_mm,
    fileTypes: formats,
  })
  return best?.id ?? null
}

async function isStarted(
  { change, printer }: PrinterVisit,
  { jobId, spoolId }: NextPrint,
  sliceId: string,
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
