import { v7 as uuidv7 } from 'uuid'
import type { AuditContext } from '../../../platform/actor.ts'
import type { Queryable } from '../../../platform/database/database.ts'
import { deleteLeasesOfJob } from '../agents/leases.queries.ts'
import type { JobToChange } from '../jobs/job-changes.queries.ts'
import { type PlateResult, finishPlate } from './end-plate.ts'
import { findFileOfAllPlates } from './file-of-person.ts'
import { insertPlate, nextPlateNumber } from './plates.queries.ts'

/**
 * Completes a locked, waiting job whose pieces were printed although nobody pressed Start. Adds one plate with all
 * missing pieces and finishes it. The person counts everything that was printed, also by a silent agent, so the leases
 * of the job are deleted. Throws the errors of `finishPlate`.
 */
export async function completeAtOnce(
  tx: Queryable,
  job: JobToChange,
  result: PlateResult,
  by: AuditContext,
): Promise<void> {
  await deleteLeasesOfJob(tx, job.id)
  const id = uuidv7()
  await insertPlate(tx, {
    id,
    print_job_id: job.id,
    number: await nextPlateNumber(tx, job.id),
    state: 'printing',
    pieces: Math.max(1, job.quantity - job.good_quantity),
    slice_id: job.slice_id ?? (await findFileOfAllPlates(tx, job.id)),
    started_at: by.now,
  })
  await finishPlate(tx, id, { ...result, isAtOnce: true }, by)
}
