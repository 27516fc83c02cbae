import type { Queryable } from '../../../platform/database/database.ts'

/** A print job that has failed. */
export interface FailedPrintJob {
  print_job_id: string
  label_code: string
  /** Of what is printed. */
  name: string
  quantity: number
  reason: string | null
  failed_at: string
}

/**
 * Takes what has failed since the last time, the oldest first, for whoever tells people of it: each failure is taken
 * once, by one process, and comes back if the transaction fails.
 */
export const claimFailedPrintJobs = (tx: Queryable, limit = 100): Promise<FailedPrintJob[]> =>
  tx<FailedPrintJob[]>`
    with taken as (
      delete from failed_print_jobs where id in (
        select id from failed_print_jobs order by id limit ${limit} for update skip locked
      ) returning *
    )
    select t.print_job_id, j.label_code, coalesce(i.name, m.title, '') as name, j.quantity, t.reason, t.failed_at
    from taken t
    join print_jobs j on j.id = t.print_job_id
    left join stock_items i on i.id = j.item_id
    left join library_models m on m.id = j.stl_file_id
    order by t.id`
