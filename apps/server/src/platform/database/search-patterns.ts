import type postgres from 'postgres'
import type { Queryable } from './database.ts'

/** A piece of SQL with its values, to stand in a query. */
export type Fragment = postgres.PendingQuery<postgres.Row[]>

/** The words of a search, in lower case. */
export const searchWords = (search: string | undefined): string[] =>
  (search?.split(/\s+/) ?? []).filter((word) => word !== '').map((word) => word.toLowerCase())

/** A word as a LIKE pattern in which nothing but our own percent signs is special. */
export const likePattern = (word: string): string => `%${word.replace(/[\\%_]/g, '\\$&')}%`

/** The words of a search as such patterns. */
export const likePatterns = (search: string | undefined): string[] => searchWords(search).map(likePattern)

/** `and` a condition for each word of a search. The pattern is lower case, to be held against lower-case text. */
export function matchesEveryWord(
  sql: Queryable,
  search: string | undefined,
  matches: (pattern: string) => Fragment,
): Fragment {
  return likePatterns(search).reduce((all, pattern) => sql`${all} and ${matches(pattern)}`, sql``)
}
