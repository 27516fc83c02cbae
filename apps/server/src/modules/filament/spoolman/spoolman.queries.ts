import type { Queryable } from '../../../platform/database/database.ts'
import { firstRow } from '../../../platform/database/first-row.ts'
import { likePattern } from './spoolman-lists.ts'

export interface VendorRow {
  id: number
  registered: string
  name: string
  comment: string | null
  empty_spool_weight: number | null
  external_id: string | null
  extra: Record<string, string>
}

export interface FilamentRow {
  id: number
  registered: string
  name: string
  color: string
  vendor: VendorRow | null
  material: string
  price_minor: number | null
  density: number
  diameter: number
  weight: number
  spool_weight: number | null
  article_number: string | null
  comment: string | null
  nozzle_temp_c: number | null
  bed_temp_c: number | null
  color_hex: string | null
  multi_color_hexes: string[] | null
  multi_color_direction: 'coaxial' | 'longitudinal' | null
  external_id: string | null
  extra: Record<string, string>
}

export interface SpoolmanSpoolRow {
  spool_id: string
  id: number
  registered: string
  first_used: string | null
  last_used: string | null
  filament: FilamentRow
  price_minor: number | null
  remaining_weight: number
  initial_weight: number
  spool_weight: number | null
  location: string | null
  lot_nr: string | null
  comment: string | null
  archived: boolean
  extra: Record<string, string>
}

const UTC = `'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'`

const vendorJson = (sql: Queryable) => sql`
  case when v.id is not null then jsonb_build_object(
    'id', v.number, 'registered', to_char(v.created_at at time zone 'UTC', ${sql.unsafe(UTC)}), 'name', v.name,
    'comment', v.comment, 'empty_spool_weight', v.spool_weight_grams::float8, 'external_id', v.external_id,
    'extra', v.extra) end`

const filamentJson = (sql: Queryable) => sql`
  jsonb_build_object(
    'id', f.number, 'registered', to_char(f.created_at at time zone 'UTC', ${sql.unsafe(UTC)}), 'name', f.name,
    'color', f.color, 'vendor', ${vendorJson(sql)}, 'material', f.material, 'price_minor', f.price_minor,
    'density', f.density_g_cm3::float8, 'diameter', f.diameter_mm::float8, 'weight', f.weight_grams::float8,
    'spool_weight', f.spool_weight_grams::float8, 'article_number', f.article_number, 'comment', f.comment,
    'nozzle_temp_c', f.nozzle_temp_c, 'bed_temp_c', f.bed_temp_c, 'color_hex', f.color_hex,
    'multi_color_hexes', f.multi_color_hexes, 'multi_color_direction', f.multi_color_direction,
    'external_id', f.external_id, 'extra', f.extra)`

/** The filters of a list. The values are parts of texts, or integers (−1 for rows without a value). */
export interface SpoolmanFilter {
  texts: Readonly<Partial<Record<TextField, string | undefined>>>
  numbers: Readonly<Partial<Record<NumberField, string | undefined>>>
}

const TEXTS = {
  'vendor.name': 'v.name',
  'vendor.external_id': 'v.external_id',
  'filament.name': "concat_ws(' ', f.name, nullif(f.color, ''))",
  'filament.material': 'f.material',
  'filament.article_number': 'f.article_number',
  'filament.external_id': 'f.external_id',
  location: 'l.path',
  lot_nr: 's.lot_number',
} as const
type TextField = keyof typeof TEXTS

const NUMBERS = { 'vendor.id': 'v.number', 'filament.id': 'f.number' } as const
type NumberField = keyof typeof NUMBERS

function textCondition(sql: Queryable, field: TextField, text: string) {
  const column = sql.unsafe(TEXTS[field])
  const terms = text.split(',').map((term) => {
    const word = term.trim()
    if (word === '') return sql`coalesce(${column}, '') = ''`
    const whole = /^"(.*)"$/.exec(word)?.[1]
    return whole === undefined
      ? sql`lower(${column}) like ${likePattern(word)}`
      : sql`lower(${column}) = ${whole.toLowerCase()}`
  })
  return sql`and (${terms.reduce((some, term) => sql`${some} or ${term}`)})`
}

function numberCondition(sql: Queryable, field: NumberField, text: string) {
  const column = sql.unsafe(NUMBERS[field])
  const numbers = text.split(',')
  return sql`and (${column} = any(${numbers}::bigint[]) ${numbers.includes('-1') ? sql`or ${column} is null` : sql``})`
}

const matching = (sql: Queryable, { texts, numbers }: SpoolmanFilter) => {
  const conditions = [
    ...(Object.entries(texts) as [TextField, string | undefined][]).flatMap(([field, text]) =>
      text === undefined ? [] : [textCondition(sql, field, text)],
    ),
    ...(Object.entries(numbers) as [NumberField, string | undefined][]).flatMap(([field, text]) =>
      text === undefined ? [] : [numberCondition(sql, field, text)],
    ),
  ]
  return conditions.reduce((all, condition) => sql`${all} ${condition}`, sql``)
}

