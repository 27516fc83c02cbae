import type postgres from 'postgres'
import type { Queryable } from './database.ts'

/** A piece of SQL with its values, to be used inside a query. */
export type Fragment = postgres.PendingQuery<postgres.Row[]>

/** The words of a search, in lower case. */
export const searchWords = (search: string | undefined): string[] =>
  (search?.split(/\s+/) ?? []).filter((word) => word !== '').map((word) => word.toLowerCase())

/** A word as a LIKE pattern in which only our own percent signs are special. */
export const likePattern = (word: string): string => `%${word.replace(/[\\%_]/g, '\\$&')}%`

/** The words of a search as such patterns. */
export const likePatterns = (search: string | undefined): string[] => searchWords(search).map(likePattern)

/** `and` a condition for each word of a search. Patterns are lower case, for comparison with lower-case text. */
export function matchesEveryWord(
  sql: Queryable,
  search: string | undefined,
  matches: (pattern: string) => Fragment,
): Fragment {
  return likePatterns(search).reduce((all, pattern) => sql`${all} and ${matches(pattern)}`, sql``)
}
