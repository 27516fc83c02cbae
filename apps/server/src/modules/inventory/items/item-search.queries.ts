import type { Queryable } from '../../../platform/database/database.ts'
import { type Fragment, likePattern, searchWords } from '../../../platform/database/search-patterns.ts'

/**
 * Maximum number of locations that are listed for a word. A word that matches more locations occurs in so
 * many items that every search for them is fast.
 */
const MAX_PLACES = 1000

/** Words with up to this many letters have their own index. Longer words use trigrams. */
const SHORT_LETTERS = 2

/**
 * Shares of items that contain a word. From `FREQUENT_SHARE` on, reading the items in their order is faster
 * than the index of short words. From `COMMON_SHARE` on, it is faster than any index.
 */
const FREQUENT_SHARE = 0.02
const COMMON_SHARE = 0.2

/** A word of a search, and the locations whose path contains it. */
export interface SoughtWord {
  word: string
  pattern: string
  /**
   * Whether the index of short words finds this word, because it is short and rare. True for at most one word of a
   * search.
   */
  isInShortIndex: boolean
  /** The ids of these locations. The list has more than MAX_PLACES entries if there are too many to list. */
  placeIds: string[]
}

/**
 * Looks up the locations whose path contains each word. There are few locations, so the matching ones are found first,
 * and then their items by index. Most words match no location. If the query planner could not see that, it would read
 * all items for a rare word.
 */
export async function searchItemIds(sql: Queryable, search: string | undefined): Promise<SoughtWord[]> {
  const words = searchWords(search)
  if (words.length === 0) return []
  const indexed = await findIndexed(sql, words)
  const rows = await sql<{ word: string; pattern: string; place_ids: string[] }[]>`
    select word, pattern,
           array(select id from locations where lower(path) like pattern limit ${MAX_PLACES + 1}) as place_ids
    from unnest(${words}::text[], ${words.map(likePattern)}::text[]) as asked (word, pattern)`
  return rows.map(({ word, pattern, place_ids: placeIds }) => ({
    word,
    pattern,
    isInShortIndex: word === indexed,
    placeIds,
  }))
}

/** Returns the rarest of the short words if their index is the fastest way to search, otherwise null. */
async function findIndexed(sql: Queryable, words: readonly string[]): Promise<string | null> {
  const short = words.filter((word) => [...word].length <= SHORT_LETTERS)
  if (short.length === 0) return null
  const shares = await readShares(sql, short)
  const shareOf = (word: string) => shares.get(word) ?? 0
  const rarest = short.reduce((one, other) => (shareOf(other) < shareOf(one) ? other : one))
  // Two frequent words may still occur together in only a few items.
  const together = short.reduce((share, word) => share * shareOf(word), 1)
  return together < FREQUENT_SHARE && shareOf(rarest) < COMMON_SHARE ? rarest : null
}

/** Returns the share of items that contain each of these short words, from PostgreSQL's statistics. */
async function readShares(sql: Queryable, words: readonly string[]): Promise<Map<string, number>> {
  const rows = await sql<{ word: string; share: number }[]>`
    select noted.word, noted.share
    from pg_stats, unnest(most_common_elems::text::text[], most_common_elem_freqs) as noted (word, share)
    where tablename = 'items_short_words' and schemaname = current_schema() and noted.word = any(${[...words]}::text[])`
  return new Map(rows.map(({ word, share }) => [word, share]))
}

/**
 * How to search. `index` finds all of the few matches through an index. `order` reads the list in its order
 * until the page is full.
 */
export type Way = 'index' | 'order'

/**
 * Returns the SQL condition that an item `i` contains a word in its own texts or in the path of its location.
 */
export function hasWord(sql: Queryable, sought: SoughtWord, way: Way): Fragment {
  const { word, pattern, isInShortIndex, placeIds } = sought
  // For a short word, both conditions mean the same. The first has an index; the second is faster to check on
  // a single row.
  const isSaid =
    isInShortIndex && way === 'index'
      ? sql`short_words(i.search_text) @> array[${word}]`
      : sql`i.search_text like ${pattern}`
  if (placeIds.length === 0) return isSaid
  // For a list of location ids, the planner estimates how many items are in these locations, and joins by hash. It does
  // neither for a subquery.
  const isThere =
    placeIds.length > MAX_PLACES
      ? sql`i.location_id in (select id from locations where lower(path) like ${pattern})`
      : sql`i.location_id = any (${placeIds}::uuid[])`
  return sql`(${isSaid} or ${isThere})`
}
