import type { Queryable } from '../../../platform/database/database.ts'
import { type Fragment, likePattern } from '../../../platform/database/search-patterns.ts'
import { type SearchWord, matchesWord } from '../../../platform/search/search-words.queries.ts'

/**
 * Maximum number of locations that are listed for a word. A word in even more location paths occurs in so many items
 * that the search is fast without a list.
 */
const MAX_PLACES = 1000

/** Words with up to this many letters have their own index. Longer words use trigrams. */
const SHORT_LETTERS = 2

/**
 * Shares of items that contain a word. From `FREQUENT_SHARE` on, reading the items in the order of the list is faster
 * than the index of short words. From `COMMON_SHARE` on, it is faster than any index.
 */
const FREQUENT_SHARE = 0.02
const COMMON_SHARE = 0.2

/** A word of a search, and the locations whose path contains it. */
export interface SoughtWord {
  word: string
  patterns: readonly string[]
  /**
   * Whether the index of short words finds this word, because it is short and rare. True for at most one word of a
   * search.
   */
  isInShortIndex: boolean
  /**
   * The ids of the locations whose path contains the word. If there are too many to list, it has more than MAX_PLACES
   * entries.
   */
  placeIds: string[]
}

/**
 * Finds the locations whose path contains each word. There are few locations, so they are found first, and then their
 * items by an index. Most words occur in no location. PostgreSQL knows that only if the list of locations is given:
 * otherwise, it would read all items for a rare word.
 */
export async function searchItemIds(sql: Queryable, searched: readonly SearchWord[]): Promise<SoughtWord[]> {
  if (searched.length === 0) return []
  const indexed = await findIndexed(
    sql,
    searched.map(({ typed }) => typed),
  )
  const patterns = searched.flatMap((word) => word.patterns.map((pattern) => ({ pattern, word: word.typed })))
  const rows = await sql<{ word: string; place_ids: string[] }[]>`
    select word, array(
      select id from locations where lower(path) like any(asked.patterns) limit ${MAX_PLACES + 1}
    ) as place_ids
    from (
      select word, array_agg(pattern) as patterns
      from unnest(${patterns.map(({ word }) => word)}::text[], ${patterns.map(({ pattern }) => pattern)}::text[])
           as each (word, pattern)
      group by word
    ) asked`
  const placesOf = new Map(rows.map((row) => [row.word, row.place_ids]))
  return searched.map(({ typed: word, patterns: ofWord }) => ({
    word,
    patterns: ofWord,
    isInShortIndex: word === indexed,
    placeIds: placesOf.get(word) ?? [],
  }))
}

/** Returns the rarest of the short words if their index is the fastest way to search. Returns null otherwise. */
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
 * The way to search: `index` finds the few matches through an index; `order` reads the list in its order until the page
 * is full.
 */
export type Way = 'index' | 'order'

/**
 * Returns the SQL condition that an item `i` contains a word in its own texts or in the path of its location.
 */
export function hasWord(sql: Queryable, sought: SoughtWord, way: Way): Fragment {
  const { word, patterns, isInShortIndex, placeIds } = sought
  // For a short word, both conditions are true for the same items. The first can use an index; the second is faster to
  // check on a single row.
  const hasPattern = (pattern: string) =>
    isInShortIndex && way === 'index' && pattern === likePattern(word)
      ? sql`short_words(i.search_text) @> array[${word}]`
      : sql`i.search_text like ${pattern}`
  const isSaid = matchesWord(sql, patterns, hasPattern)
  if (placeIds.length === 0) return isSaid
  // With a list of location ids, PostgreSQL can estimate the number of items in these locations and use a hash join.
  // With a subquery, it does neither.
  const isThere =
    placeIds.length > MAX_PLACES
      ? sql`i.location_id in (select id from locations where lower(path) like any(${[...patterns]}::text[]))`
      : sql`i.location_id = any (${placeIds}::uuid[])`
  return sql`(${isSaid} or ${isThere})`
}
