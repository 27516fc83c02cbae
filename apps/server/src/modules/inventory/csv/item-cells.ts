import type { InventoryItem } from '@pegasus/contracts/inventory/items'
import { READ_ONLY_COLUMNS, CSV_COLUMNS, type CsvColumn } from '@pegasus/contracts/inventory/csv'
import { type CsvCell, csvHeader, csvLine, unescapeFormula } from '@pegasus/contracts/csv-text'

/** The columns of the file. Each has the name of a field of the item. */
const COLUMNS = [...CSV_COLUMNS, ...READ_ONLY_COLUMNS] as const satisfies (keyof InventoryItem)[]

const cellOf = (item: InventoryItem, column: (typeof COLUMNS)[number]): CsvCell => item[column]

export const itemCsvHeader = (): string => csvHeader(COLUMNS)

export const itemCsvLine = (item: InventoryItem): string =>
  csvLine(COLUMNS.map((column) => cellOf(item, column)))

/** Returns the value of a cell as text, or null for an empty cell. */
export const cellText = (item: InventoryItem, column: CsvColumn): string | null => {
  const cell = cellOf(item, column)
  return cell === null ? null : String(cell)
}

/** Columns in which an empty cell keeps the item's value. A new item gets the default. */
const REQUIRED_NUMBERS: ReadonlySet<string> = new Set<CsvColumn>([
  'quantity',
  'reorder_point',
  'max_stock',
  'safety_stock',
  'pieces_per_print',
])
/** Columns in which an empty cell sets the value to unknown. */
const OPTIONAL_NUMBERS: ReadonlySet<string> = new Set<CsvColumn>([
  'print_time_minutes',
  'weight_grams',
  'material_cost',
  'labor_cost',
  'selling_price',
])

/** Returns whether the cells of a column are numbers. */
export const isNumberColumn = (column: string): boolean =>
  REQUIRED_NUMBERS.has(column) || OPTIONAL_NUMBERS.has(column)

const NUMBER = /^-?\d{1,15}(?:\.\d{1,15})?$/

/**
 * Converts a cell to the value of an item's field. A text in a number column stays a text, so that the schema refuses
 * it.
 */
export function fieldOfCell(column: CsvColumn, cell: string): unknown {
  const text = unescapeFormula(cell)
  const isBlank = text.trim() === ''
  if (isNumberColumn(column)) {
    if (isBlank) return OPTIONAL_NUMBERS.has(column) ? null : undefined
    return NUMBER.test(text.trim()) ? Number(text.trim()) : text
  }
  if (column === 'status') return isBlank ? undefined : text.trim()
  return text
}
