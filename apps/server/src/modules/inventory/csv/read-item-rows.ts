import {
  MAX_CSV_ROWS,
  READ_ONLY_COLUMNS,
  CSV_COLUMNS,
  type CsvColumn,
} from '@pegasus/contracts/inventory/csv'
import { fieldOfCell } from './item-cells.ts'
import { readCsv, refuseFile } from './read-csv.ts'

/** A row of the file, as the fields of an edit before validation. */
export interface CsvRow {
  /** The row number as in a spreadsheet: the column names are row 1. */
  row: number
  /** Empty if the row has no SKU. */
  sku: string
  fields: Partial<Record<CsvColumn, unknown>>
}

export interface CsvRows {
  rows: CsvRow[]
  unknownColumns: string[]
}

const MAX_COLUMNS = 500

/** Converts a heading such as `Selling price` to the column name `selling_price`. */
const columnName = (cell: string): string =>
  cell
    .trim()
    .toLowerCase()
    .replace(/[\s-]+/g, '_')

const isColumn = (name: string): name is CsvColumn => (CSV_COLUMNS as readonly string[]).includes(name)
const isPassedOver = (name: string): boolean =>
  name === '' || (READ_ONLY_COLUMNS as readonly string[]).includes(name)

function readHead(cells: readonly string[]): (CsvColumn | null)[] {
  if (cells.length > MAX_COLUMNS) refuseFile(`The file has more than ${MAX_COLUMNS} columns.`)
  const names = cells.map(columnName)
  const known = names.filter(isColumn)
  const twice = known.find((name, at) => known.indexOf(name) !== at)
  if (twice) refuseFile(`Two columns have the name ${twice}.`)
  if (!known.includes('sku') && !known.includes('name'))
    refuseFile('The first row must name the columns, and at least one of them must be sku or name.')
  return names.map((name) => (isColumn(name) ? name : null))
}

const isBlank = (cells: readonly string[]): boolean => cells.every((cell) => cell.trim() === '')

/**
 * Parses the rows of a CSV file. Throws TABLE_REJECTED for a file without item columns. Runs in a worker thread,
 * because a large file takes seconds.
 */
export function readItemRows(bytes: Uint8Array): CsvRows {
  const [head = [], ...records] = readCsv(bytes)
  const columns = readHead(head)
  const rows: CsvRow[] = []
  records.forEach((cells, at) => {
    if (isBlank(cells)) return
    const row = at + 2
    if (cells.slice(columns.length).some((cell) => cell !== ''))
      refuseFile(`Row ${row} has more cells than the file has columns.`)
    const fields = Object.fromEntries(
      columns.flatMap((column, place) => (column ? [[column, fieldOfCell(column, cells[place] ?? '')]] : [])),
    ) as CsvRow['fields']
    rows.push({ row, sku: typeof fields.sku === 'string' ? fields.sku.trim() : '', fields })
  })
  if (rows.length === 0) refuseFile('The file has no rows below the column names.')
  if (rows.length > MAX_CSV_ROWS)
    refuseFile(`The file has ${rows.length} rows; the maximum is ${MAX_CSV_ROWS}.`)
  return {
    rows,
    unknownColumns: head.filter((cell) => !isColumn(columnName(cell)) && !isPassedOver(columnName(cell))),
  }
}
