import type { Query, Queryable } from './sql.ts'

/** A piece of SQL with its values, to be used inside a query. */
export type Fragment = Query<unknown>

/** A `timestamptz` as the text that responses have: `2026-03-28T23:30:00.123456Z`. Sessions use UTC. */
export const wireTime = (sql: Queryable, moment: Fragment): Fragment =>
  sql`replace(replace(${moment}::text, ' ', 'T'), '+00', 'Z')`

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
