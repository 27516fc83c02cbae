import type postgres from 'postgres'
import type { Queryable } from './database.ts'

type Fragment = postgres.PendingQuery<postgres.Row[]>

/** A word as a LIKE pattern in which nothing but our own percent signs is special. */
const containing = (word: string): string => `%${word.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`

/** `and` a condition for each word of a search. The pattern is lower case, to be held against lower-case text. */
export function everyWord(
  sql: Queryable,
  search: string | undefined,
  matches: (pattern: string) => Fragment,
): Fragment {
  const words = search?.split(/\s+/).filter((word) => word !== '') ?? []
  return words.reduce((all, word) => sql`${all} and ${matches(containing(word))}`, sql``)
}
