import {
  allowedTypos,
  foldText,
  typoPatterns,
  typosBetween,
  withoutTypos,
} from '@pegasus/contracts/texts/fuzzy'
import type { Queryable } from '../database/database.ts'
import { type Fragment, likePattern, searchWords } from '../database/search-patterns.ts'

/** A word of a search, and the LIKE patterns that find it. A text that matches one of the patterns has the word. */
export interface SearchWord {
  /** The word as it was typed, in lower case. */
  typed: string
  patterns: readonly string[]
}

/** Words with fewer letters find an accented word only if it is the whole word. Words of one letter find none. */
const PART_LETTERS = 3
/** Maximum number of accented words for a typed word. */
const MAX_ACCENTED = 20
/** Number of similar words that are compared exactly with a mistyped word. */
const MAX_LOOKALIKES = 200
/** Maximum number of corrections for a search, and the number that each of its words may have in any case. */
const MAX_SIMILAR = 10
const LEAST_SIMILAR = 3

/** Matches words whose trigrams work in a database with character type C, such as our embedded one. */
const ASCII_WORD = /^[\x20-\x7e]*$/

/**
 * Returns the words of a search. A word without accents finds the accented words too, and the other way round:
 * `nguyen` finds `Nguyễn`.
 */
export async function findSearchWords(sql: Queryable, search: string | undefined): Promise<SearchWord[]> {
  const words = [...new Set(searchWords(search))].map((typed) => ({ typed, folded: foldText(typed) }))
  const asked = words.filter(({ folded }) => folded.length > 1)
  const accented = asked.length === 0 ? [] : await findAccented(sql, asked)
  return words.map(({ typed, folded }) => {
    const isPart = folded.length >= PART_LETTERS
    const others = accented.flatMap((row) => (row.typed === typed ? [likePattern(row.word)] : []))
    return {
      typed,
      patterns: [...new Set([likePattern(typed), ...(isPart ? [likePattern(folded)] : []), ...others])],
    }
  })
}

/** Lists the accented words that contain a typed word, shortest first. */
const findAccented = (sql: Queryable, words: readonly { typed: string; folded: string }[]) =>
  sql<{ typed: string; word: string }[]>`
    select asked.typed, w.word
    from unnest(
      ${words.map(({ typed }) => typed)}::text[],
      ${words.map(({ folded }) => (folded.length < PART_LETTERS ? folded : likePattern(folded)))}::text[]
    ) as asked (typed, pattern)
    cross join lateral (
      select word from search_words
      where folded like asked.pattern and word <> folded
      order by length(word), word limit ${sql.literal(MAX_ACCENTED)}
    ) w`

/**
 * Returns the same words, each with the words of which it may be a misspelling, for a search that found nothing.
 * Returns null if no word is similar.
 */
export async function withSimilarWords(
  sql: Queryable,
  words: readonly SearchWord[],
): Promise<SearchWord[] | null> {
  const folded = [...new Set(words.map(({ typed }) => foldText(typed)))].filter(
    (word) => allowedTypos(word) > 0,
  )
  if (folded.length === 0) return null
  const similar = await findSimilar(sql, folded)
  if (similar.length === 0) return null
  const most = Math.max(LEAST_SIMILAR, Math.floor(MAX_SIMILAR / words.length))
  return words.map(({ typed, patterns }) => {
    const own = similar.filter((row) => row.typed === foldText(typed)).slice(0, most)
    return { typed, patterns: [...patterns, ...own.map(({ word }) => likePattern(word))] }
  })
}

/** Lists the words that differ from a typed word by few typing errors. The fewest errors come first. */
async function findSimilar(sql: Queryable, typed: readonly string[]) {
  const guesses = typed.flatMap((word) => withoutTypos(word).map((guess) => ({ word, guess })))
  const beyondAscii = typed.filter((word) => !ASCII_WORD.test(word))
  const rows = await sql<{ typed: string; word: string; folded: string }[]>`
    select typed, w.word, w.folded
    from unnest(${typed}::text[]) as typed, similar_search_words(typed, ${MAX_LOOKALIKES}) as w
    union
    select g.typed, w.word, w.folded
    from unnest(${guesses.map(({ word }) => word)}::text[], ${guesses.map(({ guess }) => guess)}::text[])
         as g (typed, guess)
    join search_words w on w.folded = g.guess
    union
    select t.typed, w.word, w.folded
    from unnest(${beyondAscii}::text[]) as t (typed)
    join search_words w on left(w.folded, 1) = left(t.typed, 1)
      and length(w.folded) between length(t.typed) and length(t.typed) + 1
    where octet_length(w.folded) > length(w.folded) and w.folded like any(${beyondAscii.flatMap(typoPatterns)}::text[])
    union
    -- The first letter is wrong. A word without its first letter is found as a part of the whole word.
    select t.typed, w.word, w.folded
    from unnest(${beyondAscii}::text[]) as t (typed)
    join search_words w on substr(w.folded, 2) = substr(t.typed, 2)
    where octet_length(w.folded) > length(w.folded)`
  return rows
    .map((row) => ({ ...row, typos: typosBetween(row.typed, row.folded, allowedTypos(row.typed)) }))
    .filter(({ typed: from, folded, typos }) => typos <= allowedTypos(from) && !folded.includes(from))
    .toSorted((a, b) => a.typos - b.typos || (a.word < b.word ? -1 : 1))
}

/** Returns an `and` condition for each word: one of its patterns matches. */
export const matchesWords = (
  sql: Queryable,
  words: readonly SearchWord[],
  matches: (pattern: string) => Fragment,
): Fragment => words.reduce((all, word) => sql`${all} and ${matchesWord(sql, word.patterns, matches)}`, sql``)

/**
 * Returns the condition that one of the patterns matches. The conditions are joined by `or`, because a trigram index
 * cannot use `like any`.
 */
export const matchesWord = (
  sql: Queryable,
  patterns: readonly string[],
  matches: (pattern: string) => Fragment,
): Fragment => {
  const [first = '', ...others] = patterns
  return sql`(${others.reduce((any, pattern) => sql`${any} or ${matches(pattern)}`, matches(first))})`
}

/** The queries of a list that can be searched. */
export interface SearchedList<Found extends { total: number }> {
  /** Finds the rows with these words under all filters of the list. */
  find: (words: readonly SearchWord[]) => Promise<Found>
  /** Returns whether a row has these words, whatever the other filters of the list are. */
  hasWords: (words: readonly SearchWord[]) => Promise<boolean>
}

/**
 * Finds rows with the words of a search. If no row has them, finds the rows with similar words. If only the other
 * filters exclude the rows with these words, similar rows would be mistaken for them, so none are found.
 */
export async function findTolerantly<Found extends { total: number }>(
  sql: Queryable,
  search: string | undefined,
  { find, hasWords }: SearchedList<Found>,
): Promise<Found> {
  const words = await findSearchWords(sql, search)
  const found = await find(words)
  if (found.total > 0 || words.length === 0) return found
  const similar = await withSimilarWords(sql, words)
  return similar === null || (await hasWords(words)) ? found : find(similar)
}
