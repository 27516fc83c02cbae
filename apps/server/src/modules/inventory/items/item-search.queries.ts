import type { Queryable } from '../../../platform/database/database.ts'
import { type Fragment, likePattern, searchWords } from '../../../platform/database/search-patterns.ts'

/** A word that is in more places than these is in so many items that any way to them is short. */
const MAX_PLACES = 1000

/** Words of so many letters have an index of their own; trigrams have the longer ones. */
const SHORT_LETTERS = 2

/** What one item in fifty has is found sooner by reading items than by that index, and what one in five has, by any. */
const FREQUENT_SHARE = 0.02
const COMMON_SHARE = 0.2

/** A word of a search, and the places whose path has it. */
export interface SoughtWord {
  word: string
  pattern: string
  /** Whether it is so short and so rare that the index of short words finds it; one of a search at most. */
  isInShortIndex: boolean
  /** More than MAX_PLACES where they are not worth naming. */
  placeIds: string[]
}

/**
 * Looks up what each word of a search may mean. Places are few: those that a word names are found first and the items
 * in them by index. Most words name none, which whoever plans the search has to know, or it walks all items for a rare one.
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

/** The rarest of the short words, where the index of those is the way to it; null where there is a shorter one. */
async function findIndexed(sql: Queryable, words: readonly string[]): Promise<string | null> {
  const short = words.filter((word) => [...word].length <= SHORT_LETTERS)
  if (short.length === 0) return null
  const shares = await readShares(sql, short)
  const shareOf = (word: string) => shares.get(word) ?? 0
  const rarest = short.reduce((one, other) => (shareOf(other) < shareOf(one) ? other : one))
  // Two that many items have are in few of them together.
  const together = short.reduce((share, word) => share * shareOf(word), 1)
  return together < FREQUENT_SHARE && shareOf(rarest) < COMMON_SHARE ? rarest : null
}

/** How many items have each of these short words, as a share of all, as far as PostgreSQL has noted that. */
async function readShares(sql: Queryable, words: readonly string[]): Promise<Map<string, number>> {
  const rows = await sql<{ word: string; share: number }[]>`
    select noted.word, noted.share
    from pg_stats, unnest(most_common_elems::text::text[], most_common_elem_freqs) as noted (word, share)
    where tablename = 'items_short_words' and schemaname = current_schema() and noted.word = any(${[...words]}::text[])`
  return new Map(rows.map(({ word, share }) => [word, share]))
}

/** How items are looked for: all of few by indexes, or in the order of their list until a page is full. */
export type Way = 'index' | 'order'

/** That an item `i` has a word in what it says of itself or in the path of its place. */
export function hasWord(sql: Queryable, sought: SoughtWord, way: Way): Fragment {
  const { word, pattern, isInShortIndex, placeIds } = sought
  // Both say the same of a short word: one has an index, the other is quicker to ask of a row.
  const isSaid =
    isInShortIndex && way === 'index'
      ? sql`short_words(i.search_text) @> array[${word}]`
      : sql`i.search_text like ${pattern}`
  if (placeIds.length === 0) return isSaid
  // Named, they are judged by how many items each holds and looked up by hash; a subquery's array would be neither.
  const isThere =
    placeIds.length > MAX_PLACES
      ? sql`i.location_id in (select id from locations where lower(path) like ${pattern})`
      : sql`i.location_id = any (${placeIds}::uuid[])`
  return sql`(${isSaid} or ${isThere})`
}
