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
  limit ${sql.literal(limit + 1)}`

/** A page of a list that the database has written. */
export interface JsonRows {
  /** The items: a JSON array. */
  json: string
  /** The id and the sort keys of the last item, if another page follows. */
  next: readonly [id: string, ...keys: (string | number)[]] | null
}

/**
 * The columns of `JsonRows`, of `limit` rows and one more. Select them from rows in the order of the list with the columns `id`,
 * `place` (from 1), `item` (what the response says) and those of the sort keys; `keys` are these as the cursor has them.
 */
export const jsonRows = (sql: Queryable, { keys, limit }: { keys: Fragment; limit: number }): Fragment => sql`
  coalesce(json_agg(item) filter (where place <= ${sql.literal(limit)})::text, '[]') as json,
  case when count(*) > ${sql.literal(limit)}
       then json_agg(json_build_array(id, ${keys})) filter (where place = ${sql.literal(limit)}) -> 0 end as next`

/** A statement that counts the rows of another. It stops after `COUNT_CAP + 1`, because counting costs more than finding. */
export const upToCap = (sql: Queryable, rows: Fragment): Fragment => sql`
  select count(*)::int as total from (${rows} limit ${sql.literal(COUNT_CAP + 1)}) matches`

/** Counts the rows that a statement returns, up to the cap. */
export async function countUpToCap(sql: Queryable, rows: Fragment): Promise<number> {
  const [row] = await sql<[{ total: number }]>`${upToCap(sql, rows)}`
  return row.total
}
