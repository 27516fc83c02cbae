import type { Queryable } from './database.ts'
import type { Fragment } from './search-patterns.ts'

/**
 * A statement that takes the oldest rows out of a table of events and returns them. Each row is taken once, by one
 * process, and comes back if the transaction fails.
 */
export const claimRows = (
  sql: Queryable,
  table: 'low_stock_crossings' | 'failed_print_jobs',
  limit: number,
): Fragment => sql`
  delete from ${sql(table)} where id in (
    select id from ${sql(table)} order by id limit ${limit} for update skip locked
  ) returning *`
