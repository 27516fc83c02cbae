import type { InventorySort } from '@pegasus/contracts/inventory/items'
import { type Page, cursorParts, isTimestamp, isUuid, refusedCursor } from '../../../platform/http/paging.ts'
import type { ItemRow } from './items.queries.ts'

/** The order and the filter of a list. A position of one list is invalid in another. */
type ItemList = InventorySort | `bin-${InventorySort}`

const listOf = (sort: InventorySort, isTrash: boolean): ItemList => (isTrash ? `bin-${sort}` : sort)

/** A position in a list: the next page starts after the item with this key. */
export interface ItemCursor {
  key: string | number
  id: string
}

const isTime = (key: unknown): boolean => typeof key === 'string' && isTimestamp(key)
const isName = (key: unknown): boolean => typeof key === 'string' && !key.includes('\0')
const isQuantity = (key: unknown): boolean =>
  typeof key === 'number' && Number.isInteger(key) && Math.abs(key) <= 1e9

const KEYS: Readonly<Record<InventorySort, (key: unknown) => boolean>> = {
  newest: isTime,
  oldest: isTime,
  updated: isTime,
  name: isName,
  quantity: isQuantity,
  most: isQuantity,
}

/** Parses a cursor of this list. Throws INVALID_INPUT for one of another list, or an invalid one. */
export function decodeItemCursor(
  text: string | undefined,
  sort: InventorySort,
  isTrash: boolean,
): ItemCursor | null {
  if (text === undefined) return null
  const [list, id, key] = cursorParts(text)
  if (list !== listOf(sort, isTrash) || !isUuid(id) || !KEYS[sort](key)) throw refusedCursor()
  return { id, key: key as string | number }
}

/** Cuts rows, read with one more than requested, into a page with a cursor of this list. */
export function toItemPage<T extends ItemRow & { sort_key: string | number }>(
  rows: readonly T[],
  total: number,
  { limit, sort, isTrash }: { limit: number; sort: InventorySort; isTrash: boolean },
): Page<T, string> {
  const items = rows.slice(0, limit)
  const last = items.at(-1)
  const place = last && JSON.stringify([listOf(sort, isTrash), last.id, last.sort_key])
  const next = rows.length > limit && place ? Buffer.from(place).toString('base64url') : null
  return { items, next, total }
}
