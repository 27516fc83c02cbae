import { compareNames } from '@/lib/i18n/compare-names.ts'

/** The value of a cell, for sorting and for the export. */
export type ColumnValue = string | number | null

/** The part of a column that sorting and the export need. */
export interface ValueColumn<Row> {
  id: string
  value?: ((row: Row) => ColumnValue) | undefined
}

export interface Sorting {
  column: string
  isDescending: boolean
}

/** Returns a sorting in the format of the URL: `total`, or `-total` for descending. */
export const writeSorting = ({ column, isDescending }: Sorting): string =>
  `${isDescending ? '-' : ''}${column}`

export function readSorting(text: string | null): Sorting | null {
  if (!text) return null
  return text.startsWith('-')
    ? { column: text.slice(1), isDescending: true }
    : { column: text, isDescending: false }
}

function compare(left: string | number, right: string | number): number {
  if (typeof left === 'number' && typeof right === 'number') return left - right
  return compareNames(String(left), String(right))
}

const isUnknown = (value: ColumnValue): value is null | '' => value === null || value === ''

/**
 * Sorts the rows by the values of a column. Unknown values come last in both directions. Rows with equal values keep
 * their order.
 */
export function sortRows<Row>(
  rows: readonly Row[],
  columns: readonly ValueColumn<Row>[],
  sorting: Sorting | null,
): readonly Row[] {
  const value = columns.find(({ id }) => id === sorting?.column)?.value
  if (!value || !sorting) return rows
  const sign = sorting.isDescending ? -1 : 1
  return rows.toSorted((a, b) => {
    const left = value(a)
    const right = value(b)
    if (isUnknown(left)) return isUnknown(right) ? 0 : 1
    return isUnknown(right) ? -1 : sign * compare(left, right)
  })
}
