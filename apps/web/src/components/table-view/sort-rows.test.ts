import { describe, expect, it } from 'vitest'
import { readSorting, sortRows, writeSorting } from './sort-rows.ts'

const COLUMNS = [
  { id: 'name', value: ({ name }: { name: string | null }) => name },
  { id: 'count', value: ({ count }: { count: number | null }) => count },
  { id: 'actions' },
]
const ROWS = [
  { name: 'Hook 10', count: 2 },
  { name: 'hook 9', count: null },
  { name: null, count: 11 },
]

const sorted = (column: string, isDescending = false) =>
  sortRows(ROWS, COLUMNS, { column, isDescending }).map((row) => ROWS.indexOf(row))

describe('sorting rows', () => {
  it('sortRows compares the numbers inside texts by value, and ignores case', () =>
    expect(sorted('name')).toEqual([1, 0, 2]))

  it('sortRows puts unknown values last in both directions', () => {
    expect(sorted('count')).toEqual([0, 2, 1])
    expect(sorted('count', true)).toEqual([2, 0, 1])
  })

  it('sortRows keeps the order if there is no sorting or the column has no values', () => {
    expect(sortRows(ROWS, COLUMNS, null)).toBe(ROWS)
    expect(sorted('actions')).toEqual([0, 1, 2])
  })
})

it('readSorting reads the format that writeSorting writes', () => {
  for (const sorting of [
    { column: 'total', isDescending: true },
    { column: 'total', isDescending: false },
  ])
    expect(readSorting(writeSorting(sorting))).toEqual(sorting)
  expect(readSorting('')).toBeNull()
})
