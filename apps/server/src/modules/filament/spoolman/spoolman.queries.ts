import type { Queryable } from '../../../platform/database/database.ts'
import { firstRow } from '../../../platform/database/first-row.ts'
import { type ExtraFilter, extraCondition } from './extra-fields/extra-filters.ts'
import { readMoments } from './extra-fields/extra-terms.ts'
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
  /** The used grams that programs reported although the spool was already empty. */
  overused_weight: number
  spool_weight: number | null
  location: string | null
  lot_nr: string | null
  comment: string | null
  archived: boolean
  extra: Record<string, string>
}

const UTC = `'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'`

export const vendorJson = (sql: Queryable) => sql`
  case when v.id is not null then jsonb_build_object(
    'id', v.number, 'registered', to_char(v.created_at at time zone 'UTC', ${sql.unsafe(UTC)}), 'name', v.name,
    'comment', v.comment, 'empty_spool_weight', v.spool_weight_grams::float8, 'external_id', v.external_id,
    'extra', v.extra) end`

export const filamentJson = (sql: Queryable) => sql`
  jsonb_build_object(
    'id', f.number, 'registered', to_char(f.created_at at time zone 'UTC', ${sql.unsafe(UTC)}), 'name', f.name,
    'color', f.color, 'vendor', ${vendorJson(sql)}, 'material', f.material, 'price_minor', f.price_minor,
    'density', f.density_g_cm3::float8, 'diameter', f.diameter_mm::float8, 'weight', f.weight_grams::float8,
    'spool_weight', f.spool_weight_grams::float8, 'article_number', f.article_number, 'comment', f.comment,
    'nozzle_temp_c', f.nozzle_temp_c, 'bed_temp_c', f.bed_temp_c, 'color_hex', f.color_hex,
    'multi_color_hexes', f.multi_color_hexes, 'multi_color_direction', f.multi_color_direction,
    'external_id', f.external_id, 'extra', f.extra)`

/**
 * The filters of a list. A text filter finds parts of texts. A number filter has integers, and −1 finds rows without a
 * value.
 */
export interface SpoolmanFilter {
  texts: Readonly<Partial<Record<TextField, string | undefined>>>
  numbers: Readonly<Partial<Record<NumberField, string | undefined>>>
  /** Times and ranges of times. An empty text finds objects without the time. */
  moments?: Readonly<Partial<Record<MomentField, string | undefined>>>
  extras?: readonly ExtraFilter[]
}

const TEXTS = {
  'vendor.name': "case v.name when 'Unnamed' then '' else v.name end",
  'vendor.external_id': 'v.external_id',
  'filament.name':
    "case when f.color <> '' or lower(f.name) <> lower(f.material) then concat_ws(' ', f.name, nullif(f.color, '')) end",
  'filament.material': "nullif(f.material, 'Unknown')",
  'filament.multi_color_direction': 'f.multi_color_direction',
  'filament.article_number': 'f.article_number',
  'filament.external_id': 'f.external_id',
  location: 'l.path',
  lot_nr: 's.lot_number',
} as const
type TextField = keyof typeof TEXTS

const NUMBERS = { 'vendor.id': 'v.number', 'filament.id': 'f.number' } as const
type NumberField = keyof typeof NUMBERS

const MOMENTS = {
  first_used: 's.opened_at',
  last_used: 's.last_used_at',
  registered: 's.created_at',
} as const
type MomentField = keyof typeof MOMENTS

