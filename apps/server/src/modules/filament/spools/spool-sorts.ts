import type { SpoolSort } from '@pegasus/contracts/filament/spools'
import type { Queryable } from '../../../platform/database/database.ts'
import { cursorParts, isTimestamp, isUuid, refusedCursor } from '../../../platform/http/paging.ts'

/** A position in a list of spools: the sort value as text, then the creation time. */
export interface SpoolCursor {
  key: string
  createdAt: string
  id: string
}

/**
 * A list of spools: its sort order, and whether it lists the trash. A position is valid only in the list that it comes
 * from.
 */
export type SpoolList = SpoolSort | `trash-${SpoolSort}`

export const spoolListOf = (sort: SpoolSort, isTrash: boolean): SpoolList =>
  isTrash ? `trash-${sort}` : sort

interface Sorting {
  type: 'text' | 'numeric' | 'timestamptz'
  isRising: boolean
}

/** Type of the sort values of each order, and whether the smallest value comes first. */
const SORTS: Readonly<Record<SpoolSort | 'trashed', Sorting>> = {
  newest: { type: 'text', isRising: true },
  least_left: { type: 'numeric', isRising: true },
  most_left: { type: 'numeric', isRising: false },
  material: { type: 'text', isRising: true },
  last_used: { type: 'timestamptz', isRising: false },
  trashed: { type: 'timestamptz', isRising: false },
}

/** Returns the sort order of a list. In the trash, `newest` means the spool that was deleted last. */
function orderOf(list: SpoolList): keyof typeof SORTS {
  if (list === 'trash-newest') return 'trashed'
  return list.replace(/^trash-/, '') as SpoolSort
}

/** Returns the value by which a spool is sorted. A spool that was never used counts as used before all others. */
function sortKey(sql: Queryable, list: SpoolList) {
  switch (orderOf(list)) {
    case 'newest':
      // The cast is needed: PostgreSQL would read a bare constant in ORDER BY as the number of a column.
      return sql`''::text`
    case 'least_left':
    case 'most_left':
      return sql`s.remaining_grams`
    case 'material':
      return sql`lower(f.material || ' ' || coalesce(v.name, '') || ' ' || f.name || ' ' || f.color)`
    case 'last_used':
      return sql`coalesce(s.last_used_at, '0001-01-01T00:00:00Z'::timestamptz)`
    case 'trashed':
      return sql`s.deleted_at`
  }
}

/** Returns the value of `sortKey` as text for a cursor, with timestamps as in the API. */
export const sortText = (sql: Queryable, list: SpoolList) =>
  SORTS[orderOf(list)].type === 'timestamptz'
    ? sql`to_char(${sortKey(sql, list)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`
    : sql`${sortKey(sql, list)}::text`

export const spoolOrder = (sql: Queryable, list: SpoolList) =>
  sql`order by ${sortKey(sql, list)} ${SORTS[orderOf(list)].isRising ? sql`asc` : sql`desc`}, s.created_at desc, s.id desc`

/**
 * Returns the SQL condition that a row comes after a position: it has a later sort value, or the same sort value and an
 * earlier creation time.
 */
export function afterSpool(sql: Queryable, list: SpoolList, cursor: SpoolCursor) {
  const { type, isRising } = SORTS[orderOf(list)]
  const key =
    type === 'numeric'
      ? sql`${cursor.key}::numeric`
      : type === 'text'
        ? sql`${cursor.key}::text`
        : sql`${cursor.key}::timestamptz`
  const isBeyond = isRising ? sql`${sortKey(sql, list)} > ${key}` : sql`${sortKey(sql, list)} < ${key}`
  return sql`and (${isBeyond} or (${sortKey(sql, list)} = ${key}
    and (s.created_at, s.id) < (${cursor.createdAt}::timestamptz, ${cursor.id}::uuid)))`
}

const NUMBER = /^\d{1,8}(\.\d{1,6})?$/

const isKey = (key: unknown, list: SpoolList): key is string => {
  if (typeof key !== 'string' || key.includes('\0') || key.length > 300) return false
  const { type } = SORTS[orderOf(list)]
  if (type === 'numeric') return NUMBER.test(key)
  return type === 'text' || isTimestamp(key)
}

export const encodeSpoolCursor = (list: SpoolList, { key, createdAt, id }: SpoolCursor): string =>
  Buffer.from(JSON.stringify([list, key, createdAt, id])).toString('base64url')

/** Parses a cursor that a client sent. Throws INVALID_INPUT for a cursor of another list or order. */
export function decodeSpoolCursor(list: SpoolList, text: string | undefined): SpoolCursor | null {
  if (text === undefined) return null
  const [of, key, createdAt, id] = cursorParts(text)
  if (of !== list || !isKey(key, list)) throw refusedCursor()
  if (typeof createdAt !== 'string' || !isTimestamp(createdAt) || !isUuid(id)) throw refusedCursor()
  return { key, createdAt, id }
}