/** The fields that lists can be sorted by, with their columns. */
export const VENDOR_SORTS = { id: 'v.number', name: 'v.name', registered: 'v.created_at' } as const
export const FILAMENT_SORTS = {
  id: 'f.number',
  name: 'f.name',
  registered: 'f.created_at',
  material: 'f.material',
  density: 'f.density_g_cm3',
  diameter: 'f.diameter_mm',
  weight: 'f.weight_grams',
  price: 'f.price_minor',
  article_number: 'f.article_number',
  'vendor.id': 'v.number',
  'vendor.name': 'v.name',
} as const
export const SPOOL_SORTS = {
  id: 's.number',
  registered: 's.created_at',
  first_used: 's.opened_at',
  last_used: 's.last_used_at',
  price: 'coalesce(s.price_minor, f.price_minor)',
  remaining_weight: 's.remaining_grams',
  used_weight: 's.weight_grams - s.remaining_grams',
  remaining_length: 's.remaining_grams / f.density_g_cm3 / f.diameter_mm / f.diameter_mm',
  location: 'l.path',
  lot_nr: 's.lot_number',
  archived: 's.archived_at is not null',
  'filament.id': 'f.number',
  'filament.name': 'f.name',
  'filament.material': 'f.material',
  'filament.combined_name': "concat_ws(' - ', v.name, f.name)",
  'filament.vendor.id': 'v.number',
  'filament.vendor.name': 'v.name',
} as const

/** Order and range of the rows of a list. `column` is one of the columns above. */
export interface Slice {
  order: readonly { column: string; isFalling: boolean }[]
  limit: number | null
  offset: number
}

const slice = (sql: Queryable, { order, limit, offset }: Slice, last: string) => {
  const keys = [...order, { column: last, isFalling: false }].map(({ column, isFalling }) =>
    isFalling ? sql`${sql.unsafe(column)} desc nulls last` : sql`${sql.unsafe(column)} asc nulls last`,
  )
  return sql`order by ${keys.reduce((all, key) => sql`${all}, ${key}`)} limit ${limit} offset ${offset}`
}

type Counted<T> = { row: T; total: number }

export const listVendors = (sql: Queryable, filter: SpoolmanFilter, rows: Slice) =>
  sql<Counted<VendorRow>[]>`
    select ${vendorJson(sql)} as row, (count(*) over ())::int as total from vendors v
    where v.deleted_at is null ${matching(sql, filter)} ${slice(sql, rows, 'v.number')}`

export const listFilaments = (sql: Queryable, filter: SpoolmanFilter, rows: Slice) =>
  sql<Counted<FilamentRow>[]>`
    select ${filamentJson(sql)} as row, (count(*) over ())::int as total
    from filaments f left join vendors v on v.id = f.vendor_id
    where f.deleted_at is null ${matching(sql, filter)} ${slice(sql, rows, 'f.number')}`

const selectSpool = (sql: Queryable) => sql`
  select s.id as spool_id, s.number as id, s.created_at as registered, s.opened_at as first_used,
         s.last_used_at as last_used, ${filamentJson(sql)} as filament, s.price_minor,
         round(s.remaining_grams, 4)::float8 as remaining_weight,
         greatest(s.weight_grams, s.remaining_grams)::float8 as initial_weight,
         coalesce(s.spool_weight_grams, f.spool_weight_grams, v.spool_weight_grams)::float8 as spool_weight,
         l.path as location, s.lot_number as lot_nr, s.notes as comment, s.archived_at is not null as archived, s.extra,
         (count(*) over ())::int as total
  from spools s
  join filaments f on f.id = s.filament_id
  left join vendors v on v.id = f.vendor_id
  left join locations l on l.id = s.location_id`

export const listSpoolRows = (
  sql: Queryable,
  filter: SpoolmanFilter & { allowArchived: boolean },
  rows: Slice,
): Promise<(SpoolmanSpoolRow & { total: number })[]> =>
  sql<(SpoolmanSpoolRow & { total: number })[]>`
    ${selectSpool(sql)}
    where s.deleted_at is null ${filter.allowArchived ? sql`` : sql`and s.archived_at is null`}
      ${matching(sql, filter)} ${slice(sql, rows, 's.number')}`

export async function findVendor(sql: Queryable, number: number): Promise<VendorRow | null> {
  const [found] = await sql<{ row: VendorRow }[]>`
    select ${vendorJson(sql)} as row from vendors v where v.number = ${number} and v.deleted_at is null`
  return found?.row ?? null
}

export async function findFilament(sql: Queryable, number: number): Promise<FilamentRow | null> {
  const [found] = await sql<{ row: FilamentRow }[]>`
    select ${filamentJson(sql)} as row from filaments f left join vendors v on v.id = f.vendor_id
    where f.number = ${number} and f.deleted_at is null`
  return found?.row ?? null
}

/** Finds a spool by its number or by its id. Only the id finds spools in the trash. */
export const findSpoolRow = (sql: Queryable, by: { number: number } | { id: string }) =>
  firstRow(sql<SpoolmanSpoolRow[]>`
    ${selectSpool(sql)}
    where ${'number' in by ? sql`s.number = ${by.number} and s.deleted_at is null` : sql`s.id = ${by.id}`}`)
