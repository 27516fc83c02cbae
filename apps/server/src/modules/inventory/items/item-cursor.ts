import type { InventorySort } from '@pegasus/contracts/inventory/items'
import type { FoundRows } from '../../../platform/database/list-queries.ts'
import {
  type FoundPage,
  cursorParts,
  isTimestamp,
  isUuid,
  refusedCursor,
} from '../../../platform/http/paging.ts'

/**
 * A list of items: its sort order, and whether it lists the trash. A cursor is valid only in the list that it comes
 * from.
 */
type ItemList = InventorySort | `trash-${InventorySort}`

const listOf = (sort: InventorySort, isTrash: boolean): ItemList => (isTrash ? `trash-${sort}` : sort)

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

/** Parses a cursor of this list. Throws INVALID_INPUT if the cursor is invalid or belongs to another list. */
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

/** Returns the page, with the cursor of the next page. */
export function toItemPage(
  { stamps, next: last, total }: FoundRows & { total: number },
  { sort, isTrash }: { sort: InventorySort; isTrash: boolean },
): FoundPage {
  const place = last && JSON.stringify([listOf(sort, isTrash), ...last])
  return { stamps, next: place && Buffer.from(place).toString('base64url'), total }
}
