import type { Row } from '../../../platform/database/column-types.ts'
import type { Queryable } from '../../../platform/database/database.ts'
import { queueOrder } from '../jobs/queue-order.ts'

/** Maximum number of jobs that are checked to find one that can start. */
const LOOKED_AT = 20

export type JobToStart = Row<'print_jobs', 'id' | 'stl_version_id' | 'slice_id'> & {
  /** The format of the job's sliced file, or null if the job names no file. */
  slice_format: string | null
}

/** Returns the jobs that are assigned to this printer, in queue order. */
export const listAssignedJobs = (sql: Queryable, printerId: string): Promise<JobToStart[]> =>
  sql<JobToStart[]>`
    select j.id, j.stl_version_id, j.slice_id, f.format as slice_format
    from print_jobs j left join printable_slices f on f.id = j.slice_id
    where j.assigned_printer_id = ${printerId} and j.deleted_at is null and j.status in ('pending', 'in_progress')
    order by ${queueOrder(sql)} limit ${sql.literal(LOOKED_AT)}`

/**
 * Returns the jobs that the planner proposes for a printer, earliest first. The list is empty unless the
 * printer takes jobs automatically. Proposals that need another spool are left out.
 */
export const listProposedJobs = (sql: Queryable, printerId: string): Promise<JobToStart[]> =>
  sql<JobToStart[]>`
    select j.id, j.stl_version_id, j.slice_id, f.format as slice_format
    from planned_prints d
    join printers p on p.id = d.printer_id and p.takes_jobs
    join print_jobs j on j.id = d.print_job_id
    left join printable_slices f on f.id = j.slice_id
    where d.printer_id = ${printerId} and not d.is_running and d.spool_id is null
      and j.assigned_printer_id is null and j.deleted_at is null and j.status in ('pending', 'in_progress')
    order by d.n limit ${sql.literal(LOOKED_AT)}`
