import type { SpoolSort } from '@pegasus/contracts/filament/spools'
import type { FilamentForecast, FilamentStock } from '@pegasus/contracts/filament/stock'
import type { Database } from '../../../platform/database/database.ts'
import { orThrow } from '../../../platform/errors/app-error.ts'
import type { Page } from '../../../platform/http/paging.ts'
import { findTolerantly } from '../../../platform/search/search-words.queries.ts'
import { readForecast, readStock } from '../stock/filament-stock.queries.ts'
import {
  type SpoolFilter,
  type SpoolRow,
  countSpools,
  findSpool,
  hasSpools,
  listMaterials,
  listSpools,
} from './spool-list.queries.ts'
import { decodeSpoolCursor, encodeSpoolCursor, spoolListOf } from './spool-sorts.ts'

/** A filter for spools, with the typed search instead of its words. */
export type SpoolSearch = Omit<SpoolFilter, 'words'> & { search?: string | undefined }

export interface Filament {
  /**
   * Lists spools in the requested order. If no spool has the words of the search, lists the spools with similar words.
   * Throws INVALID_INPUT for a cursor of another order.
   */
  list(
    filter: SpoolSearch,
    page: { sort: SpoolSort; cursor: string | undefined; limit: number },
  ): Promise<Page<SpoolRow, string>>
  /** Returns a spool. Throws SPOOL_NOT_FOUND. */
  get(id: string): Promise<SpoolRow>
  /** Lists the materials of all spools, in alphabetical order. */
  listMaterials(): Promise<string[]>
  /** Returns the remaining filament of each material and color, low stock first. */
  readStock(): Promise<FilamentStock[]>
  /**
   * Returns how far into the queue the filament of each material and color lasts. The filament that runs out first
   * comes first.
   */
  readForecast(): Promise<FilamentForecast[]>
}

export function createFilament({ database: { sql } }: { database: Database }): Filament {
  return {
    async list({ search, ...rest }, { sort, cursor, limit }) {
      const list = spoolListOf(sort, rest.inTrashSince !== undefined)
      const place = decodeSpoolCursor(list, cursor)
      const { rows, total } = await findTolerantly(sql, search, {
        find: async (words) => {
          const filter = { ...rest, words }
          const [found, count] = await Promise.all([
            listSpools(sql, filter, { list, cursor: place, limit }),
            countSpools(sql, filter),
          ])
          return { rows: found, total: count }
        },
        hasWords: (words) => hasSpools(sql, { words, inTrashSince: rest.inTrashSince }),
      })
      const items = rows.slice(0, limit)
      const last = rows.length > limit ? items.at(-1) : undefined
      const next =
        last && encodeSpoolCursor(list, { key: last.sort_key, createdAt: last.created_at, id: last.id })
      return { items, next: next ?? null, total }
    },

    get: async (id) => orThrow(await findSpool(sql, id), 'SPOOL_NOT_FOUND'),

    listMaterials: () => listMaterials(sql),
    readStock: () => readStock(sql),
    readForecast: () => readForecast(sql),
  }
}
