import type { InventoryItem } from '@pegasus/contracts/inventory/items'
import { READ_ONLY_COLUMNS, CSV_COLUMNS, type CsvColumn } from '@pegasus/contracts/inventory/csv'
import { type CsvCell, csvHeader, csvLine, unescapeFormula } from '../../../platform/csv.ts'

/** Each column has the name of an item's field. */
const COLUMNS = [...CSV_COLUMNS, ...READ_ONLY_COLUMNS] as const satisfies (keyof InventoryItem)[]

const cellOf = (item: InventoryItem, column: (typeof COLUMNS)[number]): CsvCell => item[column]

export const itemCsvHeader = (): string => csvHeader(COLUMNS)

export const itemCsvLine = (item: InventoryItem): string =>
  csvLine(COLUMNS.map((column) => cellOf(item, column)))

/** The value of a cell without surrounding blanks; null for an empty one. */
export const cellText = (item: InventoryItem, column: CsvColumn): string | null => {
  const cell = cellOf(item, column)
  return cell === null ? null : String(cell)
}

/** If empty, the item keeps its value, and a new item gets the default. */
const REQUIRED_NUMBERS: ReadonlySet<string> = new Set<CsvColumn>([
  'quantity',
  'reorder_point',
  'max_stock',
  'safety_stock',
  'pieces_per_print',
])
/** If empty, the value becomes unknown. */
const OPTIONAL_NUMBERS: ReadonlySet<string> = new Set<CsvColumn>([
  'print_time_minutes',
  'weight_grams',
  'material_cost',
  'labor_cost',
  'selling_price',
])

const NUMBER = /^-?\d{1,15}(?:\.\d{1,15})?$/

/** The field of an edit for a cell. A text that should be a number stays a text, and the schema refuses it. */
export function fieldOfCell(column: CsvColumn, cell: string): unknown {
  const text = unescapeFormula(cell)
  const isBlank = text.trim() === ''
  if (REQUIRED_NUMBERS.has(column) || OPTIONAL_NUMBERS.has(column)) {
    if (isBlank) return OPTIONAL_NUMBERS.has(column) ? null : undefined
    return NUMBER.test(text.trim()) ? Number(text.trim()) : text
  }
  if (column === 'status') return isBlank ? undefined : text.trim()
  return text
}
