import { COUNT_CAP, type PageRequest } from '../http/paging.ts'
import type { Queryable } from './database.ts'
import type { Fragment } from './search-patterns.ts'

/**
 * The part of a list statement after its `where` clause: one page, newest first by the columns `at` and `id`.
 * It reads one row more than the page holds, which shows the caller whether another page follows.
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

/**
 * Returns the SQL for a text that changes with every committed change of the database. Two statements that return the
 * same text see the same rows, unless a connection was lost in between. The text combines the start time of the server
 * with the snapshot that PostgreSQL takes for each statement.
 */
export const stateNow = (sql: Queryable): Fragment =>
  sql`concat(pg_postmaster_start_time(), ' ', pg_current_snapshot())`

/** The rows of a page, as found before their full content is read. */
export interface FoundRows {
  /**
   * One line for each row: its id, and the versions of all rows from which the response takes data. Two pages with the
   * same stamps have the same content.
   */
  stamps: string
  /** The id and sort keys of the last row if another page follows, otherwise null. */
  next: readonly [id: string, ...keys: (string | number)[]] | null
}

/**
 * Returns the column that `readFound` reads: the stamps and sort keys of a page's rows and of one further
 * row. A stamp begins with the id and contains no line break. The version of a row is its `xmin`, the
 * transaction that wrote it.
 */
export const foundRows = (sql: Queryable, { keys, order }: { keys: Fragment; order: Fragment }): Fragment =>
  sql`coalesce(string_agg(concat(stamp, e'\t', json_build_array(${keys})), e'\n' order by ${order}), '') as found`

const UUID_LENGTH = 36
/**
 * A time as PostgreSQL writes it in JSON. Sort keys that are text cannot match: they are in lower case and
 * contain no `T`.
 */
const TIME_IN_UTC = /^(\d{4}-\d\d-\d\dT[\d:.]+)\+00:00$/

/** Reads a page of `limit` rows from the text that `foundRows` returned. */
export function readFound(found: string, limit: number): FoundRows {
  const lines = found.split('\n')
  if (lines.length <= limit) return { stamps: found, next: null }
  const last = lines[limit - 1]!
  const keys = JSON.parse(last.slice(last.indexOf('\t'))) as (string | number)[]
  return {
    stamps: lines.slice(0, limit).join('\n'),
    next: [
      last.slice(0, UUID_LENGTH),
      ...keys.map((key) => (typeof key === 'string' ? key.replace(TIME_IN_UTC, '$1Z') : key)),
    ],
  }
}

/** Returns the ids of a page's rows, in the order of the page. */
export const idsIn = (stamps: string): string[] =>
  stamps === '' ? [] : stamps.split('\n').map((stamp) => stamp.slice(0, UUID_LENGTH))

/**
 * Returns a statement that counts the rows of another statement. It stops at `COUNT_CAP + 1`, because
 * counting all rows costs more than finding a page.
 */
export const upToCap = (sql: Queryable, rows: Fragment): Fragment => sql`
  select count(*)::int as total from (${rows} limit ${sql.literal(COUNT_CAP + 1)}) matches`

/**
 * Returns whether a statement finds a row. The limit makes PostgreSQL plan the statement as if it counted rows. Planned
 * for a single row, it might read a whole table to find none.
 */
export async function hasRows(sql: Queryable, rows: Fragment): Promise<boolean> {
  const [row] = await sql<[{ has_rows: boolean }]>`
    with found as materialized (${rows} limit ${sql.literal(COUNT_CAP + 1)})
    select exists (select from found) as has_rows`
  return row.has_rows
}

/** Counts the rows that a statement returns, up to `COUNT_CAP + 1`. */
export async function countUpToCap(sql: Queryable, rows: Fragment): Promise<number> {
  const [row] = await sql<[{ total: number }]>`${upToCap(sql, rows)}`
  return row.total
}
