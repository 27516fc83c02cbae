import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../errors/app-error.ts'

/** Place in a list: what follows comes after this row. */
export interface Cursor {
  createdAt: string
  id: string
  /** What a list is sorted by before age, where it is not simply newest first. */
  ranks?: readonly number[]
}

export interface Page<T, Next = Cursor> {
  items: T[]
  /** A text is a cursor as it goes to the client, of a list that writes its own. */
  next: Next | null
  /** Rows in all, exact up to `COUNT_CAP`. */
  total: number
}

/** Counting costs more than finding, so it stops here. */
export const COUNT_CAP = 1000

const encodeCursor = (cursor: Cursor): string =>
  Buffer.from(JSON.stringify([cursor.createdAt, cursor.id, ...(cursor.ranks ?? [])])).toString('base64url')

const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,6})?Z$/
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

export const isUuid = (value: unknown): value is string => typeof value === 'string' && UUID.test(value)

/** A day that is in no calendar, such as 30 February, is read as another one: it does not come back the same. */
export function isTimestamp(text: string): boolean {
  const moment = new Date(text)
  if (!TIMESTAMP.test(text) || Number.isNaN(moment.getTime()) || text.startsWith('0000')) return false
  return moment.toISOString().slice(0, 19) === text.slice(0, 19)
}

/** INVALID_INPUT for a cursor that this list did not write. */
export const refusedCursor = (): AppError =>
  new AppError('INVALID_INPUT', {
    say: 'cursor is not one that this list gave out',
    errors: [{ path: 'cursor', message: 'cursor is not one that this list gave out' }],
  })

/** What a cursor is made of, none of it judged; nothing for a list that is none. Throws INVALID_INPUT for what is no JSON. */
export function cursorParts(text: string): unknown[] {
  try {
    const parts: unknown = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'))
    return Array.isArray(parts) ? parts : []
  } catch {
    throw refusedCursor()
  }
}

/**
 * Reads a cursor that came back from a client. Throws INVALID_INPUT for one that this list did not write;
 * `rankCount` is how many ranks its rows have.
 */
export function decodeCursor(text: string | undefined, rankCount = 0): Cursor | null {
  if (text === undefined) return null
  const [createdAt, id, ...ranks] = cursorParts(text)
  if (typeof createdAt !== 'string' || !isTimestamp(createdAt) || !isUuid(id)) throw refusedCursor()
  if (ranks.length !== rankCount || !ranks.every((rank) => Number.isSafeInteger(rank))) throw refusedCursor()
  return { createdAt, id, ...(rankCount > 0 && { ranks: ranks as number[] }) }
}

const newestFirst = (row: { id: string; created_at: string }): Cursor => ({
  createdAt: row.created_at,
  id: row.id,
})

/** Cuts a result that was read with one row more than asked for into a page. */
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

/** Says in headers how many there are and where the next page is. */
export function sendPageHeaders(
  request: FastifyRequest,
  reply: FastifyReply,
  page: Page<unknown, Cursor | string>,
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
