import type { Queryable } from '../../../platform/database/database.ts'
import { type FoundRows, foundRows, readFound } from '../../../platform/database/list-queries.ts'
import type { Fragment } from '../../../platform/database/search-patterns.ts'
import { stampModels, stampedColumns } from './listed-models.queries.ts'
import { type ModelFilter, fitting } from './model-filter.ts'
import type { ModelPage } from './sorted-models.queries.ts'
import type { SearchTerm } from './search-terms.queries.ts'
import { asTyped, hasFuzzyTerms, saysTerm, titleHasWord, titleSaysTerm } from './term-conditions.ts'

/**
 * Ranking reads every match, and a common word has tens of thousands. So only the newest matches of each kind are
 * ranked: matches in the title, matches anywhere, and fuzzy matches.
 */
export const MAX_CANDIDATES = 300

/** Penalty of a fuzzy match: more than ten terms, the maximum of a search, can score. */
const NEAR_MISS = 100

type Condition = (sql: Queryable, term: SearchTerm) => Fragment

function candidates(sql: Queryable, filter: ModelFilter, says: Condition, most: number): Fragment {
  const all = filter.terms.reduce((sum, term) => sql`${sum} and ${says(sql, term)}`, fitting(sql, filter))
  return sql`(select f.id from stl_files f where ${all} order by f.created_at desc, f.id desc limit ${most})`
}

/**
 * Score of a term for a model, the best that applies: the exact word before a part of one, the title before the rest.
 */
function scoreOf(sql: Queryable, term: SearchTerm): Fragment {
  const typed = asTyped(term)
  return sql`case
    when ${titleHasWord(sql, term)} then 6
    when ${titleSaysTerm(sql, typed)} then 5
    when ${term.typed} = any(f.tags) then 4
    when lower(f.file_name) like ${term.pattern} or lower(array_to_string(f.tags, ' ')) like ${term.pattern} then 3
    when ${saysTerm(sql, typed)} then 2
    when ${titleSaysTerm(sql, term)} then ${1 - NEAR_MISS}::int
    else ${-NEAR_MISS}::int end`
}

/**
 * A page of the best matches: by score, equal scores newest first. There is at least one term.
 * `most` is the number of models ranked of each kind.
 */
export async function findRanked(
  sql: Queryable,
  filter: ModelFilter,
  { cursor, limit, most }: ModelPage & { most: number },
): Promise<FoundRows> {
  const exactly =
    (condition: Condition): Condition =>
    (db, term) =>
      condition(db, asTyped(term))
  const sources = [
    candidates(sql, filter, exactly(titleSaysTerm), most),
    candidates(sql, filter, exactly(saysTerm), most),
    ...(filter.terms.some(hasFuzzyTerms) ? [candidates(sql, filter, saysTerm, most)] : []),
  ]
  const score = filter.terms.map((term) => scoreOf(sql, term)).reduce((sum, one) => sql`${sum} + ${one}`)
  const [lastScore = 0, lastAge = ''] = cursor?.keys ?? []
  const place = cursor
    ? sql`where (score, created_at, id) < (${lastScore}::int, ${lastAge}::timestamptz, ${cursor.id}::uuid)`
    : sql``
  const [row] = await sql<[{ found: string }]>`
    with candidates as (${sources.reduce((all, source) => sql`${all} union ${source}`)}),
    ranked as (
      select f.id, f.created_at, ${score} as score from candidates join stl_files f on f.id = candidates.id
    ),
    best as (
      select * from ranked ${place} order by score desc, created_at desc, id desc limit ${sql.literal(limit + 1)}
    )
    select ${foundRows(sql, { keys: sql`score, created_at`, order: sql`score desc, created_at desc, id desc` })}
    from (${stampModels(sql, {
      from: sql`(select ${stampedColumns(sql)}, score, best.created_at from best join stl_files f on f.id = best.id) f`,
      keys: sql`f.score, f.created_at`,
    })}) rows`
  return readFound(row.found, limit)
}
