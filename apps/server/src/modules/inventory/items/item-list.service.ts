import type { RequestOf } from '@pegasus/contracts/endpoint'
import type { exportInventory } from '@pegasus/contracts/inventory/csv'
import type { Database } from '../../../platform/database/database.ts'
import type { FoundRows } from '../../../platform/database/list-queries.ts'
import { orThrow } from '../../../platform/errors/app-error.ts'
import {
  COUNT_CAP,
  type FoundPage,
  type Page,
  toPage,
  type PageRequest,
} from '../../../platform/http/paging.ts'
import { findTolerantly } from '../../../platform/search/search-words.queries.ts'
import { trashCutoff } from '../../../platform/trash.ts'
import { type ItemRow, findItem } from './items.queries.ts'
import { toItemPage } from './item-cursor.ts'
import { type ItemFilter, type ItemPage, findFewItems, findItems, hasItems } from './item-list.queries.ts'
import { readListedItems } from './listed-items.queries.ts'
import { searchItemIds } from './item-search.queries.ts'
import { type MovementRow, countMovements, listMovements } from '../stock/movements.queries.ts'
import { type ReservationRow, listReservations } from '../stock/reservations.queries.ts'

export type ItemSearch = Omit<ItemFilter, 'words'> & { search?: string | undefined }

/**
 * Converts a query to a filter. The list of the trash leaves out items that were deleted more than 30 days ago. Their
 * rows stay in the database, because movements, orders and print jobs refer to them.
 */
export function itemSearchOf(query: RequestOf<typeof exportInventory>['query'], now: Date): ItemSearch {
  const { search, status, low_stock_only, location_id, stl_file_id, deleted } = query
  const material = query.material?.trim() || undefined
  const filter = { search, status, low_stock_only, location_id, material, stl_file_id }
  return deleted ? { ...filter, deleted: { after: trashCutoff(now) } } : filter
}

export interface Inventory {
  /** Returns a page of the matching items. */
  find(search: ItemSearch, page: ItemPage): Promise<FoundPage>
  /** Returns items as the list shows them: a JSON array in the order of `ids`. The caller signs the addresses in it. */
  read(ids: readonly string[]): Promise<string>
  /** Returns a live item. Throws ITEM_NOT_FOUND. */
  get(id: string): Promise<ItemRow>
  /** Returns the movements of an item, newest first. Throws ITEM_NOT_FOUND. */
  listMovements(itemId: string, page: PageRequest): Promise<Page<MovementRow>>
  /** Returns the reservations of an item. Throws ITEM_NOT_FOUND. */
  listReservations(itemId: string): Promise<ReservationRow[]>
}

/** Some of the matching items, and the total. */
type Found = FoundRows & { total: number }

export function createInventory({ database, currency }: { database: Database; currency: string }): Inventory {
  const { sql } = database
  const get = async (id: string) => orThrow(await findItem(sql, id), 'ITEM_NOT_FOUND')

  /**
   * Searches for the words, or for similar words if no item has them. If few items match, one query finds and counts
   * them. Otherwise, reads the list in its order until the page is full.
   */
  const search = ({ search: text, ...rest }: ItemSearch, page: ItemPage): Promise<Found> => {
    const { planned } = database
    return findTolerantly(planned, text, {
      find: async (words) => {
        const filter = { ...rest, words: await searchItemIds(planned, words) }
        const few = await findFewItems(planned, filter, page)
        return few.total <= COUNT_CAP ? few : findItems(planned, filter, page)
      },
      hasWords: async (words) =>
        hasItems(planned, { words: await searchItemIds(planned, words), deleted: rest.deleted }),
    })
  }

  return {
    async find(asked, page) {
      const hasWords = (asked.search ?? '').trim() !== ''
      const found = await (hasWords ? search(asked, page) : findItems(sql, { ...asked, words: [] }, page))
      return toItemPage(found, { sort: page.sort, isTrash: asked.deleted !== undefined })
    },

    read: (ids) => readListedItems(sql, ids, currency),

    get,

    async listMovements(itemId, page) {
      await get(itemId)
      const [rows, total] = await Promise.all([listMovements(sql, itemId, page), countMovements(sql, itemId)])
      return toPage(rows, page.limit, total)
    },

    async listReservations(itemId) {
      await get(itemId)
      return listReservations(sql, itemId)
    },
  }
}
