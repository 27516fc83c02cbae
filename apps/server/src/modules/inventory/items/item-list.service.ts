import type { RequestOf } from '@pegasus/contracts/endpoint'
import type { exportInventory } from '@pegasus/contracts/inventory/csv'
import type { Database } from '../../../platform/database/database.ts'
import { forceCustomPlan } from '../../../platform/database/custom-plan.ts'
import { AppError } from '../../../platform/errors/app-error.ts'
import { COUNT_CAP, type Page, toPage, type PageRequest } from '../../../platform/http/paging.ts'
import { trashCutoff } from '../../../platform/trash.ts'
import { type ItemRow, findItem } from './items.queries.ts'
import { toItemPage } from './item-cursor.ts'
import {
  type ItemFilter,
  type ItemPage,
  type ListedItem,
  countItems,
  listFewItems,
  listItems,
} from './item-list.queries.ts'
import { searchItemIds } from './item-search.queries.ts'
import { type MovementRow, countMovements, listMovements } from '../stock/movements.queries.ts'
import { type ReservationRow, listReservations } from '../stock/reservations.queries.ts'

export type ItemSearch = Omit<ItemFilter, 'words'> & { search?: string | undefined }

/**
 * The filter that a query asks for. Items deleted before the trash cutoff are never listed, but their rows stay, because
 * movements, orders and print jobs refer to them.
 */
export function itemSearchOf(query: RequestOf<typeof exportInventory>['query'], now: Date): ItemSearch {
  const { search, status, low_stock_only, location_id, stl_file_id, deleted } = query
  const material = query.material?.trim() || undefined
  const filter = { search, status, low_stock_only, location_id, material, stl_file_id }
  return deleted ? { ...filter, deleted: { after: trashCutoff(now) } } : filter
}

export interface Inventory {
  /** A page of the matching items. */
  list(search: ItemSearch, page: ItemPage): Promise<Page<ItemRow, string>>
  /** Throws ITEM_NOT_FOUND. */
  get(id: string): Promise<ItemRow>
  /** The movements of an item, newest first. Throws ITEM_NOT_FOUND. */
  listMovements(itemId: string, page: PageRequest): Promise<Page<MovementRow>>
  /** Throws ITEM_NOT_FOUND. */
  listReservations(itemId: string): Promise<ReservationRow[]>
}

/** Some of the matching items, and their number. */
interface Found {
  rows: ListedItem[]
  total: number
}

export function createInventory({ database }: { database: Database }): Inventory {
  const { sql } = database
  const get = async (id: string): Promise<ItemRow> => {
    const row = await findItem(sql, id)
    if (!row) throw new AppError('ITEM_NOT_FOUND')
    return row
  }

  const read = async (filter: ItemFilter, page: ItemPage): Promise<Found> => {
    const [rows, total] = await Promise.all([listItems(sql, filter, page), countItems(sql, filter)])
    return { rows, total }
  }

  /** The frequency of the words decides how to search. Counting a few matches first is cheaper than listing many. */
  const search = ({ search: text, ...rest }: ItemSearch, page: ItemPage): Promise<Found> =>
    database.transaction(async (tx) => {
      await forceCustomPlan(tx)
      const filter = { ...rest, words: await searchItemIds(tx, text) }
      const few = await listFewItems(tx, filter, page)
      return few.total <= COUNT_CAP ? few : { ...few, rows: await listItems(tx, filter, page) }
    })

  return {
    async list(asked, page) {
      const hasWords = (asked.search ?? '').trim() !== ''
      const { rows, total } = await (hasWords ? search(asked, page) : read({ ...asked, words: [] }, page))
      const { limit, sort } = page
      return toItemPage(rows, total, { limit, sort, isTrash: asked.deleted !== undefined })
    },

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
