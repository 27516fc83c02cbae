import { type CsvCell, csvLine } from '@pegasus/contracts/csv-text'

/** The columns of an export: field paths in alphabetical order, as in Spoolman. */
export type SpoolExport = readonly string[]

const within = (name: string, columns: SpoolExport): string[] => columns.map((column) => `${name}.${column}`)

export const VENDORS: SpoolExport = [
  'comment',
  'empty_spool_weight',
  'external_id',
  'id',
  'name',
  'registered',
]

export const FILAMENTS: SpoolExport = [
  'article_number',
  'color_hex',
  'comment',
  'density',
  'diameter',
  'external_id',
  'id',
  'material',
  'multi_color_direction',
  'multi_color_hexes',
  'name',
  'price',
  'registered',
  'settings_bed_temp',
  'settings_extruder_temp',
  'spool_weight',
  ...within('vendor', VENDORS),
  'vendor_id',
  'weight',
]

export const SPOOLS: SpoolExport = [
  'archived',
  'comment',
  ...within('filament', FILAMENTS),
  'filament_id',
  'first_used',
  'id',
  'initial_weight',
  'last_used',
  'location',
  'lot_nr',
  'price',
  'registered',
  'spool_weight',
  'used_weight',
]

const fieldOf = (thing: unknown, name: string): unknown =>
  typeof thing === 'object' && thing !== null && Object.hasOwn(thing, name)
    ? (thing as Record<string, unknown>)[name]
    : undefined

/** Returns the value of a column. For example, `filament.vendor_id` is the id of the filament's vendor. */
function valueAt(thing: object, column: string): CsvCell {
  const [owner, of] = /^(.*\b)?(vendor|filament)_id$/.test(column)
    ? [column.replace(/_id$/, ''), 'id']
    : [column.split('.').slice(0, -1).join('.'), column.split('.').at(-1) ?? '']
  const holder = owner === '' ? thing : owner.split('.').reduce<unknown>(fieldOf, thing)
  const value = fieldOf(holder, of)
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : null
}

/** Converts an object to one flat row. A missing value is null. */
export const toRow = (table: SpoolExport, thing: object): Record<string, CsvCell> =>
  Object.fromEntries(table.map((column) => [column, valueAt(thing, column)]))

/** Converts booleans to the words that Spoolman writes. */
const cellOf = (value: CsvCell): CsvCell => (typeof value === 'boolean' ? (value ? 'True' : 'False') : value)

/** Writes CSV without a byte order mark, which programs would read as part of the first column's name. */
export const toCsv = (table: SpoolExport, things: readonly object[]): string =>
  csvLine(table) +
  things.map((thing) => csvLine(table.map((column) => cellOf(valueAt(thing, column))))).join('')
