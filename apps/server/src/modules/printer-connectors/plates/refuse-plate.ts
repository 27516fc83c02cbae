import { endSentence } from '../../../platform/sentences.ts'
import {
  type PlateRow,
  cancelPlate,
  failPlate,
  hasRefused,
  isRefusedAgain,
  setPrinterState,
} from '../../print-queue/index.ts'
import { saveRefusal } from '../connection-claims.queries.ts'
import { PrinterError } from '../connector.ts'
import { updateDispatch } from '../dispatches.queries.ts'
import type { PrinterVisit } from '../visits/printer-visit.ts'

/** Returns the reason for the printer's state: the refusal, and what a person should do at the printer. */
const helpAfter = (refusal: string): string =>
  `${endSentence(refusal)} Check the printer and its storage, then press Resume. Until then it gets no print.`

/**
 * Fails a plate whose file cannot be printed. It is certain that the printer never started it, so no filament and no
 * time are booked. Its dispatch is closed, so the server does not look for its print.
 */
export const failUnstarted = ({ change }: PrinterVisit, { id }: PlateRow, reason: string): Promise<void> =>
  change(async (tx, by) => {
    await failPlate(tx, id, { reason, isUnsent: true }, by)
    await updateDispatch(tx, id, { closed_at: by.now })
  })

/**
 * Returns a plate to the queue that the printer refused and never started. The first refusal of a job is blamed on the
 * printer, which is then out of order until a person puts it back into use. A second refusal in a row, by any printer,
 * is blamed on the file, so that one bad file does not stop all printers: the job is put on hold, and this printer
 * stays in use. Full storage is never blamed on the file. If the answer may mean full storage, only the first refusal
 * of each printer counts.
 */
export const returnRefused = (
  { change, printer }: PrinterVisit,
  { id, print_job_id: jobId }: PlateRow,
  refusal: string,
  isStorageFull: PrinterError['isStorageFull'] = false,
): Promise<void> =>
  change(async (tx, by) => {
    const reason = helpAfter(refusal)
    const isRepeated = isStorageFull === 'perhaps' && (await hasRefused(tx, { jobId, printerId: printer.id }))
    const isRefused = isStorageFull !== true && !isRepeated
    await cancelPlate(tx, id, { reason: refusal, isUnsent: true, isRefused }, by)
    await updateDispatch(tx, id, { closed_at: by.now })
    if (isRefused && (await isRefusedAgain(tx, jobId))) return
    await saveRefusal(tx, printer.id, reason)
    await setPrinterState(tx, printer.id, { state: 'error', reason, seenAt: by.now }, by)
  })

/**
 * Ends the plate if the printer refused the request. The plate fails if its file is at fault, otherwise it returns to
 * the queue. Throws every other error.
 */
export async function refuse(visit: PrinterVisit, plate: PlateRow, error: unknown): Promise<null> {
  if (!(error instanceof PrinterError) || error.fault !== 'refused') throw error
  if (error.isFileFault) await failUnstarted(visit, plate, error.message)
  else await returnRefused(visit, plate, error.message, error.isStorageFull)
  return null
}
