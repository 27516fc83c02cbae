import type { Queryable } from '../../../platform/database/database.ts'
import { type FoundRows, foundRows, readFound } from '../../../platform/database/list-queries.ts'
import type { Fragment } from '../../../platform/database/search-patterns.ts'
import { stampModels, stampedColumns } from './listed-models.queries.ts'
import { type ModelFilter, fitting } from './model-filter.ts'
import type { ModelPage } from './sorted-models.queries.ts'
import type { SearchTerm } from './search-terms.queries.ts'
import { asTyped, hasFuzzyTerms, saysTerm, titleHasWord, titleSaysTerm } from './term-conditions.ts'

/**
 * Number of matches of each kind that are ranked, newest first. The kinds are matches in the title, matches
 * anywhere, and fuzzy matches. Ranking reads every match, and a common word has tens of thousands of matches.
 */
export const MAX_CANDIDATES = 300

/** The penalty for a fuzzy match. It exceeds the score of ten terms, the maximum number in a search. */
const FUZZY_PENALTY = 100

/** Scores of one term: an exact word in the title, a part of a word in the title, and a tag. */
const EXACT_TITLE_WORD = 6
const IN_TITLE = 5
const TAG = 4

type Condition = (sql: Queryable, term: SearchTerm) => Fragment

/** Selects the newest models for which every term meets a condition. Selects none if `isNeeded` is false. */
function candidates(
  sql: Queryable,
  filter: ModelFilter,
  says: Condition,
  { most, isNeeded }: { most: number; isNeeded?: Fragment },
): Fragment {
  const all = filter.terms.reduce(
    (sum, term) => sql`${sum} and ${says(sql, term)}`,
    isNeeded ? sql`${isNeeded} and ${fitting(sql, filter)}` : fitting(sql, filter),
  )
  return sql`(select f.id from stl_files f where ${all} order by f.created_at desc, f.id desc limit ${most})`
}

/**
 * Returns the SQL for the score of a term for a model: the best score of all places where the term occurs. An exact
 * word scores more than a part of a word, and the title scores more than the rest.
 */
function scoreOf(sql: Queryable, term: SearchTerm): Fragment {
  const typed = asTyped(term)
  return sql`case
    when ${titleHasWord(sql, term)} then ${sql.literal(EXACT_TITLE_WORD)}
    when ${titleSaysTerm(sql, typed)} then ${sql.literal(IN_TITLE)}
    when ${term.typed} = any(f.tags) then ${sql.literal(TAG)}
    when lower(f.file_name) like ${term.pattern} or lower(array_to_string(f.tags, ' ')) like ${term.pattern} then 3
    when ${saysTerm(sql, typed)} then 2
    when ${titleSaysTerm(sql, term)} then ${1 - FUZZY_PENALTY}::int
    else ${-FUZZY_PENALTY}::int end`
}

/**
 * Returns a page of the best matches, sorted by score, and newest first for equal scores. Requires at least one term.
 * At most `most` models of each kind are ranked. If the matches in the title fill the first page with better scores
 * than any other match can reach, the other matches are not read. `isFinal` is then true if every match in the title
 * was ranked, because a larger `most` would return the same page.
 */
export async function findRanked(
  sql: Queryable,
  filter: ModelFilter,
  { cursor, limit, most }: ModelPage & { most: number },
): Promise<FoundRows & { isFinal: boolean }> {
  const exactly =
    (condition: Condition): Condition =>
    (db, term) =>
      condition(db, asTyped(term))
  const score = filter.terms.map((term) => scoreOf(sql, term)).reduce((sum, one) => sql`${sum} + ${one}`)
  // A match that is not in `titled` has at least one term outside the title, so this is its highest possible score.
  const bestElsewhere = EXACT_TITLE_WORD * (filter.terms.length - 1) + TAG
  const isNeeded = cursor
    ? sql`true`
    : sql`(select count(*) from titled where score > ${sql.literal(bestElsewhere)}) <= ${sql.literal(limit)}`
  const isFinal = sql`not ${isNeeded} and (select count(*) from titled) < ${sql.literal(most)}`
  const elsewhere = [
    candidates(sql, filter, exactly(saysTerm), { most, isNeeded }),
    ...(filter.terms.some(hasFuzzyTerms) ? [candidates(sql, filter, saysTerm, { most, isNeeded })] : []),
  ].reduce((all, source) => sql`${all} union ${source}`)
  const scored = (ids: Fragment): Fragment =>
    sql`select f.id, f.created_at, ${score} as score from (${ids}) candidates join stl_files f on f.id = candidates.id`
  const [lastScore = 0, lastAge = ''] = cursor?.keys ?? []
  const place = cursor
    ? sql`where (score, created_at, id) < (${lastScore}::int, ${lastAge}::timestamptz, ${cursor.id}::uuid)`
    : sql``
  const [row] = await sql<[{ found: string; is_final: boolean }]>`
    with titled as materialized (${scored(candidates(sql, filter, exactly(titleSaysTerm), { most }))}),
    ranked as (
      select * from titled
      union all
      ${scored(sql`${elsewhere} except select id from titled`)}
    ),
    best as (
      select * from ranked ${place} order by score desc, created_at desc, id desc limit ${sql.literal(limit + 1)}
    )
    select ${foundRows(sql, { keys: sql`score, created_at`, order: sql`score desc, created_at desc, id desc` })},
           ${isFinal} as is_final
    from (${stampModels(sql, {
      from: sql`(select ${stampedColumns(sql)}, score, best.created_at from best join stl_files f on f.id = best.id) f`,
      keys: sql`f.score, f.created_at`,
    })}) rows`
  return { ...readFound(row.found, limit), isFinal: row.is_final }
}
