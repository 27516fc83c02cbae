import type { Database } from '../../platform/database/database.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import { type Cursor, type Page, toPage } from '../../platform/http/paging.ts'
import { type ItemRow, findItem } from './inventory.queries.ts'
import { toItemPage } from './item-cursor.ts'
import { type ItemFilter, type ItemPage, countItems, listItems } from './item-list.queries.ts'
import { type MovementRow, countMovements, listMovements } from './movements.queries.ts'

export interface Inventory {
  /** A page of the items that match. */
  list(filter: ItemFilter, page: ItemPage): Promise<Page<ItemRow, string>>
  /** Throws ITEM_NOT_FOUND. */
  get(id: string): Promise<ItemRow>
  /** What moved of an item, newest first. Throws ITEM_NOT_FOUND. */
  listMovements(itemId: string, page: { cursor: Cursor | null; limit: number }): Promise<Page<MovementRow>>
}

export function createInventory({ database: { sql } }: { database: Database }): Inventory {
  const get = async (id: string): Promise<ItemRow> => {
    const row = await findItem(sql, id)
    if (!row) throw new AppError('ITEM_NOT_FOUND')
    return row
  }

  return {
    async list(filter, page) {
      const [rows, total] = await Promise.all([listItems(sql, filter, page), countItems(sql, filter)])
      const { limit, sort } = page
      return toItemPage(rows, total, { limit, sort, isBin: filter.inBinSince !== undefined })
    },

    get,

    async listMovements(itemId, page) {
      await get(itemId)
      const [rows, total] = await Promise.all([listMovements(sql, itemId, page), countMovements(sql, itemId)])
      return toPage(rows, page.limit, total)
    },
  }
}
