import type postgres from 'postgres'
import type { Queryable } from '../../../platform/database/database.ts'
import { patternsOf } from '../../../platform/database/search.ts'

/** More than these are not worth naming: what so many words contain is in so many models that a few texts show them. */
const MAX_WORDS = 300

/** One word of a search, as a pattern, and the words of the library that contain it. */
export interface SearchTerm {
  pattern: string
  words: string[]
}

/** What a search asks for, each word of it; to be handed to `saying`. */
export async function findTerms(sql: Queryable, search: string | undefined): Promise<SearchTerm[]> {
  const patterns = patternsOf(search)
  if (patterns.length === 0) return []
  return sql<SearchTerm[]>`
    select pattern, array(select word from stl_words where word like pattern limit ${MAX_WORDS + 1}) as words
    from unnest(${patterns}::text[]) as pattern`
}

/** `and` the condition that a model `f` has a word with each of these in it. */
export const saying = (sql: Queryable, terms: readonly SearchTerm[]): postgres.PendingQuery<postgres.Row[]> =>
  terms.reduce(
    (all, { pattern, words }) =>
      words.length > MAX_WORDS
        ? sql`${all} and f.search_text like ${pattern}`
        : sql`${all} and f.words && ${words}::text[]`,
    sql``,
  )
