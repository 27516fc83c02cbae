import type { Queryable } from '../../../platform/database/database.ts'
import { matchesEveryWord } from '../../../platform/database/search-patterns.ts'

/** Finds locations for the search over all modules, by their path. */
export const findLocationHits = (
  sql: Queryable,
  search: string,
  limit: number,
): Promise<{ id: string; path: string; label_code: string }[]> =>
  sql<{ id: string; path: string; label_code: string }[]>`
    select l.id, l.path, l.label_code from locations l
    where l.deleted_at is null
      ${matchesEveryWord(sql, search, (pattern) => sql`(lower(l.path) like ${pattern} or lower(l.label_code) like ${pattern})`)}
    order by length(l.path), lower(l.path), l.id limit ${sql.literal(limit)}`
