import type { PrintJob } from '@pegasus/contracts/print-queue/jobs'
import type { AuditContext } from '../../../platform/actor.ts'
import type { Queryable } from '../../../platform/database/database.ts'
import { AppError } from '../../../platform/errors/app-error.ts'
import { writeAudit } from '../../audit/index.ts'
import { createPrintJob } from '../jobs/create-job.ts'
import { auditedJob } from '../jobs/job-edit.ts'
import { findJobRow } from '../jobs/job-list.queries.ts'
import { lockJobToEdit } from '../jobs/jobs.queries.ts'
import { type JobPresentation, presentJob } from '../jobs/jobs.present.ts'
import type { PlateSize } from './plan-plates.ts'

/** A planned job for missing pieces. */
export interface PlannedJob {
  itemId: string
  quantity: number
  size: PlateSize | undefined
  orderId?: string
  orderLineId?: string
  dueAt?: Date | null
}

/** Queues a planned job, with its entry in the audit. Throws what `createPrintJob` throws. */
export async function queuePlannedJob(
  tx: Queryable,
  { size, ...job }: PlannedJob,
  presentation: JobPresentation,
  by: AuditContext,
): Promise<PrintJob> {
  const plates = { piecesPerPlate: size?.pieces ?? null, sliceId: size?.sliceId ?? null }
  const id = await createPrintJob(tx, { ...job, ...plates }, by)
  const added = await lockJobToEdit(tx, id, by.now)
  const row = await findJobRow(tx, id)
  if (!added || !row) throw new AppError('PRINT_JOB_NOT_FOUND')
  const entity = { entity: 'print_job', entityId: id, entityName: row.label_code } as const
  await writeAudit(tx, { action: 'print_job.created', ...entity, after: auditedJob(added) }, by)
  return presentJob(row, presentation)
}
