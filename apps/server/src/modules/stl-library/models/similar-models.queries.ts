import type { Queryable } from '../../../platform/database/database.ts'
import { type ModelRow, selectModel } from './models.queries.ts'

const MAX_SIMILAR = 50

export interface SimilarModel extends ModelRow {
  reason: 'same_bytes' | 'same_shape'
}

/** Lists other live models with the same bytes or the same shape, oldest first in each group. */
export const listSimilar = (sql: Queryable, modelId: string): Promise<SimilarModel[]> =>
  sql<SimilarModel[]>`
    with own as (
      select v.sha256, v.shape_hash from stl_files f join stl_versions v on v.id = f.current_version_id
      where f.id = ${modelId}
    ), twins as (
      select v.id, 'same_bytes' as reason from stl_versions v join own on own.sha256 = v.sha256
      union all
      select v.id, 'same_shape' from stl_versions v join own on own.shape_hash = v.shape_hash
      where own.sha256 <> v.sha256
    )
    ${selectModel(sql, sql`twins.reason`)}
    join twins on twins.id = f.current_version_id
    where f.id <> ${modelId} and f.deleted_at is null
    order by twins.reason, f.created_at, f.id
    limit ${MAX_SIMILAR}`
