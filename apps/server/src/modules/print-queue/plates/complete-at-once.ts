import { v7 as uuidv7 } from 'uuid'
import type { AuditContext } from '../../../platform/actor.ts'
import type { Queryable } from '../../../platform/database/database.ts'
import { publish } from '../../events/index.ts'
import { saveJobCost } from '../jobs/save-job-cost.ts'
import { type JobToChange, insertTransition, lockJob, updateJob } from '../jobs/job-changes.queries.ts'
import { type PlateResult, finishPlate } from './end-plate.ts'
import { insertPlate, listRunningPlates, nextPlateNumber } from './plates.queries.ts'

/**
 * Completes a locked, waiting job whose pieces were printed without pressing Start. Adds one plate with all
 * missing pieces and finishes it. Throws the errors of `finishPlate`.
 */
export async function completeAtOnce(
  tx: Queryable,
  job: JobToChange,
  result: PlateResult,
  by: AuditContext,
): Promise<void> {
  const id = uuidv7()
  await insertPlate(tx, {
    id,
    print_job_id: job.id,
    number: await nextPlateNumber(tx, job.id),
    state: 'printing',
    pieces: Math.max(1, job.quantity - job.good_quantity),
    slice_id: job.slice_id,
    started_at: by.now,
  })
  await finishPlate(tx, id, { ...result, isAtOnce: true }, by)
}

/** Completes a waiting job that has enough good pieces because its quantity was lowered. */
export async function completeIfEnough(tx: Queryable, jobId: string, by: AuditContext): Promise<void> {
  const job = await lockJob(tx, jobId)
  if (!job || job.status !== 'pending' || job.good_quantity === 0 || job.good_quantity < job.quantity) return
  if ((await listRunningPlates(tx, jobId)).length > 0) return
  await updateJob(tx, jobId, { status: 'completed', finished_at: by.now, hold_reason: null }, by.now)
  await saveJobCost(tx, jobId)
  const reason = `${job.good_quantity} good pieces are enough.`
  await insertTransition(tx, { jobId, from: job.status, to: 'completed', reason }, by)
  await publish(tx, { type: 'updated', entity: 'print_job', id: jobId })
}
