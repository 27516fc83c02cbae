import { v7 as uuidv7 } from 'uuid'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createTestDatabase } from '../../../test/support/database/test-database.ts'
import type { Insert, Row } from './column-types.ts'
import { insertInto, updateTable } from './write-rows.ts'

const NOW = new Date('2026-03-01T12:00:00.123Z')

const aVendor = (name: string): Insert<'vendors'> => ({
  id: uuidv7(),
  name,
  created_at: NOW,
  updated_at: NOW,
})

async function open() {
  const { database, drop } = await createTestDatabase()
  onTestFinished(drop)
  return database.sql
}

describe('insertInto', () => {
  it('insertInto uses the column default for omitted and undefined values, and writes null as null', async () => {
    const sql = await open()
    const vendor = { ...aVendor('Prusament'), comment: null, extra: undefined, spool_weight_grams: 193.5 }
    const [row] = await sql<Row<'vendors'>[]>`${insertInto(sql, 'vendors', vendor)} returning *`
    expect(row).toMatchObject({ name: 'Prusament', comment: null, extra: {}, spool_weight_grams: '193.50' })
    expect(row?.created_at).toBe('2026-03-01T12:00:00.123Z')
  })

  it('insertInto inserts several rows with different columns at once', async () => {
    const sql = await open()
    await insertInto(sql, 'vendors', [aVendor('One'), { ...aVendor('Two'), extra: { origin: 'sheet' } }])
    const rows = await sql<
      Row<'vendors', 'name' | 'extra'>[]
    >`select name, extra from vendors order by number`
    expect(rows).toEqual([
      { name: 'One', extra: {} },
      { name: 'Two', extra: { origin: 'sheet' } },
    ])
  })

  it('insertInto writes arrays into jsonb columns as JSON and into array columns as arrays', async () => {
    const sql = await open()
    const printer = { id: uuidv7(), name: 'MK4', created_at: NOW, updated_at: NOW }
    const [row] = await sql<Row<'printers'>[]>`
      ${insertInto(sql, 'printers', { ...printer, bed_mm: [true, 'x'], materials: ['PLA', 'PETG'] })} returning *`
    expect(row).toMatchObject({ bed_mm: [true, 'x'], materials: ['PLA', 'PETG'] })
  })
})

describe('updateTable', () => {
  it('updateTable can be combined with further assignments in one statement', async () => {
    const sql = await open()
    const vendor = { ...aVendor('Prusament'), comment: 'good' }
    await insertInto(sql, 'vendors', vendor)
    const [row] = await sql<Row<'vendors'>[]>`
      ${updateTable(sql, 'vendors', { name: 'Polymaker', comment: null, extra: undefined })}, revision = revision + 1
      where id = ${vendor.id} returning *`
    expect(row).toMatchObject({ name: 'Polymaker', comment: null, extra: {}, revision: 2 })
  })

  it('updateTable throws if there is no column to change', async () => {
    const sql = await open()
    expect(() => updateTable(sql, 'vendors', { comment: undefined })).toThrow('changes no column')
  })
})
