import type { Row } from '../../../platform/database/column-types.ts'
import type { Queryable } from '../../../platform/database/database.ts'
import { type SearchWord, matchesWords } from '../../../platform/search/search-words.queries.ts'

type ProductHit = Row<'products', 'id' | 'name' | 'slug'>

/** Finds products for the search over all modules, newest first. */
export const findProductHits = (
  sql: Queryable,
  words: readonly SearchWord[],
  limit: number,
): Promise<ProductHit[]> =>
  sql<ProductHit[]>`
    select p.id, p.name, p.slug from products p
    where p.deleted_at is null
      ${matchesWords(sql, words, (pattern) => sql`p.search_text like ${pattern}`)}
    order by p.created_at desc, p.id desc limit ${sql.literal(limit)}`
