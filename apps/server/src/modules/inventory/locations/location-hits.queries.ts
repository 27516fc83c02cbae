import type { Queryable } from '../../../platform/database/database.ts'
import { type SearchWord, matchesWords } from '../../../platform/search/search-words.queries.ts'

/** Finds locations for the search over all modules, by their path. */
export const findLocationHits = (
  sql: Queryable,
  words: readonly SearchWord[],
  limit: number,
): Promise<{ id: string; path: string; label_code: string }[]> =>
  sql<{ id: string; path: string; label_code: string }[]>`
    select l.id, l.path, l.label_code from locations l
    where l.deleted_at is null
      ${matchesWords(sql, words, (pattern) => sql`(lower(l.path) like ${pattern} or lower(l.label_code) like ${pattern})`)}
    order by length(l.path), lower(l.path), l.id limit ${sql.literal(limit)}`
