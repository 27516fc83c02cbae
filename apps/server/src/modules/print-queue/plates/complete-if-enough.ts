import type { AuditContext } from '../../../platform/actor.ts'
import type { Queryable } from '../../../platform/database/database.ts'
import { publish } from '../../events/index.ts'
import { insertTransition, lockJob, updateJob } from '../jobs/job-changes.queries.ts'
import { saveJobCost } from '../jobs/save-job-cost.ts'
import { listRunningPlates, recountPlates } from './plates.queries.ts'

/**
 * Completes a waiting job if it already has enough good pieces, because its quantity was lowered. A waiting job without
 * missing pieces could never start, so call this after each change that leaves a job waiting.
 */
export async function completeIfEnough(tx: Queryable, jobId: string, by: AuditContext): Promise<void> {
  const job = await lockJob(tx, jobId)
  if (!job || job.status !== 'pending' || job.good_quantity === 0 || job.good_quantity < job.quantity) return
  if ((await listRunningPlates(tx, jobId)).length > 0) return
  await updateJob(tx, jobId, { status: 'completed', finished_at: by.now, hold_reason: null }, by.now)
  await recountPlates(tx, jobId, by.now)
  await saveJobCost(tx, jobId)
  const reason = `${job.good_quantity} good pieces are enough.`
  await insertTransition(tx, { jobId, from: job.status, to: 'completed', reason }, by)
  await publish(tx, { type: 'updated', entity: 'print_job', id: jobId })
}
