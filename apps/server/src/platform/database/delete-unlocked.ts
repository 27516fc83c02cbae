import type { Queryable } from './database.ts'
import type { Tables } from './rows.ts'
import type { Fragment } from './search-patterns.ts'

/** The number of outdated rows that a request deletes besides its own work. The hourly cleanup deletes the rest. */
const CLEARED_AT_ONCE = 100

/**
 * Deletes the rows that meet the condition. `keys` are the columns that identify a row. Rows that another
 * transaction has locked are skipped. So nobody waits for the deletion, and two deletions cannot deadlock.
 */
export async function deleteUnlocked(
  sql: Queryable,
  table: keyof Tables,
  keys: Fragment,
  condition: Fragment,
): Promise<void> {
  await sql`
    delete from ${sql(table)} where (${keys}) in (
      select ${keys} from ${sql(table)} where ${condition} for update skip locked)`
}

/** Deletes up to `CLEARED_AT_ONCE` rows that meet the condition. Call it in a request that adds a row. */
export const clearSome = (
  sql: Queryable,
  table: keyof Tables,
  keys: Fragment,
  condition: Fragment,
): Promise<void> => deleteUnlocked(sql, table, keys, sql`${condition} limit ${CLEARED_AT_ONCE}`)
