import type { Queryable } from './database.ts'
import type { Fragment } from './search-patterns.ts'

/**
 * Returns a statement that deletes the oldest rows of an event table and returns them. Each row is claimed
 * once, by one process. If the transaction fails, the row is back in the table.
 */
export const claimRows = (
  sql: Queryable,
  table:
    | 'low_stock_crossings'
    | 'failed_print_jobs'
    | 'finished_print_jobs'
    | 'printer_errors'
    | 'shipped_orders',
  limit: number,
): Fragment => sql`
  delete from ${sql(table)} where id in (
    select id from ${sql(table)} order by id limit ${limit} for update skip locked
  ) returning *`
