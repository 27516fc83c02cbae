import type { Database } from '../../../platform/database/database.ts'
import { orThrow } from '../../../platform/errors/app-error.ts'
import { type ModelRow, type PicturesRow, findModel, findPictures } from './models.queries.ts'

export interface Models {
  /** Returns a live model. Throws MODEL_NOT_FOUND. */
  get(id: string): Promise<ModelRow>
  /** Returns the pictures of the named version, or of the current one. Throws MODEL_NOT_FOUND. */
  getPictures(id: string, pictureVersion: string | null): Promise<PicturesRow>
}

/** Reads models of the library. */
export function createModels({ database }: { database: Database }): Models {
  return {
    get: async (id) => orThrow(await findModel(database.sql, id), 'MODEL_NOT_FOUND'),

    getPictures: async (id, pictureVersion) =>
      orThrow(await findPictures(database.sql, id, pictureVersion), 'MODEL_NOT_FOUND'),
  }
}
