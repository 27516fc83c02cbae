import type { SpoolSort } from '@pegasus/contracts/filament'
import type { Queryable } from '../../platform/database/database.ts'
import { cursorParts, isMoment, isUuid, refusedCursor } from '../../platform/http/paging.ts'

/** Place in a list of spools: what it is sorted by, as a text, then age. */
export interface SpoolCursor {
  key: string
  createdAt: string
  id: string
}

/** How a sort compares: by which type, and whether the smallest comes first. */
const SORTS: Readonly<Record<SpoolSort, { type: 'text' | 'numeric' | 'timestamptz'; isRising: boolean }>> = {
  newest: { type: 'text', isRising: true },
  least_left: { type: 'numeric', isRising: true },
  most_left: { type: 'numeric', isRising: false },
  material: { type: 'text', isRising: true },
  last_used: { type: 'timestamptz', isRising: false },
}

/** What a spool is sorted by. One that was never used was last used before any other. */
function sortKey(sql: Queryable, sort: SpoolSort) {
  switch (sort) {
    case 'newest':
      // A cast, since a bare constant would be the number of a column.
      return sql`''::text`
    case 'least_left':
    case 'most_left':
      return sql`s.remaining_grams`
    case 'material':
      return sql`lower(f.material || ' ' || coalesce(v.name, '') || ' ' || f.name || ' ' || f.color)`
    case 'last_used':
      return sql`coalesce(s.last_used_at, '0001-01-01T00:00:00Z'::timestamptz)`
  }
}

/** The same as a text that a cursor can carry; moments as the wire writes them. */
export const sortText = (sql: Queryable, sort: SpoolSort) =>
  SORTS[sort].type === 'timestamptz'
    ? sql`to_char(${sortKey(sql, sort)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`
    : sql`${sortKey(sql, sort)}::text`

export const spoolOrder = (sql: Queryable, sort: SpoolSort) =>
  sql`order by ${sortKey(sql, sort)} ${SORTS[sort].isRising ? sql`asc` : sql`desc`}, s.created_at desc, s.id desc`

/** What comes after a place: further along by the key, or as far and older. */
export function afterSpool(sql: Queryable, sort: SpoolSort, cursor: SpoolCursor) {
  const { type, isRising } = SORTS[sort]
  const key =
    type === 'numeric'
      ? sql`${cursor.key}::numeric`
      : type === 'text'
        ? sql`${cursor.key}::text`
        : sql`${cursor.key}::timestamptz`
  const isBeyond = isRising ? sql`${sortKey(sql, sort)} > ${key}` : sql`${sortKey(sql, sort)} < ${key}`
  return sql`and (${isBeyond} or (${sortKey(sql, sort)} = ${key}
    and (s.created_at, s.id) < (${cursor.createdAt}::timestamptz, ${cursor.id}::uuid)))`
}

const NUMBER = /^\d{1,8}(\.\d{1,6})?$/

const isKey = (key: unknown, sort: SpoolSort): key is string => {
  if (typeof key !== 'string' || key.includes('\0') || key.length > 300) return false
  if (SORTS[sort].type === 'numeric') return NUMBER.test(key)
  return SORTS[sort].type === 'text' || isMoment(key)
}

export const encodeSpoolCursor = (sort: SpoolSort, { key, createdAt, id }: SpoolCursor): string =>
  Buffer.from(JSON.stringify([sort, key, createdAt, id])).toString('base64url')

/** Reads a cursor that came back from a client. Throws INVALID_INPUT for one that the list of that order did not write. */
export function decodeSpoolCursor(sort: SpoolSort, text: string | undefined): SpoolCursor | null {
  if (text === undefined) return null
  const [of, key, createdAt, id] = cursorParts(text)
  if (of !== sort || !isKey(key, sort)) throw refusedCursor()
  if (typeof createdAt !== 'string' || !isMoment(createdAt) || !isUuid(id)) throw refusedCursor()
  return { key, createdAt, id }
}
