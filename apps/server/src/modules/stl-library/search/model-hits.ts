import type { Database } from '../../../platform/database/database.ts'
import { idsIn } from '../../../platform/database/list-queries.ts'
import type { PathSigner } from '../../../platform/http/signed-path.ts'
import { picturePathOf } from '../models/models.present.ts'
import { createSearch } from './search.service.ts'

export interface ModelHit {
  id: string
  title: string
  picture_path: string | null
}

/**
 * Finds the best matching models for the search over all modules. A mistyped word finds models with similar
 * words.
 */
export function createFindModelHits(deps: {
  database: Database
  signer: PathSigner
}): (search: string, limit: number) => Promise<ModelHit[]> {
  const { database, signer } = deps
  const finding = createSearch({ database })
  return async (search, limit) => {
    const { stamps } = await finding.find({ search, tags: [] }, { sort: 'relevance', cursor: null, limit })
    const ids = idsIn(stamps)
    if (ids.length === 0) return []
    const rows = await database.sql<{ id: string; title: string; picture: string | null }[]>`
      select f.id, f.title, case when v.thumbnail_key is not null then left(v.sha256, 12) end as picture
      from unnest(${ids}::uuid[]) with ordinality page (id, place)
      join stl_files f on f.id = page.id
      join stl_versions v on v.id = f.current_version_id
      order by page.place`
    return rows.map(({ id, title, picture }) => ({
      id,
      title,
      picture_path: picture && picturePathOf(signer, { modelId: id, pictureVersion: picture }),
    }))
  }
}
