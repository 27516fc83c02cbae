import type { AuditContext } from '../../../platform/actor.ts'
import type { Queryable } from '../../../platform/database/database.ts'
import { publish } from '../../events/index.ts'
import { insertTransition } from '../jobs/job-changes.queries.ts'
import { setPrinterState } from '../printers/printer-state.ts'
import { lockPlateWithJob, isByHand, refusePlate } from './lock-plate.ts'
import { type PlateRow, changePlate, recountPlates, saveLoadedSpools } from './plates.queries.ts'

/** A printer's report about a plate that it is printing. Missing fields keep their values. */
export interface PlateReport {
  state?: 'printing' | 'paused' | 'printed'
  /**
   * The command that was known when the printer was asked. If a person has given another command since then, the report
   * is outdated, so the plate keeps its command and its state.
   */
  knownCommand?: PlateRow['command']
  /** When the printer first failed to carry out the known command. The command stays. */
  commandFailedAt?: Date
  /** Why the printer finally refused a person's command. The command ends, and the refusal is added to the history. */
  commandRefusal?: string
  /** Progress from 0 to 1. */
  progress?: number
  /** The name of the print on the printer. */
  remoteName?: string
  usedGrams?: number
  /** True if `usedGrams` was computed rather than measured by the printer. */
  isEstimated?: boolean
  printMinutes?: number
  /** A message for the person who counts the pieces of a printed plate. */
  note?: string
}

export const STATE_OF_PRINTER = { printing: 'printing', paused: 'paused', printed: 'needs_clearing' } as const

/**
 * Saves a printer's report about a running plate. A `printed` plate is still on the bed. Its pieces and filament are
 * booked when `finishPlate` is called, and a later report does not change its state. Throws PLATE_NOT_FOUND, or
 * PRINT_JOB_STATE for a plate that has ended.
 */
export async function updatePlate(
  tx: Queryable,
  plateId: string,
  report: PlateReport,
  by: AuditContext,
): Promise<void> {
  const { job, plate, printer } = await lockPlateWithJob(tx, plateId)
  if (!['sending', 'printing', 'paused', 'printed'].includes(plate.state)) throw refusePlate(plate)
  const isOtherCommand = report.knownCommand !== undefined && report.knownCommand !== plate.command
  const isOutdated = report.state !== 'printed' && isOtherCommand
  const state = plate.state === 'printed' || isOutdated ? undefined : report.state
  const progress = state === 'printed' ? 1 : report.progress
  const change = {
    ...(state !== undefined && { state, command: null }),
    ...(state !== undefined && state !== plate.state && { command_refusal: null }),
    ...(report.commandFailedAt !== undefined &&
      !isOtherCommand && { command_failed_at: report.commandFailedAt }),
    ...(report.commandRefusal !== undefined && { command_refusal: report.commandRefusal }),
    ...(progress !== undefined && plate.state !== 'printed' && { progress }),
    ...(report.remoteName !== undefined && { remote_name: report.remoteName }),
    ...(report.usedGrams !== undefined && {
      used_grams: report.usedGrams,
      is_estimated: report.isEstimated ?? false,
    }),
    ...(report.printMinutes !== undefined && { print_minutes: report.printMinutes }),
    ...(report.note !== undefined && { failure_reason: report.note }),
  }
  if (Object.keys(change).length === 0) return
  await changePlate(tx, plateId, change)
  if (report.commandRefusal !== undefined) {
    const { id: jobId, status } = job
    await insertTransition(tx, { jobId, from: status, to: status, reason: report.commandRefusal }, by)
  }
  // A person can change the spool while the file is being sent, so save the spools when the print begins.
  if (plate.state === 'sending' && state === 'printing') await saveLoadedSpools(tx, plateId)
  const isFurther = await recountPlates(tx, job.id, by.now)
  const isOther = state !== undefined && state !== plate.state
  if (isFurther || isOther) await publish(tx, { type: 'updated', entity: 'print_job', id: job.id })
  if (plate.printer_id === null) return
  const shown = state ?? (plate.state === 'sending' ? 'printing' : plate.state)
  // For a network printer, the connector saves the progress and the expected end together with the printer's state.
  const isFirst = progress !== undefined && printer?.has_progress === false
  if (isOther || ((isFurther || isFirst) && isByHand({ printer })))
    await setPrinterState(
      tx,
      plate.printer_id,
      {
        state: STATE_OF_PRINTER[shown as keyof typeof STATE_OF_PRINTER],
        progress: progress ?? plate.progress,
        // A report about a print does not end the maintenance of its printer.
        isReported: true,
      },
      by,
    )
}
