import { csvHeader, csvLine } from '@pegasus/contracts/csv-text'
import { saveFile } from '@/lib/browser/save-file.ts'
import type { ValueColumn } from './sort-rows.ts'

interface ExportColumn<Row> extends ValueColumn<Row> {
  head: unknown
}

/** Returns the rows as CSV. Each column that has values is included, with its heading from the screen. */
export function rowsAsCsv<Row>(columns: readonly ExportColumn<Row>[], rows: readonly Row[]): string {
  const cells = columns.flatMap(({ head, value }) =>
    typeof head === 'string' && value ? [{ head, value }] : [],
  )
  return [
    csvHeader(cells.map(({ head }) => head)),
    ...rows.map((row) => csvLine(cells.map(({ value }) => value(row)))),
  ].join('')
}

/** Saves the rows as a CSV file that is named after the table. */
export function exportRows<Row>(
  label: string,
  columns: readonly ExportColumn<Row>[],
  rows: readonly Row[],
): void {
  const name = label.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '-')
  saveFile(new Blob([rowsAsCsv(columns, rows)], { type: 'text/csv;charset=utf-8' }), `${name}.csv`)
}
