import type { ModelSort } from '@pegasus/contracts/stl-library/search'
import { cursorParts, isTimestamp, isUuid, refusedCursor } from '../../../platform/http/paging.ts'

/**
 * A list of models: its sort order, and whether it lists the trash. A cursor of one list is invalid in
 * another.
 */
export type ModelList = ModelSort | `trash-${ModelSort}`

export const listOf = (sort: ModelSort, isTrash: boolean): ModelList => (isTrash ? `trash-${sort}` : sort)

/** A position in a list: the next page starts after the row with these keys. */
export interface ModelCursor {
  list: ModelList
  /** The sort keys, each a string or a number. If there are two, the second is a time. */
  keys: readonly (string | number)[]
  id: string
}

const isTitle = (key: unknown): boolean => typeof key === 'string' && !key.includes('\0')
const isTime = (key: unknown): boolean => typeof key === 'string' && isTimestamp(key)
/** Returns whether a key is in the range of scores that the database accepts. */
const isScore = (key: unknown): boolean =>
  typeof key === 'number' && Number.isInteger(key) && Math.abs(key) < 1e6

const KEYS: Readonly<Record<ModelSort, readonly ((key: unknown) => boolean)[]>> = {
  newest: [isTime],
  oldest: [isTime],
  title: [isTitle],
  largest: [Number.isSafeInteger],
  smallest: [Number.isSafeInteger],
  relevance: [isScore, isTime],
}

export const encodeModelCursor = ({ list, keys, id }: ModelCursor): string =>
  Buffer.from(JSON.stringify([list, id, ...keys])).toString('base64url')

/** Decodes a cursor of this list. Throws INVALID_INPUT if the cursor is invalid or belongs to another list. */
export function decodeModelCursor(
  text: string | undefined,
  sort: ModelSort,
  isTrash: boolean,
): ModelCursor | null {
  if (text === undefined) return null
  const [list, id, ...keys] = cursorParts(text)
  const isRight =
    list === listOf(sort, isTrash) &&
    isUuid(id) &&
    keys.length === KEYS[sort].length &&
    KEYS[sort].every((fits, at) => fits(keys[at]))
  if (!isRight) throw refusedCursor()
  return { list: listOf(sort, isTrash), id, keys: keys as (string | number)[] }
}
