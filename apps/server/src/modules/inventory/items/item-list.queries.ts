import type { InventorySort } from '@pegasus/contracts/inventory/items'
import type { ItemStatus } from '@pegasus/contracts/statuses'
import type { Queryable } from '../../../platform/database/database.ts'
import type { Fragment } from '../../../platform/database/search-patterns.ts'
import {
  type FoundRows,
  foundRows,
  hasRows,
  readFound,
  upToCap,
} from '../../../platform/database/list-queries.ts'
import { COUNT_CAP } from '../../../platform/http/paging.ts'
import { stampItems, stampedColumns } from './listed-items.queries.ts'
import type { ItemCursor } from './item-cursor.ts'
import { type SoughtWord, type Way, hasWord } from './item-search.queries.ts'

/** A filter for items. All conditions must hold. The names are those of the query parameters. */
export interface ItemFilter {
  words: readonly SoughtWord[]
  status?: ItemStatus | undefined
  low_stock_only?: boolean
  /** Finds items in this location or in a location below it. */
  location_id?: string | undefined
  /** Only items of this material; case is ignored. */
  material?: string | undefined
  stl_file_id?: string | undefined
  /** Only the item with this SKU; case is ignored. */
  sku?: string | undefined
  /** If given, finds the items that were deleted after this time, instead of live items. */
  deleted?: { after: Date } | undefined
}

export interface ItemPage {
  sort: InventorySort
  cursor: ItemCursor | null
  limit: number
}

const matching = (sql: Queryable, filter: ItemFilter, way: Way = 'order') => sql`
  ${filter.deleted ? sql`i.deleted_at > ${filter.deleted.after}` : sql`i.deleted_at is null`}
  ${filter.words.reduce((all, word) => sql`${all} and ${hasWord(sql, word, way)}`, sql``)}
  ${filter.status ? sql`and i.status = ${filter.status}` : sql``}
  ${filter.low_stock_only ? sql`and i.quantity <= i.reorder_point` : sql``}
  ${filter.material === undefined ? sql`` : sql`and lower(i.material_used) = lower(${filter.material})`}
  ${filter.stl_file_id === undefined ? sql`` : sql`and i.stl_file_id = ${filter.stl_file_id}`}
  ${
    filter.location_id === undefined
      ? sql``
      : sql`and i.location_id = any (array(
          with recursive held as (
            select id from locations where id = ${filter.location_id}
            union select l.id from locations l join held on l.parent_id = held.id
          ) select id from held))`
  }
  ${filter.sku === undefined ? sql`` : sql`and upper(i.sku) = upper(${filter.sku})`}`

interface SortKey {
  key: Fragment
  isDescending: boolean
  /** The SQL type of the sort key in a cursor. */
  type: Fragment
}

/** Returns the sort key of a list. The trash is sorted by the time of deletion. */
function sortKeyOf(sql: Queryable, sort: InventorySort, isTrash: boolean): SortKey {
  const type = sql`timestamptz`
  switch (sort) {
    case 'newest':
    case 'oldest': {
      const key = isTrash ? sql`i.deleted_at` : sql`i.created_at`
      return { key, isDescending: sort === 'newest', type }
    }
    case 'updated':
      return { key: sql`i.updated_at`, isDescending: true, type }
    case 'name':
      return { key: sql`lower(i.name)`, isDescending: false, type: sql`text` }
    case 'quantity':
    case 'most':
      return { key: sql`i.quantity`, isDescending: sort === 'most', type: sql`integer` }
  }
}

/** Returns how a list is sorted. `after` is the operator that compares a row with the cursor. */
function orderOf(sql: Queryable, { deleted }: ItemFilter, sort: InventorySort) {
  const { key, isDescending, type } = sortKeyOf(sql, sort, deleted !== undefined)
  return {
    key,
    type,
    direction: isDescending ? sql`desc` : sql`asc`,
    after: isDescending ? sql`<` : sql`>`,
  }
}

type FindItems = (
  sql: Queryable,
  filter: ItemFilter,
  page: ItemPage,
) => Promise<FoundRows & { total: number }>

/**
 * Returns a page of the matching items, and their total. The total is exact up to COUNT_CAP. If more items match, it is
 * COUNT_CAP + 1.
 */
export const findItems: FindItems = async (sql, filter, { sort, cursor, limit }) => {
  const { key, type, direction, after } = orderOf(sql, filter, sort)
  const place = cursor ? sql`and (${key}, i.id) ${after} (${cursor.key}::${type}, ${cursor.id}::uuid)` : sql``
  const from = sql`
    (select ${stampedColumns(sql)}, ${key} as sort_key from items i where ${matching(sql, filter)} ${place}
     order by sort_key ${direction}, i.id ${direction} limit ${sql.literal(limit + 1)}) i`
  const order = sql`sort_key ${direction}, id ${direction}`
  const [row] = await sql<[{ found: string; total: number }]>`
    select ${foundRows(sql, { keys: sql`sort_key`, order })}, (${countOf(sql, filter)}) as total
    from (${stampItems(sql, from)}) rows`
  return { ...readFound(row.found, limit), total: row.total }
}

/**
 * Returns the total like `findItems`, and the page only if the total is within COUNT_CAP: finds all matches once,
 * counts them and sorts them. For a rare word, this is faster than `findItems`, which reads the items in the order of
 * the list and would have to read all of them.
 */
export const findFewItems: FindItems = async (sql, filter, { sort, cursor, limit }) => {
  const { key, type, direction, after } = orderOf(sql, filter, sort)
  const from = cursor
    ? sql`and (found.sort_key, found.id) ${after} (${cursor.key}::${type}, ${cursor.id}::uuid)`
    : sql``
  const order = sql`sort_key ${direction}, id ${direction}`
  const [row] = await sql<[{ found: string; total: number }]>`
    with found as materialized (
      select ${stampedColumns(sql)}, ${key} as sort_key from items i where ${matching(sql, filter, 'index')}
      limit ${sql.literal(COUNT_CAP + 1)}
    ),
    counted as (select count(*)::int as total from found),
    few as (
      select found.* from found, counted where counted.total <= ${COUNT_CAP} ${from}
      order by found.sort_key ${direction}, found.id ${direction} limit ${sql.literal(limit + 1)}
    )
    select (select total from counted) as total, ${foundRows(sql, { keys: sql`sort_key`, order })}
    from (${stampItems(sql, sql`few i`)}) rows`
  return { ...readFound(row.found, limit), total: row.total }
}

/** Returns whether any item matches the filter. */
export const hasItems = (sql: Queryable, filter: ItemFilter): Promise<boolean> =>
  hasRows(sql, sql`select 1 from items i where ${matching(sql, filter, 'index')}`)

const countOf = (sql: Queryable, filter: ItemFilter): Fragment =>
  upToCap(sql, sql`select 1 from items i where ${matching(sql, filter)}`)

/** Returns the ids of all matching items, in the given order. */
export async function listItemIds(
  sql: Queryable,
  filter: ItemFilter,
  sort: InventorySort,
): Promise<string[]> {
  const { key, isDescending } = sortKeyOf(sql, sort, filter.deleted !== undefined)
  const direction = isDescending ? sql`desc` : sql`asc`
  const rows = await sql<{ id: string }[]>`
    select i.id from items i where ${matching(sql, filter)} order by ${key} ${direction}, i.id ${direction}`
  return rows.map((row) => row.id)
}
