import type { AuditContext } from '../../../platform/actor.ts'
import type { Queryable } from '../../../platform/database/database.ts'
import { publish } from '../../events/index.ts'
import { lockJob, updateJob } from '../jobs/job-changes.queries.ts'
import { saveJobCost } from '../jobs/save-job-cost.ts'
import { lockPrinter } from '../printers/printers.queries.ts'
import { countEndedPlate } from '../printers/printer-state.ts'
import { type UsedByPlate, bookUse } from './book-use.ts'
import { changePlate, findPlate, lockPlate } from './plates.queries.ts'
import { addUse } from './sum-use.ts'

/** The use of a plate that was cancelled while a printer printed it. */
export interface CancelledUse extends Pick<UsedByPlate, 'usedGrams' | 'isEstimated' | 'printMinutes'> {
  /** The share of the plate that was printed, from 0 to 1. */
  share: number
  /** The minutes to add to the printing time of the printer. */
  printerMinutes: number
}

/**
 * Books the filament and the time of a cancelled plate after its printer has stopped: as waste on its spools, on the
 * plate, on its job and on its printer. The plate does not count as failed. A plate in another state, or with a booked
 * use, stays unchanged. The job may be in the trash.
 */
export async function bookCancelledPlate(
  tx: Queryable,
  plateId: string,
  use: CancelledUse,
  by: AuditContext,
): Promise<void> {
  const found = await findPlate(tx, plateId)
  if (!found) return
  // The same order of locks as in `lockPlateWithJob`.
  const job = await lockJob(tx, found.print_job_id)
  const printer = found.printer_id === null ? null : await lockPrinter(tx, found.printer_id)
  const plate = await lockPlate(tx, plateId)
  if (plate?.state !== 'cancelled' || plate.used_grams !== null || plate.print_minutes !== null) return
  const grams = use.usedGrams ?? null
  const minutes = use.printMinutes ?? null
  const kind = { kind: 'waste', reason: plate.failure_reason } as const
  const { note } = await bookUse(tx, { job: { id: plate.print_job_id }, plate }, { ...kind, grams }, by)
  await changePlate(tx, plateId, {
    used_grams: grams,
    is_estimated: use.isEstimated ?? false,
    // If the minutes are unknown, the cost takes this share of the planned ones.
    progress: use.share,
    print_minutes: minutes,
    ...(note !== null && { failure_reason: [plate.failure_reason, note].filter(Boolean).join(' ') }),
  })
  if (printer) await countEndedPlate(tx, printer.id, { isGood: null, printMinutes: use.printerMinutes })
  if (!job) return
  await updateJob(tx, job.id, { status: job.status, ...addUse(job, { usedGrams: grams, minutes }) }, by.now)
  // The cost of a job that has ended was saved without this plate.
  const isOver = job.status === 'completed' || job.status === 'cancelled' || job.status === 'failed'
  if (isOver && job.good_quantity > 0) await saveJobCost(tx, job.id)
  await publish(tx, { type: 'updated', entity: 'print_job', id: job.id })
}
