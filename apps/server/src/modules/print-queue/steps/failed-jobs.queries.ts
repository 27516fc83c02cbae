import type { Row } from '../../../platform/database/column-types.ts'
import { claimRows } from '../../../platform/database/claim-rows.ts'
import type { Queryable } from '../../../platform/database/database.ts'

export interface FailedPrintJob
  extends Row<'failed_print_jobs', 'print_job_id' | 'reason' | 'failed_at'>,
    Row<'print_jobs', 'label_code' | 'quantity'> {
  /** The name of the printed part. */
  name: string
}

/**
 * Records for the alerts that a job was put on hold after its last failure. A database trigger does this for jobs that
 * become `failed`.
 */
export async function noteGivenUpJob(
  tx: Queryable,
  { jobId, reason, now }: { jobId: string; reason: string | null; now: Date },
): Promise<void> {
  await tx`
    insert into failed_print_jobs (print_job_id, reason, failed_at) values (${jobId}, ${reason}, ${now})`
}

/**
 * Claims new failures for alerts, oldest first. Each failure is claimed by only one process. If the transaction is
 * rolled back, its failures can be claimed again.
 */
export const claimFailedPrintJobs = (tx: Queryable, limit = 100): Promise<FailedPrintJob[]> =>
  tx<FailedPrintJob[]>`
    with taken as (${claimRows(tx, 'failed_print_jobs', limit)})
    select t.print_job_id, j.label_code, coalesce(i.name, m.title, '') as name, j.quantity, t.reason, t.failed_at
    from taken t
    join print_jobs j on j.id = t.print_job_id
    left join stock_items i on i.id = j.item_id
    left join library_models m on m.id = j.stl_file_id
    order by t.id`
