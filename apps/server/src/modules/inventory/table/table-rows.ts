import {
  MAX_TABLE_ROWS,
  READ_ONLY_COLUMNS,
  TABLE_COLUMNS,
  type TableColumn,
} from '@pegasus/contracts/inventory-csv'
import { AppError } from '../../../platform/errors/app-error.ts'
import { fieldOfCell } from './item-cells.ts'
import { readTable } from './read-table.ts'

/** A record of the table as the fields of an edit, none of them judged yet. */
export interface TableRow {
  /** As a spreadsheet counts: the names of the columns are row 1. */
  row: number
  /** Empty where the row has none. */
  sku: string
  fields: Partial<Record<TableColumn, unknown>>
}

export interface TableRows {
  rows: TableRow[]
  unknownColumns: string[]
}

const refuse = (say: string): never => {
  throw new AppError('TABLE_REJECTED', { say, errors: [{ path: 'file', message: say }] })
}

/** `Selling price` is meant for `selling_price`. */
const columnName = (cell: string): string =>
  cell
    .trim()
    .toLowerCase()
    .replace(/[\s-]+/g, '_')

const isColumn = (name: string): name is TableColumn => (TABLE_COLUMNS as readonly string[]).includes(name)
const isPassedOver = (name: string): boolean =>
  name === '' || (READ_ONLY_COLUMNS as readonly string[]).includes(name)

function readHead(cells: readonly string[]): (TableColumn | null)[] {
  const names = cells.map(columnName)
  const known = names.filter(isColumn)
  const twice = known.find((name, at) => known.indexOf(name) !== at)
  if (twice) refuse(`Two columns are called ${twice}.`)
  if (!known.includes('sku') && !known.includes('name'))
    refuse('The first row names the columns, and at least one of them is sku or name.')
  return names.map((name) => (isColumn(name) ? name : null))
}

const isBlank = (cells: readonly string[]): boolean => cells.every((cell) => cell.trim() === '')

/** Reads the rows of a CSV file. Throws TABLE_REJECTED for a file that is no table of items. */
export function readRows(bytes: Uint8Array): TableRows {
  const [head = [], ...records] = readTable(bytes)
  const columns = readHead(head)
  const rows: TableRow[] = []
  records.forEach((cells, at) => {
    if (isBlank(cells)) return
    const row = at + 2
    if (cells.slice(columns.length).some((cell) => cell !== ''))
      refuse(`Row ${row} has more cells than there are columns.`)
    const fields = Object.fromEntries(
      columns.flatMap((column, place) => (column ? [[column, fieldOfCell(column, cells[place] ?? '')]] : [])),
    ) as TableRow['fields']
    rows.push({ row, sku: typeof fields.sku === 'string' ? fields.sku.trim() : '', fields })
  })
  if (rows.length === 0) refuse('The file has no rows below the names of the columns.')
  if (rows.length > MAX_TABLE_ROWS)
    refuse(`The file has ${rows.length} rows; at most ${MAX_TABLE_ROWS} are imported at once.`)
  return {
    rows,
    unknownColumns: head.filter((cell) => !isColumn(columnName(cell)) && !isPassedOver(columnName(cell))),
  }
}
