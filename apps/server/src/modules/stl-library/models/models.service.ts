import type { Database } from '../../../platform/database/database.ts'
import { AppError } from '../../../platform/errors/app-error.ts'
import { type ModelRow, type PicturesRow, findModel, findPictures } from './models.queries.ts'

export interface Models {
  /** Throws MODEL_NOT_FOUND. */
  get(id: string): Promise<ModelRow>
  /** The pictures of the named version, otherwise of the current one. Throws MODEL_NOT_FOUND. */
  getPictures(id: string, pictureVersion: string | null): Promise<PicturesRow>
}

/** Reads models of the library. */
export function createModels({ database }: { database: Database }): Models {
  return {
    async get(id) {
      const row = await findModel(database.sql, id)
      if (!row) throw new AppError('MODEL_NOT_FOUND')
      return row
    },

    async getPictures(id, pictureVersion) {
      const row = await findPictures(database.sql, id, pictureVersion)
      if (!row) throw new AppError('MODEL_NOT_FOUND')
      return row
    },
  }
}
