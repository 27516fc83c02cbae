import { expect, it } from 'vitest'
import { rowsAsCsv } from './export-rows.ts'

it('rowsAsCsv writes only columns that have values, and neutralizes formulas', () => {
  const columns = [
    { id: 'tick', head: null },
    { id: 'name', head: 'Name', value: ({ name }: { name: string; count: number | null }) => name },
    { id: 'count', head: 'Count', value: ({ count }: { name: string; count: number | null }) => count },
    { id: 'actions', head: 'Actions' },
  ]
  const rows = [
    { name: 'Hook, "large"', count: -2 },
    { name: '=1+1', count: null },
  ]
  expect(rowsAsCsv(columns, rows)).toBe('\uFEFF"Name","Count"\r\n"Hook, ""large""",-2\r\n"\'=1+1",\r\n')
})
