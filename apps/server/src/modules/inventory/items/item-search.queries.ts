import type { Queryable } from '../../../platform/database/database.ts'
import { type Fragment, likePattern, searchWords } from '../../../platform/database/search-patterns.ts'

/** A word in more locations than this is in so many items that every way to find them is short. */
const MAX_PLACES = 1000

/** Words of up to this many letters have an index of their own; longer ones use trigrams. */
const SHORT_LETTERS = 2

/**
 * If one item in fifty has the word, reading items is faster than that index; if one in five has it, faster than any
 * index.
 */
const FREQUENT_SHARE = 0.02
const COMMON_SHARE = 0.2

/** A word of a search, and the locations whose path contains it. */
export interface SoughtWord {
  word: string
  pattern: string
  /** Whether the word is so short and rare that the index of short words finds it. At most one word of a search. */
  isInShortIndex: boolean
  /** More than MAX_PLACES if they are not worth listing. */
  placeIds: string[]
}

/**
 * Looks up the possible meanings of each word. Locations are few, so those that match a word are found first, and
 * then their items by index. Most words match no location. The query planner must know this; otherwise it reads all
 * items for a rare word.
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

/** The rarest of the short words, if their index is the fastest way; null otherwise. */
async function findIndexed(sql: Queryable, words: readonly string[]): Promise<string | null> {
  const short = words.filter((word) => [...word].length <= SHORT_LETTERS)
  if (short.length === 0) return null
  const shares = await readShares(sql, short)
  const shareOf = (word: string) => shares.get(word) ?? 0
  const rarest = short.reduce((one, other) => (shareOf(other) < shareOf(one) ? other : one))
  // Two frequent words may occur together in few items.
  const together = short.reduce((share, word) => share * shareOf(word), 1)
  return together < FREQUENT_SHARE && shareOf(rarest) < COMMON_SHARE ? rarest : null
}

/** How many items contain each of these short words, as a share of all, from PostgreSQL's statistics. */
async function readShares(sql: Queryable, words: readonly string[]): Promise<Map<string, number>> {
  const rows = await sql<{ word: string; share: number }[]>`
    select noted.word, noted.share
    from pg_stats, unnest(most_common_elems::text::text[], most_common_elem_freqs) as noted (word, share)
    where tablename = 'items_short_words' and schemaname = current_schema() and noted.word = any(${[...words]}::text[])`
  return new Map(rows.map(({ word, share }) => [word, share]))
}

/** The way to search: find all of a few matches by index, or read the list in its order until the page is full. */
export type Way = 'index' | 'order'

/** The condition that an item `i` contains a word in its own texts or in the path of its location. */
export function hasWord(sql: Queryable, sought: SoughtWord, way: Way): Fragment {
  const { word, pattern, isInShortIndex, placeIds } = sought
  // Both conditions are equal for a short word: one has an index, the other is faster to check on a row.
  const isSaid =
    isInShortIndex && way === 'index'
      ? sql`short_words(i.search_text) @> array[${word}]`
      : sql`i.search_text like ${pattern}`
  if (placeIds.length === 0) return isSaid
  // Listed as values, the locations are estimated by their number of items and joined by hash; an array from a
  // subquery would not be.
  const isThere =
    placeIds.length > MAX_PLACES
      ? sql`i.location_id in (select id from locations where lower(path) like ${pattern})`
      : sql`i.location_id = any (${placeIds}::uuid[])`
  return sql`(${isSaid} or ${isThere})`
}
