import type { ModelUses } from '@pegasus/contracts/stl-library/model-changes'
import type { Database } from '../../../platform/database/database.ts'
import { AppError } from '../../../platform/errors/app-error.ts'
import { findModel } from './models.queries.ts'
import { readUses } from './model-uses.queries.ts'
import { type SimilarModel, listSimilar } from './similar-models.queries.ts'

/** Reads where a model is used, and which models may be duplicates of it. */
export interface Uses {
  /** Returns where a model is used. Throws MODEL_NOT_FOUND. */
  of(modelId: string): Promise<ModelUses>
  /** Returns the models with the same bytes, then the models with the same shape. Throws MODEL_NOT_FOUND. */
  similarTo(modelId: string): Promise<SimilarModel[]>
}

export function createUses({ database: { sql } }: { database: Database }): Uses {
  const assertThere = async (modelId: string): Promise<void> => {
    if (!(await findModel(sql, modelId))) throw new AppError('MODEL_NOT_FOUND')
  }
  return {
    async of(modelId) {
      await assertThere(modelId)
      return readUses(sql, modelId)
    },
    async similarTo(modelId) {
      await assertThere(modelId)
      return listSimilar(sql, modelId)
    },
  }
}
