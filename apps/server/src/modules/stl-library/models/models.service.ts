import type { Database } from '../../../platform/database/database.ts'
import { AppError } from '../../../platform/errors/app-error.ts'
import { type Cursor, type Page, toPage } from '../../../platform/http/paging.ts'
import { findTerms } from '../finding/search-terms.queries.ts'
import { type ModelFilter, type ModelRow, countModels, findModel, listModels } from './models.queries.ts'

type ModelSearch = Omit<ModelFilter, 'terms'> & { search?: string | undefined }

export interface Models {
  list(filter: ModelSearch, page: { cursor: Cursor | null; limit: number }): Promise<Page<ModelRow>>
  /** Throws MODEL_NOT_FOUND. */
  get(id: string): Promise<ModelRow>
}

/** What is in the library. */
export function createModels({ database }: { database: Database }): Models {
  return {
    async list({ search, ...rest }, page) {
      const filter = { ...rest, terms: await findTerms(database.sql, search) }
      const [rows, total] = await Promise.all([
        listModels(database.sql, filter, page),
        countModels(database.sql, filter),
      ])
      return toPage(rows, page.limit, total)
    },

    async get(id) {
      const row = await findModel(database.sql, id)
      if (!row) throw new AppError('MODEL_NOT_FOUND')
      return row
    },
  }
}
