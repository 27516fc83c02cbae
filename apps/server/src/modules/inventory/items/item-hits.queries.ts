import type { Queryable } from '../../../platform/database/database.ts'
import { type SearchWord, matchesWords } from '../../../platform/search/search-words.queries.ts'

export interface ItemHit {
  id: string
  name: string
  sku: string
  stl_file_id: string | null
}

/**
 * Finds items for the search over all modules: first the item with exactly this SKU, then the newest items
 * whose texts contain all words.
 */
export const findItemHits = (
  sql: Queryable,
  { search, words }: { search: string; words: readonly SearchWord[] },
  limit: number,
): Promise<ItemHit[]> =>
  sql<ItemHit[]>`
    select id, name, sku, stl_file_id from (
      (select i.id, i.name, i.sku, i.stl_file_id, i.created_at, true as is_exact from items i
       where i.deleted_at is null and upper(i.sku) = upper(${search}))
      union all
      (select i.id, i.name, i.sku, i.stl_file_id, i.created_at, false from items i
       where i.deleted_at is null and upper(i.sku) <> upper(${search})
         ${matchesWords(sql, words, (pattern) => sql`i.search_text like ${pattern}`)}
       order by i.created_at desc, i.id desc limit ${sql.literal(limit)})
    ) found order by is_exact desc, created_at desc, id desc limit ${sql.literal(limit)}`
