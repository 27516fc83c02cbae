import type { ModelSort } from '@pegasus/contracts/stl-library/search'
import type { Queryable } from '../../../platform/database/database.ts'
import type { Fragment } from '../../../platform/database/search-patterns.ts'
import { type FoundRows, foundRows, readFound, upToCap } from '../../../platform/database/list-queries.ts'
import { stampModels, stampedColumns } from './listed-models.queries.ts'
import type { ModelCursor } from './model-cursor.ts'
import { type ModelFilter, inScope, matching } from './model-filter.ts'
import type { SearchTerm } from './search-terms.queries.ts'
import { saysTerm } from './term-conditions.ts'

export interface ModelPage {
  cursor: ModelCursor | null
  limit: number
}

/** All orders except relevance, which is not a column. */
export type ColumnSort = Exclude<ModelSort, 'relevance'>

interface Order {
  key: Fragment
  isDescending: boolean
  /** The SQL type of the sort key in a cursor. */
  type: Fragment
}

/** Returns the sort key of a list. The trash is sorted by the time of deletion. */
function orderOf(sql: Queryable, sort: ColumnSort, isTrash: boolean): Order {
  switch (sort) {
    case 'newest':
    case 'oldest': {
      const key = isTrash ? sql`f.deleted_at` : sql`f.created_at`
      return { key, isDescending: sort === 'newest', type: sql`timestamptz` }
    }
    case 'title':
      return { key: sql`lower(f.title)`, isDescending: false, type: sql`text` }
    case 'largest':
    case 'smallest':
      return { key: sql`f.file_size`, isDescending: sort === 'largest', type: sql`bigint` }
  }
}

/** Returns a page of matching models, and their total, counted as in `countModels`. */
export async function findModels(
  sql: Queryable,
  filter: ModelFilter,
  { sort, cursor, limit }: ModelPage & { sort: ColumnSort },
): Promise<FoundRows & { total: number }> {
  const { key, isDescending, type } = orderOf(sql, sort, filter.isTrash ?? false)
  const direction = isDescending ? sql`desc` : sql`asc`
  const after = isDescending ? sql`<` : sql`>`
  const place = cursor
    ? sql`and (${key}, f.id) ${after} (${cursor.keys[0]!}::${type}, ${cursor.id}::uuid)`
    : sql``
  const from = sql`
    (select ${stampedColumns(sql)}, ${key} as sort_key from stl_files f
     where ${matching(sql, filter)} ${place}
     order by ${key} ${direction}, f.id ${direction}
     limit ${sql.literal(limit + 1)}) f`
  const order = sql`sort_key ${direction}, id ${direction}`
  const [row] = await sql<[{ found: string; total: number }]>`
    select ${foundRows(sql, { keys: sql`sort_key`, order })}, (${countOf(sql, filter)}) as total
    from (${stampModels(sql, { from, keys: sql`f.sort_key` })}) rows`
  return { ...readFound(row.found, limit), total: row.total }
}

const countOf = (sql: Queryable, filter: ModelFilter): Fragment =>
  upToCap(sql, sql`select 1 from stl_files f where ${matching(sql, filter)}`)

/** Counts the matching models, exactly up to the cap. A larger number is returned as cap + 1. */
export async function countModels(sql: Queryable, filter: ModelFilter): Promise<number> {
  const [row] = await sql<[{ total: number }]>`${countOf(sql, filter)}`
  return row.total
}

/** Returns whether any model of the library, or of the trash, matches a term. */
export async function isTermUsed(sql: Queryable, term: SearchTerm, isTrash: boolean): Promise<boolean> {
  const [row] = await sql<[{ is_said: boolean }]>`
    select exists (
      select from stl_files f where ${inScope(sql, { isTrash })} and ${saysTerm(sql, term)}
    ) as is_said`
  return row.is_said
}
