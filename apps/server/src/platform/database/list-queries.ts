import { COUNT_CAP, type PageRequest } from '../http/paging.ts'
import type { Queryable } from './database.ts'
import type { Fragment } from './search-patterns.ts'

/**
 * The end of a list's statement, after its `where` clause: one page, newest first by the columns `at` and `id`. It returns one
 * row more than the page holds, so that the caller sees whether another page follows.
 */
export const newestFirst = (
  sql: Queryable,
  { cursor, limit }: PageRequest,
  at: Fragment,
  id: Fragment,
): Fragment => sql`
  ${cursor ? sql`and (${at}, ${id}) < (${cursor.createdAt}::timestamptz, ${cursor.id}::uuid)` : sql``}
  order by ${at} desc, ${id} desc
  limit ${limit + 1}`

/** Counts the rows that a statement returns. It stops after `COUNT_CAP + 1`, because counting costs more than finding. */
export async function countUpToCap(sql: Queryable, rows: Fragment): Promise<number> {
  const [row] = await sql<[{ total: number }]>`
    select count(*)::int as total from (${rows} limit ${COUNT_CAP + 1}) matches`
  return row.total
}
