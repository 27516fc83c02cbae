import type { PrintJob } from '@pegasus/contracts/print-queue/jobs'
import type { AuditContext } from '../../../platform/actor.ts'
import type { Queryable } from '../../../platform/database/database.ts'
import { writeAudits } from '../../audit/index.ts'
import { createPrintJobs } from '../jobs/create-job.ts'
import { auditedJob } from '../jobs/job-edit.ts'
import { findJobRows } from '../jobs/job-list.queries.ts'
import { listJobsToEdit } from '../jobs/jobs.queries.ts'
import { type JobPresentation, presentJob } from '../jobs/jobs.present.ts'
import { forgetExtraPieces } from './extra-pieces.ts'
import { type PlateSize, planPlates } from './plan-plates.ts'

/** A planned job for missing pieces. */
export interface PlannedJob {
  itemId: string
  quantity: number
  size: PlateSize | undefined
  orderId?: string
  orderLineId?: string
  dueAt?: Date | null
}

/**
 * Queues planned jobs with an audit entry for each. Returns them in the same order. The jobs name no sliced file, so
 * that each printer uses the file that is made for it. A plan can have a thousand jobs, so the number of statements
 * does not depend on their number. Throws the same errors as `createPrintJob`.
 */
export async function queuePlannedJobs(
  tx: Queryable,
  planned: readonly PlannedJob[],
  presentation: JobPresentation,
  by: AuditContext,
): Promise<PrintJob[]> {
  const jobs = planned.map(({ size, ...job }) => {
    const { pieces_per_plate: piecesPerPlate, expected_rejects: expectedRejects } = planPlates(
      job.quantity,
      size,
    )
    return { ...job, piecesPerPlate, expectedRejects }
  })
  const ids = await createPrintJobs(tx, jobs, by)
  // The planned lines lack pieces, so none of the pieces that are queued for them are extra any longer.
  await forgetExtraPieces(tx, planned)
  const added = await listJobsToEdit(tx, ids)
  const entries = added.map((job) => ({
    action: 'print_job.created' as const,
    entity: 'print_job' as const,
    entityId: job.id,
    entityName: job.label_code,
    after: auditedJob(job),
  }))
  await writeAudits(tx, entries, by)
  return (await findJobRows(tx, ids)).map((row) => presentJob(row, presentation))
}
