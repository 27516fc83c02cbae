import { isNetworkKind } from '@pegasus/contracts/print-queue/printers'
import type { Queryable } from '../../../platform/database/database.ts'
import { AppError } from '../../../platform/errors/app-error.ts'
import { type JobToChange, lockJob } from '../jobs/job-changes.queries.ts'
import { type PrinterToChange, lockPrinter } from '../printers/printers.queries.ts'
import { type PlateRow, findPlate, lockPlate } from './plates.queries.ts'

export interface LockedPlate {
  job: JobToChange
  plate: PlateRow
  /** Null if the printer is unknown. */
  printer: PrinterToChange | null
}

/** Returns whether a person or an agent starts the prints of the printer. Also true if the printer is unknown. */
export const isByHand = ({ printer }: Pick<LockedPlate, 'printer'>): boolean =>
  printer === null || !isNetworkKind(printer.kind)

/** Returns whether an agent has reported progress of the plate, even if it is 0 while the printer heats. */
export const hasReportedProgress = ({ plate, printer }: LockedPlate): boolean =>
  plate.agent !== null && (plate.progress > 0 || (printer?.kind === 'agent' && printer.has_progress))

/**
 * Returns whether an agent has reported progress of the plate on its printer. If such a plate ends without a further
 * report from its agent, its print is still on the bed.
 */
export const isUnreportedPrint = (held: LockedPlate): boolean =>
  held.printer?.kind === 'agent' && hasReportedProgress(held)

/**
 * Throws PRINT_JOB_STATE while a network printer prints the plate. Its pieces cannot be counted yet, and ending the
 * plate would not stop the machine.
 */
export function assertPrinted(held: LockedPlate): void {
  if (isByHand(held) || held.plate.remote_name === null || held.plate.state === 'printed') return
  throw new AppError('PRINT_JOB_STATE', {
    text: 'The printer is still printing this plate. Wait until it has finished, or cancel the print. If the printer is offline or reports an error, report the plate as failed with the number of good pieces.',
  })
}

/**
 * Returns a plate with its job and printer. Locks first the job, then the printer, then the plate. Throws
 * PLATE_NOT_FOUND.
 */
export async function lockPlateWithJob(tx: Queryable, plateId: string): Promise<LockedPlate> {
  const found = await findPlate(tx, plateId)
  const job = found && (await lockJob(tx, found.print_job_id))
  if (!job) throw new AppError('PLATE_NOT_FOUND')
  const printer = found.printer_id === null ? null : await lockPrinter(tx, found.printer_id)
  const plate = await lockPlate(tx, plateId)
  if (!plate) throw new AppError('PLATE_NOT_FOUND')
  return { job, plate, printer }
}

/** Creates the error PRINT_JOB_STATE for a plate that has ended. */
export const refusePlate = (plate: Pick<PlateRow, 'number' | 'state'>): AppError =>
  new AppError('PRINT_JOB_STATE', {
    text: `Plate ${plate.number} is already ${plate.state}.`,
  })
