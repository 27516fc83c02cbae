import type { SpoolStatus } from '@pegasus/contracts/statuses'
import type { Floats, Row } from '../../../platform/database/column-types.ts'
import { firstRow } from '../../../platform/database/first-row.ts'
import type { Queryable } from '../../../platform/database/database.ts'
import { type SearchWord, matchesWords } from '../../../platform/search/search-words.queries.ts'
import { countUpToCap, hasRows } from '../../../platform/database/list-queries.ts'
import { type SpoolCursor, type SpoolList, afterSpool, sortText, spoolOrder } from './spool-sorts.ts'

/** A spool with its filament and the jobs that wait for it. Money is in minor units. */
export interface SpoolRow
  extends Row<
      'spools',
      | 'id'
      | 'number'
      | 'label_code'
      | 'price_minor'
      | 'lot_number'
      | 'status'
      | 'opened_at'
      | 'last_used_at'
      | 'dried_at'
      | 'notes'
      | 'revision'
      | 'created_at'
      | 'updated_at'
      | 'deleted_at'
    >,
    Floats<'spools', 'weight_grams' | 'remaining_grams'>,
    Row<'filaments', 'material' | 'name' | 'color' | 'nozzle_temp_c' | 'bed_temp_c' | 'drying_interval_days'>,
    Floats<'filaments', 'diameter_mm' | 'density_g_cm3' | 'low_stock_grams'> {
  brand: string | null
  color_hex: string | null
  spool_weight_grams: number | null
  location: string | null
  queued_jobs: number
  queued_grams: number
}

export interface SpoolFilter {
  words: readonly SearchWord[]
  material?: string | undefined
  status?: SpoolStatus | undefined
  archived?: boolean | undefined
  /** If given, lists the spools that were deleted after this time instead of the spools in use. */
  inTrashSince?: Date | undefined
}

/**
 * The joins of the list. The search reads the columns row by row, which is fast enough for thousands of
 * spools.
 */
const FROM = (sql: Queryable) => sql`
  from spools s
  join filaments f on f.id = s.filament_id
  left join vendors v on v.id = f.vendor_id`

const matching = (sql: Queryable, filter: SpoolFilter) => sql`
  ${filter.inTrashSince ? sql`s.deleted_at > ${filter.inTrashSince}` : sql`s.deleted_at is null`}
  ${matchesWords(
    sql,
    filter.words,
    (pattern) =>
      sql`lower(concat_ws(' ', f.material, v.name, f.name, f.color, s.lot_number, s.label_code)) like ${pattern}`,
  )}
  ${filter.material ? sql`and lower(f.material) = lower(${filter.material})` : sql``}
  ${filter.status ? sql`and s.status = ${filter.status}` : sql``}
  ${filter.archived === undefined ? sql`` : sql`and (s.archived_at is not null) = ${filter.archived}`}`

const selectSpool = (sql: Queryable) => sql`
  select s.id, s.number, s.label_code, f.material, v.name as brand, f.name, f.color, '#' || f.color_hex as color_hex,
         f.diameter_mm::float8, f.density_g_cm3::float8, s.weight_grams::float8,
         coalesce(s.spool_weight_grams, f.spool_weight_grams, v.spool_weight_grams)::float8 as spool_weight_grams,
         round(s.remaining_grams, 2)::float8 as remaining_grams, coalesce(s.price_minor, f.price_minor) as price_minor,
         l.path as location, s.lot_number, s.status, f.nozzle_temp_c, f.bed_temp_c, s.opened_at, s.last_used_at,
         s.dried_at, f.drying_interval_days, f.low_stock_grams::float8, s.notes, coalesce(d.jobs, 0) as queued_jobs,
         coalesce(d.grams, 0)::float8 as queued_grams, s.revision, s.created_at, s.updated_at,
         s.deleted_at`

const BESIDE = (sql: Queryable) => sql`
  left join locations l on l.id = s.location_id
  left join (
    select spool_id, count(*)::int as jobs, sum(needed_grams) as grams from print_demand group by spool_id
  ) d on d.spool_id = s.id`

/** Lists a page of spools. `sort_key` is the value by which the row is sorted, as text. */
export const listSpools = (
  sql: Queryable,
  filter: SpoolFilter,
  page: { list: SpoolList; cursor: SpoolCursor | null; limit: number },
): Promise<(SpoolRow & { sort_key: string })[]> =>
  sql<(SpoolRow & { sort_key: string })[]>`
    ${selectSpool(sql)}, ${sortText(sql, page.list)} as sort_key
    ${FROM(sql)}
    ${BESIDE(sql)}
    where ${matching(sql, filter)} ${page.cursor ? afterSpool(sql, page.list, page.cursor) : sql``}
    ${spoolOrder(sql, page.list)}
    limit ${sql.literal(page.limit + 1)}`

/** Finds a spool. Returns null if it does not exist or is deleted. */
export const findSpool = (sql: Queryable, id: string) =>
  firstRow(sql<SpoolRow[]>`
    ${selectSpool(sql)} ${FROM(sql)} ${BESIDE(sql)} where s.id = ${id} and s.deleted_at is null`)

export const countSpools = (sql: Queryable, filter: SpoolFilter): Promise<number> =>
  countUpToCap(sql, sql`select 1 ${FROM(sql)} where ${matching(sql, filter)}`)

/** Returns whether any spool matches the filter. */
export const hasSpools = (sql: Queryable, filter: SpoolFilter): Promise<boolean> =>
  hasRows(sql, sql`select 1 ${FROM(sql)} where ${matching(sql, filter)}`)

/** Lists the distinct materials, in the spelling that most of their spools have. */
export async function listMaterials(sql: Queryable): Promise<string[]> {
  const rows = await sql<{ material: string }[]>`
    select mode() within group (order by f.material) as material
    from spools s join filaments f on f.id = s.filament_id
    where s.deleted_at is null
    group by lower(f.material)
    order by lower(f.material)`
  return rows.map(({ material }) => material)
}
