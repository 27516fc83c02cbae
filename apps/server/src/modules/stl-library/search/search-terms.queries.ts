import type { Queryable } from '../../../platform/database/database.ts'
import { likePatterns } from '../../../platform/database/search-patterns.ts'
import { allowedTypos, typoPatterns, typosBetween, withoutTypos } from '@pegasus/contracts/texts/fuzzy'

/**
 * Maximum number of library words that are listed for a term. A term that occurs in more words occurs in so
 * many models that reading a few models' texts is enough to fill a page.
 */
export const MAX_WORDS = 300
/**
 * Number of similar words that are compared exactly with a mistyped word. Words further down the list are not more
 * similar.
 */
const MAX_LOOKALIKES = 200

/** Matches words whose trigrams work in a database with character type C, such as our embedded one. */
const ASCII_WORD = /^[\x20-\x7e]*$/

/**
 * Maximum number of corrections for a search. Each correction is checked against every candidate, so the
 * words of a search share this limit, but each word gets at least `LEAST_NEAR`.
 */
const MAX_NEAR = 10
const LEAST_NEAR = 3

/** One word of a search, and the words in the library that it may match. */
export interface SearchTerm {
  typed: string
  pattern: string
  /**
   * Words that contain the typed word. The list has more than MAX_WORDS entries if there are too many to
   * list.
   */
  words: string[]
  /**
   * Words that the person may have meant, if the typed word is a misspelling. Empty unless fuzzy matching was
   * requested.
   */
  near: string[]
  /** The parts of a word such as `wall-bracket`, used to find file names. Empty for a word without parts. */
  parts: SearchTerm[]
}

const MARKS = /[!-/:-@[-`{-~]+/

function partsOf(typed: string): string[] {
  const parts = typed.split(MARKS).filter((part) => part !== '')
  return parts.length > 1 ? [...new Set(parts)] : []
}

/**
 * Returns whether a part may match inside a word. Very short parts occur in too many words, so the parts of `x-1` must
 * match whole words.
 */
const isLooseInWords = (part: string): boolean => part.length > 2

/** Returns the terms of a search, one for each word. */
export async function findTerms(sql: Queryable, search: string | undefined): Promise<SearchTerm[]> {
  const typed = [...new Set((search ?? '').toLowerCase().split(/\s+/))].filter((word) => word !== '')
  if (typed.length === 0) return []
  const wanted = [...new Set(typed.flatMap((word) => [word, ...partsOf(word).filter(isLooseInWords)]))]
  const patterns = wanted.flatMap(likePatterns)
  const rows = await sql<{ pattern: string; words: string[] }[]>`
    select pattern, array(select word from stl_words where word like pattern limit ${MAX_WORDS + 1}) as words
    from unnest(${patterns}::text[]) as pattern`
  const wordsOf = new Map(rows.map(({ pattern, words }) => [pattern, words]))
  const termOf = (word: string): SearchTerm => {
    const [pattern = ''] = likePatterns(word)
    return { typed: word, pattern, words: wordsOf.get(pattern) ?? [], near: [], parts: [] }
  }
  const partOf = (part: string): SearchTerm =>
    isLooseInWords(part) ? termOf(part) : { ...termOf(part), words: [part] }
  return typed.map((word) => ({ ...termOf(word), parts: partsOf(word).map(partOf) }))
}

/**
 * Returns whether a term, or each of its parts, is in a word of the library. If not, no model matches it
 * exactly.
 */
export const isInLibrary = ({ words, parts }: SearchTerm): boolean =>
  words.length > 0 || (parts.length > 0 && parts.every(isInLibrary))

/** Returns the same terms, each with the words that the person may have meant. */
export async function withFuzzyTerms(sql: Queryable, terms: readonly SearchTerm[]): Promise<SearchTerm[]> {
  const all = terms.flatMap((term) => [term, ...term.parts])
  const typed = [...new Set(all.map((term) => term.typed))].filter((word) => allowedTypos(word) > 0)
  if (typed.length === 0) return [...terms]
  const guesses = typed.flatMap((word) => withoutTypos(word).map((guess) => ({ word, guess })))
  const beyondAscii = typed.filter((word) => !ASCII_WORD.test(word))
  const rows = await sql<{ typed: string; word: string }[]>`
    select typed, n.word from unnest(${typed}::text[]) as typed, library_near_words(typed, ${MAX_LOOKALIKES}) as n
    union
    select g.typed, w.word
    from unnest(${guesses.map(({ word }) => word)}::text[], ${guesses.map(({ guess }) => guess)}::text[])
         as g (typed, guess)
    join stl_words w on w.word = g.guess
    union
    select t.typed, w.word
    from unnest(${beyondAscii}::text[]) as t (typed)
    join stl_words w on length(w.word) between length(t.typed) and length(t.typed) + 1
    where w.word like any(${beyondAscii.flatMap(typoPatterns)}::text[])`
  const near = Map.groupBy(
    rows
      .map((row) => ({ ...row, slips: typosBetween(row.typed, row.word, allowedTypos(row.typed)) }))
      .filter(({ typed: from, word, slips }) => slips <= allowedTypos(from) && !word.includes(from))
      .toSorted((a, b) => a.slips - b.slips || (a.word < b.word ? -1 : 1)),
    (row) => row.typed,
  )
  const most = Math.max(LEAST_NEAR, Math.floor(MAX_NEAR / terms.length))
  const widened = (term: SearchTerm): SearchTerm => ({
    ...term,
    near: (near.get(term.typed) ?? []).slice(0, most).map(({ word }) => word),
    parts: term.parts.map(widened),
  })
  return terms.map(widened)
}
