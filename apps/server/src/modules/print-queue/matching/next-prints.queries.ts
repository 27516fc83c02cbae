import type { Queryable } from '../../../platform/database/database.ts'
import { queueOrder } from '../jobs/queue-order.ts'

/** Maximum number of proposed jobs that are checked until one can start. */
const LOOKED_AT = 20

const idsOf = async (rows: PromiseLike<{ id: string }[]>): Promise<string[]> =>
  (await rows).map(({ id }) => id)

/**
 * Returns a page of the ids of the jobs that are assigned to this printer, in queue order. The page begins after the job
 * `afterId`, or with the first job.
 */
export const listAssignedJobs = (
  sql: Queryable,
  printerId: string,
  { afterId, limit }: { afterId: string | null; limit: number },
): Promise<string[]> =>
  idsOf(sql<{ id: string }[]>`
    select j.id from print_jobs j
    where j.assigned_printer_id = ${printerId} and j.deleted_at is null and j.status in ('pending', 'in_progress')
      ${afterId === null ? sql`` : sql`and (${queueOrder(sql)}) > (select ${queueOrder(sql, 'l')} from print_jobs l where l.id = ${afterId})`}
    order by ${queueOrder(sql)} limit ${limit}`)

/**
 * Returns the ids of the jobs that the planner proposes for a printer, earliest first. The list is empty unless the
 * printer takes jobs automatically. Proposals that need another spool are left out.
 */
export const listProposedJobs = (sql: Queryable, printerId: string): Promise<string[]> =>
  idsOf(sql<{ id: string }[]>`
    select j.id
    from planned_prints d
    join printers p on p.id = d.printer_id and p.takes_jobs
    join print_jobs j on j.id = d.print_job_id
    where d.printer_id = ${printerId} and not d.is_running and d.spool_id is null
      and j.assigned_printer_id is null and j.deleted_at is null and j.status in ('pending', 'in_progress')
    order by d.n limit ${sql.literal(LOOKED_AT)}`)
