import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../errors/app-error.ts'

/** Place in a newest-first list: what follows comes after this row. */
export interface Cursor {
  createdAt: string
  id: string
}

export interface Page<T> {
  items: T[]
  next: Cursor | null
  /** Rows in all, exact up to `COUNT_CAP`. */
  total: number
}

/** Counting costs more than finding, so it stops here. */
export const COUNT_CAP = 1000

const encodeCursor = (cursor: Cursor): string =>
  Buffer.from(JSON.stringify([cursor.createdAt, cursor.id])).toString('base64url')

const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,6})?Z$/
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Reads a cursor that came back from a client. Throws INVALID_INPUT for one that we did not write. */
export function decodeCursor(text: string | undefined): Cursor | null {
  if (text === undefined) return null
  const refuse = () =>
    new AppError('INVALID_INPUT', {
      say: 'cursor is not one that this list gave out',
      errors: [{ path: 'cursor', message: 'cursor is not one that this list gave out' }],
    })
  let parts: unknown
  try {
    parts = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'))
  } catch {
    throw refuse()
  }
  const [createdAt, id] = Array.isArray(parts) ? parts : []
  if (typeof createdAt !== 'string' || typeof id !== 'string') throw refuse()
  if (!TIMESTAMP.test(createdAt) || Number.isNaN(Date.parse(createdAt)) || !UUID.test(id)) throw refuse()
  return { createdAt, id }
}

/** Cuts a result that was read with one row more than asked for into a page. */
export function toPage<T extends { id: string; created_at: string }>(
  rows: T[],
  limit: number,
  total: number,
): Page<T> {
  const items = rows.slice(0, limit)
  const last = items.at(-1)
  const next = rows.length > limit && last ? { createdAt: last.created_at, id: last.id } : null
  return { items, next, total }
}

/** Says in headers how many there are and where the next page is. */
export function sendPageHeaders(request: FastifyRequest, reply: FastifyReply, page: Page<unknown>): void {
  const isCapped = page.total > COUNT_CAP
  reply.header('x-total-count', String(isCapped ? COUNT_CAP : page.total))
  if (isCapped) reply.header('x-total-count-capped', 'true')
  if (!page.next) return
  const [path = '', query = ''] = request.url.split('?', 2)
  const parameters = new URLSearchParams(query)
  parameters.set('cursor', encodeCursor(page.next))
  reply.header('link', `<${path}?${parameters}>; rel="next"`)
}
