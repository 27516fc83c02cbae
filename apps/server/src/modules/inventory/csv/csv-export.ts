import { Readable } from 'node:stream'
import type { InventorySort } from '@pegasus/contracts/inventory/items'
import type { Database } from '../../../platform/database/database.ts'
import { createExportQueue } from '../../../platform/workers/export-queue.ts'
import { type Presentation, presentItem } from '../items/items.present.ts'
import { type ItemRow, selectItem } from '../items/items.queries.ts'
import type { ItemSearch } from '../items/item-list.service.ts'
import { hasItems, listItemIds } from '../items/item-list.queries.ts'
import { findTolerantly } from '../../../platform/search/search-words.queries.ts'
import { searchItemIds } from '../items/item-search.queries.ts'
import { itemCsvHeader, itemCsvLine } from './item-cells.ts'

const PAGE_SIZE = 500

export interface CsvExport {
  /** Returns the matching items as CSV. Throws UNAVAILABLE if too many exports are waiting. */
  open(search: ItemSearch, sort: InventorySort): Promise<Readable>
}

/**
 * Creates the CSV export. It reads all ids at once, so that no item is missing or repeated if others change the list in
 * the meantime. It then reads the items page by page, so that a slow client does not occupy a database connection.
 */
export function createCsvExport(deps: Presentation & { database: Database }): CsvExport {
  const { sql } = deps.database
  const inTurn = createExportQueue()

  const readPage = async (ids: readonly string[]): Promise<string> => {
    const rows = await inTurn(
      async () =>
        await sql<ItemRow[]>`
        ${selectItem(sql)}
        join unnest(${[...ids]}::uuid[]) with ordinality as asked (id, place) on asked.id = i.id
        order by asked.place`,
    )
    return rows.map((row) => itemCsvLine(presentItem(row, deps))).join('')
  }

  async function* linesOf(ids: readonly string[]): AsyncGenerator<string> {
    yield itemCsvHeader()
    for (let at = 0; at < ids.length; at += PAGE_SIZE) yield readPage(ids.slice(at, at + PAGE_SIZE))
  }

  return {
    open: async ({ search, ...rest }, sort) => {
      const { ids } = await inTurn(() =>
        findTolerantly(sql, search, {
          find: async (words) => {
            const found = await listItemIds(sql, { ...rest, words: await searchItemIds(sql, words) }, sort)
            return { ids: found, total: found.length }
          },
          hasWords: async (words) =>
            hasItems(sql, { words: await searchItemIds(sql, words), deleted: rest.deleted }),
        }),
      )
      return Readable.from(linesOf(ids))
    },
  }
}
