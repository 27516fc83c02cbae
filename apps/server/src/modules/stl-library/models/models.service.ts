import type { Database } from '../../../platform/database/database.ts'
import { AppError } from '../../../platform/errors/app-error.ts'
import { type ModelRow, findModel } from './models.queries.ts'

export interface Models {
  /** Throws MODEL_NOT_FOUND. */
  get(id: string): Promise<ModelRow>
}

/** What is in the library. */
export function createModels({ database }: { database: Database }): Models {
  return {
    async get(id) {
      const row = await findModel(database.sql, id)
      if (!row) throw new AppError('MODEL_NOT_FOUND')
      return row
    },
  }
}
