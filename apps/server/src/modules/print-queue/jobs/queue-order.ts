import type { Queryable } from '../../../platform/database/database.ts'
import type { Fragment } from '../../../platform/database/search-patterns.ts'

/**
 * Returns the columns that order the print queue, for `order by` and for row comparisons. `alias` is the alias of
 * `print_jobs` in the statement. The indexes `print_jobs_queue`, `print_jobs_by_status` and
 * `print_jobs_next_on_printer` contain the same columns.
 */
export function queueOrder(sql: Queryable, alias = 'j'): Fragment {
  const job = sql(alias)
  return sql`${job}.priority, ${job}.position, ${job}.created_at, ${job}.id`
}

/** Like `queueOrder`, but from the last job of the queue to the first. */
export const reverseQueueOrder = (sql: Queryable): Fragment =>
  sql`j.priority desc, j.position desc, j.created_at desc, j.id desc`
