import type { ExtraEntity } from '@pegasus/contracts/filament/spoolman-fields'
import type { Queryable } from '../../../../platform/database/database.ts'
import { likePattern } from '../spoolman-lists.ts'
import type { ExtraFieldRow } from './extra-fields.queries.ts'
import { readBoolean, readMoments, readNumbers } from './extra-terms.ts'

/** A filter by an extra field: alternatives, separated by commas. */
export interface ExtraFilter {
  field: ExtraFieldRow
  text: string
}

const PREFIXES: readonly (readonly [prefix: string, entity: ExtraEntity])[] = [
  ['filament.vendor.extra.', 'vendor'],
  ['filament.extra.', 'filament'],
]

/**
 * Parses the filters by extra fields in a query. `own` is the kind of the listed objects. Filters by undefined fields
 * are ignored, as in Spoolman.
 */
export function readExtraFilters(
  query: Readonly<Record<string, unknown>>,
  own: ExtraEntity,
  fields: readonly ExtraFieldRow[],
): ExtraFilter[] {
  const prefixes = own === 'spool' ? PREFIXES : []
  return Object.entries(query).flatMap(([name, text]) => {
    const [prefix, entity] =
      [...prefixes, ['extra.', own] as const].find(([each]) => name.startsWith(each)) ?? []
    if (prefix === undefined || typeof text !== 'string') return []
    const field = fields.find((each) => each.entity === entity && each.key === name.slice(prefix.length))
    return field ? [{ field, text }] : []
  })
}

const unquoted = (text: string): string | undefined => /^"(.*)"$/s.exec(text)?.[1]

const COLUMNS = { vendor: 'v.extra', filament: 'f.extra', spool: 's.extra' } as const

/**
 * Returns the SQL expression for the JSON text of an object's value. It is null for objects without a value.
 */
const jsonOf = (sql: Queryable, { entity, key }: ExtraFieldRow) =>
  sql`(${sql.unsafe(COLUMNS[entity])} ->> ${key}::text)`

/** Returns the SQL expression for a stored time. A time without an offset is in UTC. */
const momentOf = (sql: Queryable, field: ExtraFieldRow) => sql`
  ((${jsonOf(sql, field)}::jsonb #>> '{}')
   || case when ${jsonOf(sql, field)} ~* '(Z|[+-][0-9]{2}:[0-9]{2})"$' then '' else 'Z' end)::timestamptz`

/**
 * Returns the SQL condition that an object has no value. An empty text counts as no value, and so does false in a
 * boolean field.
 */
const isUnset = (sql: Queryable, field: ExtraFieldRow) =>
  field.field_type === 'boolean'
    ? sql`coalesce(${jsonOf(sql, field)}, 'false') = 'false'`
    : sql`coalesce(${jsonOf(sql, field)}, '""') in ('""', '[]')`

const inNumbers = (sql: Queryable, field: ExtraFieldRow, text: string) => {
  const { from, to } = readNumbers(text, field)
  const isRange = field.field_type.endsWith('_range')
  const json = jsonOf(sql, field)
  const least = isRange ? sql`(${json}::jsonb ->> 0)::float8` : sql`${json}::float8`
  const most = isRange ? sql`(${json}::jsonb ->> 1)::float8` : sql`${json}::float8`
  return sql`((${from}::float8 is null or ${least} >= ${from}) and (${to}::float8 is null or ${most} <= ${to}))`
}

const inMoments = (sql: Queryable, field: ExtraFieldRow, text: string) => {
  const { from, to } = readMoments(text, field.key)
  const at = momentOf(sql, field)
  return sql`(${at} >= coalesce(${from}::timestamptz, '-infinity') and ${at} <= coalesce(${to}::timestamptz, 'infinity'))`
}

/** Returns the SQL condition for one alternative of a filter. Throws MALFORMED_REQUEST. */
function matchesTerm(sql: Queryable, field: ExtraFieldRow, term: string) {
  if (term === '') return isUnset(sql, field)
  const whole = unquoted(term)
  const word = whole ?? term
  const json = jsonOf(sql, field)
  const { field_type: type, multi_choice: isMulti } = field
  if (type === 'text' && whole === undefined)
    return sql`lower(${json}::jsonb #>> '{}') like ${likePattern(word)}`
  if (type === 'text') return sql`lower(${json}::jsonb #>> '{}') = ${word.toLowerCase()}`
  if (type === 'choice' && isMulti) return sql`jsonb_exists(${json}::jsonb, ${word})`
  if (type === 'choice') return sql`${json}::jsonb #>> '{}' = ${word}`
  if (type === 'boolean') return sql`${json} = ${String(readBoolean(word, field))}`
  return type === 'datetime' ? inMoments(sql, field, word) : inNumbers(sql, field, word)
}

/**
 * Returns the SQL condition of a filter. Throws MALFORMED_REQUEST for a term that does not fit the type of the field.
 */
export const extraCondition = (sql: Queryable, { field, text }: ExtraFilter) => {
  const terms = text.split(',').map((term) => matchesTerm(sql, field, term.trim()))
  return sql`and (${terms.reduce((some, term) => sql`${some} or ${term}`)})`
}

/**
 * Returns the SQL expression for the value of a text field or a single-choice field. It is null for objects
 * without a value.
 */
export const extraTextColumn = ({ entity, key }: ExtraFieldRow): string =>
  `nullif((${COLUMNS[entity]} ->> '${key}')::jsonb #>> '{}', '')`

/**
 * Returns the SQL expression by which a list is sorted by an extra field. The key can be inserted into SQL, because it
 * has only letters, digits and underscores.
 */
export function extraSortColumn({
  entity,
  key,
  field_type: type,
  multi_choice: isMulti,
}: ExtraFieldRow): string {
  const json = `(${COLUMNS[entity]} ->> '${key}')`
  if (type === 'integer' || type === 'float') return `${json}::float8`
  if (type.endsWith('_range') || isMulti) return `${json}::jsonb -> 0`
  if (type === 'boolean') return `${json}::boolean`
  return `lower(${json}::jsonb #>> '{}')`
}
