import type { Queryable } from '../../../platform/database/database.ts'
import type { Fragment } from '../../../platform/database/search-patterns.ts'
import { MAX_WORDS, type SearchTerm } from './search-terms.queries.ts'

/**
 * A column, or several columns, of a model `f` in which a word is searched. Two conditions can be checked:
 * the text contains a whole word, or it matches a pattern.
 */
interface Place {
  has(sql: Queryable, words: readonly string[]): Fragment
  says(sql: Queryable, pattern: string): Fragment
}

/**
 * Returns the SQL condition that a column contains any of these words. Each word is quoted, so that it cannot
 * act as an operator.
 */
function hasAny(sql: Queryable, column: Fragment, words: readonly string[]): Fragment {
  if (words.length === 0) return sql`false`
  const quoted = words.map((word) => `'${word.replace(/['\\]/g, '$&$&')}'`)
  return sql`${column} @@ ${quoted.join(' | ')}::text::tsquery`
}

const ANYWHERE: Place = {
  has: (sql, words) => hasAny(sql, sql`f.words`, words),
  says: (sql, pattern) => sql`f.search_text like ${pattern}`,
}

const IN_TITLE: Place = {
  has: (sql, words) => hasAny(sql, sql`f.title_words`, words),
  says: (sql, pattern) => sql`lower(f.title) like ${pattern}`,
}

function holds(sql: Queryable, { pattern, words, near }: SearchTerm, place: Place): Fragment {
  if (words.length <= MAX_WORDS) return place.has(sql, [...words, ...near])
  return near.length > 0
    ? sql`(${place.says(sql, pattern)} or ${place.has(sql, near)})`
    : place.says(sql, pattern)
}

const everyOf = (sql: Queryable, conditions: readonly Fragment[]): Fragment =>
  conditions.reduce((all, condition) => sql`${all} and ${condition}`)

function meets(sql: Queryable, term: SearchTerm, place: Place): Fragment {
  const whole = holds(sql, term, place)
  if (term.parts.length === 0) return whole
  const parts = everyOf(
    sql,
    term.parts.map((part) => holds(sql, part, place)),
  )
  return sql`(${whole} or (${parts}))`
}

/** Returns the SQL condition that a model `f` matches a term, possibly through a fuzzy match. */
export const saysTerm = (sql: Queryable, term: SearchTerm): Fragment => meets(sql, term, ANYWHERE)

/** Returns the SQL condition that the title of a model `f` matches a term, possibly through a fuzzy match. */
export const titleSaysTerm = (sql: Queryable, term: SearchTerm): Fragment => meets(sql, term, IN_TITLE)

/** Returns the SQL condition that the title contains exactly the typed word. */
export const titleHasWord = (sql: Queryable, { typed }: SearchTerm): Fragment => IN_TITLE.has(sql, [typed])

/** Returns the term as typed, without fuzzy matches. */
export const asTyped = (term: SearchTerm): SearchTerm => ({
  ...term,
  near: [],
  parts: term.parts.map(asTyped),
})

export const hasFuzzyTerms = (term: SearchTerm): boolean =>
  term.near.length > 0 || term.parts.some((part) => part.near.length > 0)
