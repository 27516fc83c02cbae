import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../errors/app-error.ts'

/** A position in a list: the next page starts after this row. */
export interface Cursor {
  createdAt: string
  id: string
  /** Sort keys that come before the age. Lists that are sorted newest first have none. */
  ranks?: readonly number[]
}

/** The requested part of a list: the rows after a cursor, or the first rows. */
export interface PageRequest {
  cursor: Cursor | null
  limit: number
}

export interface Page<T, Next = Cursor> {
  items: T[]
  /** The position after which the next page starts, encoded or not; null on the last page. */
  next: Next | null
  /** The number of rows of the whole list, exact up to `COUNT_CAP`. */
  total: number
}

/** The stamps of a page's rows (see `FoundRows`), found before the content of the rows is read. */
export interface FoundPage {
  stamps: string
  /** The encoded cursor of the next page; null on the last page. */
  next: string | null
  total: number
}

/**
 * A response that is already serialized as JSON. It can be cached, which saves most of the work for objects with many
 * fields.
 */
export interface WrittenAnswer {
  /** The response as JSON. */
  body: Buffer
  /** The `ETag`, with its quotes. */
  tag: string
  /**
   * The time at which the response changes even if no data changes, for example because an order becomes
   * overdue.
   */
  goodUntil?: Date | null
}

/**
 * A page of a list. `tag` changes whenever the body changes. A client that sends the current tag gets 304.
 */
export interface WrittenPage extends WrittenAnswer {
  /** The encoded cursor of the next page; null on the last page. */
  next: string | null
  total: number
}

/** Rows are counted only up to this number, because counting all rows costs more than finding a page. */
export const COUNT_CAP = 1000

export const encodeCursor = (cursor: Cursor): string =>
  Buffer.from(JSON.stringify([cursor.createdAt, cursor.id, ...(cursor.ranks ?? [])])).toString('base64url')

const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,6})?Z$/
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

export const isUuid = (value: unknown): value is string => typeof value === 'string' && UUID.test(value)

/**
 * Whether the text is a valid timestamp. A date that does not exist, such as 30 February, becomes another date when it
 * is parsed, so the parsed date is compared with the text.
 */
export function isTimestamp(text: string): boolean {
  const moment = new Date(text)
  if (!TIMESTAMP.test(text) || Number.isNaN(moment.getTime()) || text.startsWith('0000')) return false
  return moment.toISOString().slice(0, 19) === text.slice(0, 19)
}

/** Returns the INVALID_INPUT error for a cursor that does not come from this list. */
export const refusedCursor = (): AppError =>
  new AppError('INVALID_INPUT', {
    text: 'cursor does not come from this list',
    errors: [{ path: 'cursor', message: 'cursor does not come from this list' }],
  })

/**
 * Returns the unvalidated parts of a cursor, or an empty list if the cursor is not an array. Throws
 * INVALID_INPUT for invalid JSON.
 */
export function cursorParts(text: string): unknown[] {
  try {
    const parts: unknown = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'))
    return Array.isArray(parts) ? parts : []
  } catch {
    throw refusedCursor()
  }
}

/**
 * Parses a cursor from a client. `rankCount` is the number of sort keys that precede the age. Throws
 * INVALID_INPUT for a cursor that does not come from this list.
 */
export function decodeCursor(text: string | undefined, rankCount = 0): Cursor | null {
  if (text === undefined) return null
  const [createdAt, id, ...ranks] = cursorParts(text)
  if (typeof createdAt !== 'string' || !isTimestamp(createdAt) || !isUuid(id)) throw refusedCursor()
  if (ranks.length !== rankCount || !ranks.every((rank) => Number.isSafeInteger(rank))) throw refusedCursor()
  return { createdAt, id, ...(rankCount > 0 && { ranks: ranks as number[] }) }
}

/**
 * Returns the number of rows before the requested page of a short list that is not sorted by age, from a cursor of
 * `toOffsetPage`. Throws INVALID_INPUT for a cursor that does not come from such a list.
 */
export function decodeOffset(text: string | undefined): number {
  if (text === undefined) return 0
  const [offset, ...more] = cursorParts(text)
  if (more.length > 0 || typeof offset !== 'number' || !Number.isInteger(offset)) throw refusedCursor()
  if (offset < 1 || offset > MAX_OFFSET) throw refusedCursor()
  return offset
}

const MAX_OFFSET = 1_000_000_000

/** Creates the page that follows `offset` rows. The rows must be read with a limit of one more than requested. */
export function toOffsetPage<T>(
  rows: readonly T[],
  { offset, limit, total }: { offset: number; limit: number; total: number },
): Page<T, string> {
  const next = Buffer.from(JSON.stringify([offset + limit])).toString('base64url')
  return { items: rows.slice(0, limit), next: rows.length > limit ? next : null, total }
}

const newestFirst = (row: { id: string; created_at: string }): Cursor => ({
  createdAt: row.created_at,
  id: row.id,
})

/** Creates a page from rows, which must be read with a limit of one more than requested. */
export function toPage<T extends { id: string; created_at: string }>(
  rows: T[],
  limit: number,
  total: number,
  cursorOf: (row: T) => Cursor = newestFirst,
): Page<T> {
  const items = rows.slice(0, limit)
  const last = items.at(-1)
  return { items, next: rows.length > limit && last ? cursorOf(last) : null, total }
}

/**
 * Returns the requested page of a list that is sorted newest first. Throws INVALID_INPUT for a cursor of another list.
 */
export const pageRequestOf = (query: { cursor?: string | undefined; limit: number }): PageRequest => ({
  cursor: decodeCursor(query.cursor),
  limit: query.limit,
})

/** Returns the page with its items converted to the form of the API. */
export const mapPage = <Row, Item, Next>(
  { items, ...page }: Page<Row, Next>,
  present: (row: Row) => Item,
): Page<Item, Next> => ({ ...page, items: items.map((row) => present(row)) })

/** Sets the headers for the total and the address of the next page. */
export function sendPageHeaders(
  request: FastifyRequest,
  reply: FastifyReply,
  page: Pick<Page<unknown, Cursor | string>, 'next' | 'total'>,
): void {
  const isCapped = page.total > COUNT_CAP
  reply.header('x-total-count', String(isCapped ? COUNT_CAP : page.total))
  if (isCapped) reply.header('x-total-count-capped', 'true')
  if (!page.next) return
  const [path = '', query = ''] = request.url.split('?', 2)
  const parameters = new URLSearchParams(query)
  parameters.set('cursor', typeof page.next === 'string' ? page.next : encodeCursor(page.next))
  reply.header('link', `<${path}?${parameters}>; rel="next"`)
}
