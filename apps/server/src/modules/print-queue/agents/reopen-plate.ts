import type { AuditContext } from '../../../platform/actor.ts'
import type { Queryable } from '../../../platform/database/database.ts'
import { publish } from '../../events/index.ts'
import { insertTransition, updateJob } from '../jobs/job-changes.queries.ts'
import { lockPlateWithJob } from '../plates/lock-plate.ts'
import { changePlate, countRunningPieces, findRunningPlate, recountPlates } from '../plates/plates.queries.ts'
import { setPrinterState } from '../printers/printer-state.ts'

/**
 * Reopens a plate that returned to the queue because its agent was silent. Returns true if the plate is running now,
 * and also if it never stopped. Returns false if its pieces or its printer were claimed again, or if the job is on hold
 * or has ended. Then the plate stays ended.
 */
export async function reopenPlate(tx: Queryable, plateId: string, by: AuditContext): Promise<boolean> {
  const { job, plate, printer } = await lockPlateWithJob(tx, plateId)
  if (plate.state !== 'cancelled') return true
  if (job.status !== 'pending' && job.status !== 'in_progress') return false
  if (job.quantity - job.good_quantity - (await countRunningPieces(tx, job.id)) <= 0) return false
  if (printer && (await findRunningPlate(tx, printer.id))) return false
  await changePlate(tx, plateId, {
    state: 'printing',
    failure_reason: null,
    finished_at: null,
    lapsed_at: null,
  })
  await updateJob(
    tx,
    job.id,
    {
      status: 'in_progress',
      started_at: job.started_at ?? new Date(plate.started_at),
      ...(plate.agent !== null && { agent: plate.agent }),
      ...(printer && { printer_id: printer.id }),
    },
    by.now,
  )
  await recountPlates(tx, job.id, by.now)
  const reason = `${plate.agent ?? 'The agent'} responds again`
  await insertTransition(tx, { jobId: job.id, from: job.status, to: 'in_progress', reason }, by)
  await publish(tx, { type: 'updated', entity: 'print_job', id: job.id })
  if (printer)
    await setPrinterState(
      tx,
      printer.id,
      { state: 'printing', progress: plate.progress, isReported: true },
      by,
    )
  return true
}
