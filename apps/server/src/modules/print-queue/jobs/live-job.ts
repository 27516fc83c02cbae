import type { AuditAction } from '@pegasus/contracts/audit'
import type { AuditContext } from '../../../platform/actor.ts'
import type { Queryable } from '../../../platform/database/database.ts'
import { AppError, orThrow } from '../../../platform/errors/app-error.ts'
import { type AuditEvent, writeAudit } from '../../audit/index.ts'
import { type PrintJobRow, findJobRow } from './job-list.queries.ts'
import { type JobToEdit, lockJobToEdit } from './jobs.queries.ts'

/** Returns a job that is not in the trash, locked until the transaction ends. Throws PRINT_JOB_NOT_FOUND. */
export async function lockLiveJob(tx: Queryable, id: string, now: Date): Promise<JobToEdit> {
  const job = await lockJobToEdit(tx, id, now)
  if (!job || job.deleted_at !== null) throw new AppError('PRINT_JOB_NOT_FOUND')
  return job
}

/** Returns a job in the form that people see. Throws PRINT_JOB_NOT_FOUND. */
export const showJob = async (tx: Queryable, id: string): Promise<PrintJobRow> =>
  orThrow(await findJobRow(tx, id), 'PRINT_JOB_NOT_FOUND')

/** Writes an audit entry about a job. */
export const auditJob = (
  tx: Queryable,
  action: AuditAction,
  job: Pick<JobToEdit, 'id' | 'label_code'>,
  sides: Pick<AuditEvent, 'before' | 'after'>,
  by: AuditContext,
): Promise<void> =>
  writeAudit(tx, { action, entity: 'print_job', entityId: job.id, entityName: job.label_code, ...sides }, by)
