import { AppError } from '../../platform/errors/app-error.ts'
import { type NextPrint, listNextPrints, startPlate } from '../print-queue/index.ts'
import { findBestSlice } from '../slices/index.ts'
import { findPrinterCriteria } from './dispatches.queries.ts'
import type { PrinterVisit } from './printer-visit.ts'

/** Refusals that are no errors: somebody was faster, or the printer is not free any more. */
const PASSED_OVER = new Set(['PRINTER_BUSY', 'PRINTER_STATE', 'PRINT_JOB_STATE', 'PRINT_JOB_NOT_FOUND'])

/** Starts the plate of the first job that this printer can print now and has a file for. Returns whether there is one. */
export async function startNextPlate(visit: PrinterVisit): Promise<boolean> {
  const { database, printer } = visit
  for (const print of await listNextPrints(database.sql, printer.id)) {
    const sliceId = await findSliceFor(visit, print)
    if (sliceId !== null && (await isStarted(visit, print, sliceId))) return true
  }
  return false
}

/** The file that the job names, if the printer reads it, else the best one for the printer. */
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
