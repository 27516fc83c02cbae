import { cursorParts, isTimestamp, isUuid, refusedCursor } from '../../platform/http/paging.ts'

/**
 * A position in a list by due time: the order after which the next page starts. The other fields decide the sequence of
 * orders with the same due time.
 */
export interface DueCursor {
  due_at: string
  placed_at: string
  order_number: string
  id: string
}

const LIST = 'due'

/** Encodes a position as a cursor for clients. `decodeDueCursor` parses it. */
export const encodeDueCursor = ({ due_at, placed_at, order_number, id }: DueCursor): string =>
  Buffer.from(JSON.stringify([LIST, due_at, placed_at, order_number, id])).toString('base64url')

/** Parses a cursor from a client. Throws INVALID_INPUT for a cursor of another list. */
export function decodeDueCursor(text: string | undefined): DueCursor | null {
  if (text === undefined) return null
  const [list, dueAt, placedAt, number, id] = cursorParts(text)
  if (list !== LIST || !isUuid(id) || typeof number !== 'string' || number.includes('\0'))
    throw refusedCursor()
  if (![dueAt, placedAt].every((at) => typeof at === 'string' && isTimestamp(at))) throw refusedCursor()
  return { due_at: dueAt as string, placed_at: placedAt as string, order_number: number, id }
}
