import {
  allowedTypos,
  foldText,
  typoPatterns,
  typosBetween,
  withoutTypos,
} from '@pegasus/contracts/texts/fuzzy'
import type { Queryable } from '../database/database.ts'
import { type Fragment, likePattern, searchWords } from '../database/search-patterns.ts'

/** A word of a search, with its LIKE patterns. A text contains the word if it matches one of the patterns. */
export interface SearchWord {
  /** The word as it was typed, in lower case. */
  typed: string
  patterns: readonly string[]
}

/**
 * The minimum length of a typed word that finds accented words which contain it. A shorter word finds only the same
 * word with accents, and a single letter finds none.
 */
const PART_LETTERS = 3
/** The maximum number of accented words that a typed word finds. */
const MAX_ACCENTED = 20
/** The maximum number of stored words with similar trigrams. Only these are compared letter by letter. */
const MAX_LOOKALIKES = 200
/**
 * The maximum number of corrections in a search, divided among its words. Each may have `LEAST_SIMILAR` in any case.
 */
const MAX_SIMILAR = 10
const LEAST_SIMILAR = 3

/**
 * Matches words of ASCII characters. Other words have no trigrams in a database with character type C, such as the
 * embedded one.
 */
const ASCII_WORD = /^[\x20-\x7e]*$/

/**
 * Returns the words of a search. A word finds its forms with and without accents: `nguyen` finds `Nguyễn`, and the
 * other way round.
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
 * Returns the words with patterns that also find similar words, for a search that found nothing. Returns null if there
 * are no similar words.
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

/** Lists stored words that differ from a typed word by a few typing errors, those with the fewest errors first. */
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

/** Returns an `and` condition for each word, which requires that one of its patterns matches. */
export const matchesWords = (
  sql: Queryable,
  words: readonly SearchWord[],
  matches: (pattern: string) => Fragment,
): Fragment => words.reduce((all, word) => sql`${all} and ${matchesWord(sql, word.patterns, matches)}`, sql``)

/**
 * Returns a condition that is true if one of the patterns matches. It uses `or`, because `like any` cannot use a
 * trigram index.
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
  /** Finds the rows that contain these words and meet all filters of the list. */
  find: (words: readonly SearchWord[]) => Promise<Found>
  /** Returns whether any row contains these words, ignoring the other filters of the list. */
  hasWords: (words: readonly SearchWord[]) => Promise<boolean>
}

/**
 * Finds the rows that contain the words of a search. If there are none, finds rows with similar words. But if only the
 * other filters exclude the rows with the exact words, finds none, because similar rows would be taken for them.
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
