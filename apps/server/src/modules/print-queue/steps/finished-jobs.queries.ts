import { claimRows } from '../../../platform/database/claim-rows.ts'
import type { Row } from '../../../platform/database/column-types.ts'
import type { Queryable } from '../../../platform/database/database.ts'

/** A completed print job. */
export interface FinishedPrintJob
  extends Row<'finished_print_jobs', 'print_job_id'>,
    Row<'print_jobs', 'label_code' | 'quantity' | 'good_quantity'> {
  /** The name of the printed part. */
  name: string
}

/** Claims completed jobs for alerts, oldest first, in the same way as `claimFailedPrintJobs`. */
export const claimFinishedPrintJobs = (tx: Queryable, limit = 100): Promise<FinishedPrintJob[]> =>
  tx<FinishedPrintJob[]>`
    with taken as (${claimRows(tx, 'finished_print_jobs', limit)})
    select t.print_job_id, j.label_code, coalesce(i.name, m.title, '') as name, j.quantity, j.good_quantity
    from taken t
    join print_jobs j on j.id = t.print_job_id
    left join stock_items i on i.id = j.item_id
    left join library_models m on m.id = j.stl_file_id
    order by t.id`
