import type { Query, Queryable } from './sql.ts'

/** A piece of SQL with its values, for use inside a query. */
export type Fragment = Query<unknown>

/** Formats a `timestamptz` as in responses: `2026-03-28T23:30:00.123456Z`. All sessions use UTC. */
export const wireTime = (sql: Queryable, moment: Fragment): Fragment =>
  sql`replace(replace(${moment}::text, ' ', 'T'), '+00', 'Z')`

/** Returns the words of a search in lower case. */
export const searchWords = (search: string | undefined): string[] =>
  (search?.split(/\s+/) ?? []).filter((word) => word !== '').map((word) => word.toLowerCase())

/** Returns a LIKE pattern for a word. Only the percent signs added here are special. */
export const likePattern = (word: string): string => `%${word.replace(/[\\%_]/g, '\\$&')}%`

/** Returns the words of a search as LIKE patterns. */
export const likePatterns = (search: string | undefined): string[] => searchWords(search).map(likePattern)

/**
 * Returns an `and` condition for each word of a search. The patterns are in lower case and must be compared
 * with lower-case text.
 */
export function matchesEveryWord(
  sql: Queryable,
  search: string | undefined,
  matches: (pattern: string) => Fragment,
): Fragment {
  return likePatterns(search).reduce((all, pattern) => sql`${all} and ${matches(pattern)}`, sql``)
}
