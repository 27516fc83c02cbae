import type { Queryable } from '../../platform/database/database.ts'
import { type Fragment, patternsOf } from '../../platform/database/search.ts'

/** A word that is in more places than these is in so many items that any way to them is short. */
const MAX_PLACES = 1000

/** A word of a search, and the places whose path has it. */
export interface SoughtWord {
  pattern: string
  /** More than MAX_PLACES where they are not worth naming. */
  placeIds: string[]
}

/**
 * Looks up what each word of a search may mean. Places are few: those that a word names are found first and the items
 * in them by index. Most words name none, which whoever plans the search has to know, or it walks all items for a rare one.
 */
export async function findWords(sql: Queryable, search: string | undefined): Promise<SoughtWord[]> {
  const patterns = patternsOf(search)
  if (patterns.length === 0) return []
  const rows = await sql<{ pattern: string; place_ids: string[] }[]>`
    select pattern, array(select id from locations where lower(path) like pattern limit ${MAX_PLACES + 1}) as place_ids
    from unnest(${patterns}::text[]) as pattern`
  return rows.map((row) => ({ pattern: row.pattern, placeIds: row.place_ids }))
}

/** That an item `i` has a word in what it says of itself or in the path of its place. */
export function hasWord(sql: Queryable, { pattern, placeIds }: SoughtWord): Fragment {
  if (placeIds.length === 0) return sql`i.search_text like ${pattern}`
  // Named, they are judged by how many items each holds and looked up by hash; a subquery's array would be neither.
  const isThere =
    placeIds.length > MAX_PLACES
      ? sql`i.location_id in (select id from locations where lower(path) like ${pattern})`
      : sql`i.location_id = any (${placeIds}::uuid[])`
  return sql`(i.search_text like ${pattern} or ${isThere})`
}
