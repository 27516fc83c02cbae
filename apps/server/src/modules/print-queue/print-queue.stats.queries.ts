import type { Queryable } from '../../platform/database/database.ts'
import { countToPropose } from './replenishment/replenishment.queries.ts'

export interface QueueFigures {
  print_jobs_pending: number
  print_jobs_in_progress: number
  print_jobs_on_hold: number
  next_print_done_at: string | null
  low_stock_not_queued: number
}

/**
 * Returns the counts of the queue, and the expected end of the running print that finishes first. The end comes from
 * the planner, otherwise from the job's estimate. Prints that should already have ended are ignored. Low stock counts
 * as not queued if the replenishment would propose prints for it.
 */
export async function readQueueFigures(sql: Queryable, now: Date): Promise<QueueFigures> {
  const [[row], toPropose] = await Promise.all([
    sql<[Omit<QueueFigures, 'low_stock_not_queued'>]>`
    select (count(*) filter (where status = 'pending'))::int as print_jobs_pending,
           (count(*) filter (where status = 'in_progress'))::int as print_jobs_in_progress,
           (count(*) filter (where status = 'on_hold'))::int as print_jobs_on_hold,
           min(done_at) filter (where status = 'in_progress' and done_at >= ${now}) as next_print_done_at
    from print_jobs j
    cross join lateral (
      select coalesce(
        (select min(p.ends_at) from planned_prints p where p.print_job_id = j.id and p.is_running and not p.is_guess),
        j.started_at + j.estimated_minutes * interval '1 minute') as done_at
    ) estimate
    where deleted_at is null and status in ('pending', 'in_progress', 'on_hold')`,
    countToPropose(sql, now),
  ])
  return { ...row, low_stock_not_queued: toPropose }
}

export interface PrintDay {
  day: string
  prints_finished: number
  prints_failed: number
}

/**
 * Returns the numbers of completed and failed print jobs per day in the time zone. Only jobs that ended at or
 * after `since` count.
 */
export const readPrintDays = (sql: Queryable, since: Date, timeZone: string): Promise<PrintDay[]> =>
  sql<PrintDay[]>`
    select (finished_at at time zone ${timeZone})::date as day,
           (count(*) filter (where status = 'completed'))::int as prints_finished,
           (count(*) filter (where status = 'failed'))::int as prints_failed
    from print_jobs
    where deleted_at is null and finished_at >= ${since}
    group by 1`