function textCondition(sql: Queryable, field: TextField, text: string) {
  const column = sql.unsafe(TEXTS[field])
  const terms = text.split(',').map((term) => {
    const word = term.trim()
    // A search for an empty vendor name must not find filaments without a vendor.
    if (word === '') return field === 'vendor.name' ? sql`${column} = ''` : sql`coalesce(${column}, '') = ''`
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

/**
 * Returns the SQL condition for a time or a range of times. Throws MALFORMED_REQUEST for a text that is
 * neither.
 */
function momentCondition(sql: Queryable, field: MomentField, text: string) {
  const column = sql.unsafe(MOMENTS[field])
  const terms = text.split(',').map((term) => {
    if (term === '') return sql`${column} is null`
    const { from, to } = readMoments(term, field)
    return sql`${column} between coalesce(${from}::timestamptz, '-infinity') and coalesce(${to}::timestamptz, 'infinity')`
  })
  return sql`and (${terms.reduce((some, term) => sql`${some} or ${term}`)})`
}

const matching = (sql: Queryable, { texts, numbers, moments = {}, extras = [] }: SpoolmanFilter) => {
  const conditions = [
    ...extras.map((extra) => extraCondition(sql, extra)),
    ...(Object.entries(moments) as [MomentField, string | undefined][]).flatMap(([field, text]) =>
      text === undefined ? [] : [momentCondition(sql, field, text)],
    ),
    ...(Object.entries(texts) as [TextField, string | undefined][]).flatMap(([field, text]) =>
      text === undefined ? [] : [textCondition(sql, field, text)],
    ),
    ...(Object.entries(numbers) as [NumberField, string | undefined][]).flatMap(([field, text]) =>
      text === undefined ? [] : [numberCondition(sql, field, text)],
    ),
  ]
  return conditions.reduce((all, condition) => sql`${all} ${condition}`, sql``)
}

/** The fields by which lists can be sorted, with their columns. */
const VENDOR_FIELDS = {
  id: 'v.number',
  registered: 'v.created_at',
  name: 'v.name',
  comment: 'v.comment',
  empty_spool_weight: 'v.spool_weight_grams',
  external_id: 'v.external_id',
} as const
const FILAMENT_FIELDS = {
  id: 'f.number',
  registered: 'f.created_at',
  name: 'f.name',
  vendor_id: 'v.number',
  material: 'f.material',
  price: 'f.price_minor',
  density: 'f.density_g_cm3',
  diameter: 'f.diameter_mm',
  weight: 'f.weight_grams',
  spool_weight: 'f.spool_weight_grams',
  article_number: 'f.article_number',
  comment: 'f.comment',
  settings_extruder_temp: 'f.nozzle_temp_c',
  settings_bed_temp: 'f.bed_temp_c',
  color_hex: 'f.color_hex',
  multi_color_hexes: 'f.multi_color_hexes',
  multi_color_direction: 'f.multi_color_direction',
  external_id: 'f.external_id',
  combined_name: "concat_ws(' - ', v.name, f.name)",
} as const

const within = (prefix: string, columns: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(columns).map(([field, column]) => [`${prefix}.${field}`, column]))

export const VENDOR_SORTS: Readonly<Record<string, string>> = VENDOR_FIELDS
export const FILAMENT_SORTS: Readonly<Record<string, string>> = {
  ...FILAMENT_FIELDS,
  ...within('vendor', VENDOR_FIELDS),
}
export const SPOOL_SORTS: Readonly<Record<string, string>> = {
  id: 's.number',
  registered: 's.created_at',
  first_used: 's.opened_at',
  last_used: 's.last_used_at',
  filament_id: 'f.number',
  price: 'coalesce(s.price_minor, f.price_minor)',
  initial_weight: 's.weight_grams',
  spool_weight: 's.spool_weight_grams',
  remaining_weight: 's.remaining_grams',
  used_weight: 's.weight_grams - s.remaining_grams',
  remaining_length: 's.remaining_grams / f.density_g_cm3 / f.diameter_mm / f.diameter_mm',
  used_length: '(s.weight_grams - s.remaining_grams) / f.density_g_cm3 / f.diameter_mm / f.diameter_mm',
  location: 'l.path',
  lot_nr: 's.lot_number',
  comment: 's.notes',
  archived: 's.archived_at is not null',
  ...within('filament', FILAMENT_FIELDS),
  ...within('filament.vendor', VENDOR_FIELDS),
}

/** The order of the rows of a list, and the range to return. `column` is one of the columns above. */
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

export const selectSpool = (sql: Queryable) => sql`
  select s.id as spool_id, s.number as id, s.created_at as registered, s.opened_at as first_used,
         s.last_used_at as last_used, ${filamentJson(sql)} as filament, s.price_minor,
         s.remaining_grams::float8 as remaining_weight,
         greatest(s.weight_grams, s.remaining_grams)::float8 as initial_weight,
         (case when s.remaining_grams = 0 then (
            select coalesce(sum(e.reported_grams + e.delta_grams), 0) from spool_ledger e
            where e.spool_id = s.id and e.reported_grams is not null
              and not exists (select from spool_ledger u where u.undoes_id = e.id)
              and not exists (
                select from spool_ledger m
                where m.spool_id = e.spool_id and m.kind in ('weigh', 'correct') and m.created_at > e.created_at)
          ) else 0 end)::float8 as overused_weight,
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

/** A group of spools. `key` is null for spools without a value. */
export interface GroupRow {
  key: string | null
  spool_count: number
  in_use_count: number
  total_remaining_weight: number
  last_used: string | null
  total: number
}

/** SQL for the value by which spools are grouped, and for the title by which the groups are sorted. */
export const GROUPS: Readonly<Record<string, { key: string; title: string }>> = {
  filament: { key: 'f.number::text', title: "concat_ws(' - ', v.name, f.name, f.color)" },
  vendor: { key: 'v.number::text', title: 'v.name' },
  material: { key: "nullif(f.material, 'Unknown')", title: "nullif(f.material, 'Unknown')" },
  location: { key: 'l.path', title: 'l.path' },
}
export const GROUP_SORTS: Readonly<Record<string, string>> = {
  'group.title': 'title',
  'group.total_remaining': 'total_remaining_weight',
  'group.last_used': 'last_used',
  'group.spool_count': 'spool_count',
  'group.in_use_count': 'in_use_count',
}

/** Returns groups of spools. `by` contains SQL from `GROUPS`, or SQL for an extra field. */
export const listSpoolGroups = (
  sql: Queryable,
  filter: SpoolmanFilter & { allowArchived: boolean },
  by: { key: string; title: string },
  rows: Slice,
): Promise<GroupRow[]> =>
  sql<GroupRow[]>`
    select ${sql.unsafe(by.key)} as key, min(${sql.unsafe(by.title)}) as title, count(*)::int as spool_count,
           (count(*) filter (where s.remaining_grams < s.weight_grams))::int as in_use_count,
           sum(s.remaining_grams)::float8 as total_remaining_weight, max(s.last_used_at) as last_used,
           (count(*) over ())::int as total
    from spools s
    join filaments f on f.id = s.filament_id
    left join vendors v on v.id = f.vendor_id
    left join locations l on l.id = s.location_id
    where s.deleted_at is null ${filter.allowArchived ? sql`` : sql`and s.archived_at is null`}
      ${matching(sql, filter)}
    group by 1 ${slice(sql, rows, 'key')}`

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

/** Returns the filaments that have a color, each with all its colors. */
export const listFilamentColors = (sql: Queryable): Promise<{ number: number; colors: string[] }[]> =>
  sql<{ number: number; colors: string[] }[]>`
    select number, coalesce(multi_color_hexes, array[color_hex]) as colors from filaments
    where deleted_at is null and (color_hex is not null or cardinality(multi_color_hexes) > 0)`

/**
 * Records the time of a use for which the ledger has no entry of the kind `use`: a weighing, or returned
 * filament.
 */
export async function noteSpoolUse(tx: Queryable, id: string, now: Date): Promise<void> {
  await tx`
    update spools set opened_at = coalesce(opened_at, ${now}), last_used_at = greatest(last_used_at, ${now})
    where id = ${id}`
}
