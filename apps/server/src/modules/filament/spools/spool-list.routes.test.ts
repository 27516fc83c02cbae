import type { Spool } from '@pegasus/contracts/filament/spools'
import { describe, expect, it } from 'vitest'
import { type TestApp, buildTestApp } from '../../../../test/support/build-test-app.ts'
import {
  aPrintJob,
  aSpool,
  allPages,
  refusalOf,
  takeFromSpool,
} from '../../../../test/support/stock-factories.ts'

const list = async (app: TestApp, query = '') =>
  app.http.inject({ url: `/api/filament${query}`, headers: await app.as('viewer') })

const colors = async (app: TestApp, query = ''): Promise<string[]> =>
  (await list(app, query)).json<Spool[]>().map((spool) => spool.color)

describe('GET /api/filament', () => {
  describe('valid requests for spools', () => {
    it('GET /api/filament returns a spool with its filament, its vendor and the jobs that wait for it', async () => {
      const app = await buildTestApp()
      const id = await aSpool(app, {
        material: 'PETG',
        brand: 'Prusament',
        name: 'PETG',
        color: 'Signal Orange',
        colorHex: '#ff6a13',
        weightGrams: 1000,
        spoolWeightGrams: 201,
        remainingGrams: 584.25,
        costMinor: 2999,
        location: 'Dry box 1',
        lotNumber: 'L-77',
        nozzleTempC: 240,
        bedTempC: 85,
        notes: 'dry it',
      })
      await takeFromSpool(app, id, 84.25)
      await aPrintJob(app, { spoolId: id, estimatedGrams: 412 })
      expect((await list(app)).json<Spool[]>()).toEqual([
        {
          id,
          number: 1,
          label_code: 'S-0001',
          material: 'PETG',
          brand: 'Prusament',
          name: 'PETG',
          color: 'Signal Orange',
          color_hex: '#FF6A13',
          diameter_mm: 1.75,
          density_g_cm3: 1.27,
          weight_grams: 1000,
          spool_weight_grams: 201,
          remaining_grams: 500,
          cost: 29.99,
          location: 'Dry box 1',
          lot_number: 'L-77',
          status: 'active',
          nozzle_temp_c: 240,
          bed_temp_c: 85,
          opened_at: app.clock.now().toISOString(),
          last_used_at: app.clock.now().toISOString(),
          dried_at: null,
          drying_interval_days: null,
          low_stock_grams: null,
          notes: 'dry it',
          queued_jobs: 1,
          queued_grams: 412,
          revision: 1,
          created_at: app.clock.now().toISOString(),
          updated_at: app.clock.now().toISOString(),
          deleted_at: null,
        },
      ])
    })

    it('GET /api/filament filters by search words, material and status', async () => {
      const app = await buildTestApp()
      await aSpool(app, { color: 'Bone White', lotNumber: 'A-1' })
      await aSpool(app, { material: 'PETG', brand: 'Prusament', name: 'Galaxy', color: 'Black' })
      await aSpool(app, { material: 'PLA+', brand: null, color: 'Red', remainingGrams: 96 })
      await aSpool(app, { color: 'Green', remainingGrams: 0 })
      await aSpool(app, { color: 'Blue', archivedAt: app.clock.now() })
      expect(await colors(app, '?search=prusament%20BLACK')).toEqual(['Black'])
      expect(await colors(app, '?search=galaxy')).toEqual(['Black'])
      expect(await colors(app, '?search=bone')).toEqual(['Bone White'])
      expect(await colors(app, '?search=a-1')).toEqual(['Bone White'])
      expect(await colors(app, '?search=petg')).toEqual(['Black'])
      expect(await colors(app, '?search=s-0003')).toEqual(['Red'])
      expect(await colors(app, '?search=%25')).toEqual([])
      expect(await colors(app, '?material=pla')).toEqual(['Blue', 'Green', 'Bone White'])
      expect(await colors(app, '?status=active')).toEqual(['Black', 'Bone White'])
      expect(await colors(app, '?status=low')).toEqual(['Red'])
      expect(await colors(app, '?status=empty')).toEqual(['Green'])
      expect(await colors(app, '?status=archived&material=PLA')).toEqual(['Blue'])
    })

    it('GET /api/filament returns all spools page by page, newest first', async () => {
      const app = await buildTestApp()
      for (const color of ['1', '2', '3']) await aSpool(app, { color })
      const { items, total } = await allPages<Spool>(app, await app.as('viewer'), '/api/filament?limit=2')
      expect(items.map((spool) => spool.color)).toEqual(['3', '2', '1'])
      expect(total).toBe('3')
    })

    it('GET /api/filament returns all spools page by page in every order, and refuses the cursor of another order', async () => {
      const app = await buildTestApp()
      const viewer = await app.as('viewer')
      for (const [color, remainingGrams] of [
        ['Red', 300],
        ['Black', 90.5],
        ['White', 300],
        ['Amber', 800],
      ] as const) {
        app.clock.advance(1000)
        await aSpool(app, { color, remainingGrams })
      }
      await takeFromSpool(app, (await list(app, '?search=white')).json<Spool[]>()[0]?.id ?? '', 0.25)
      const orders = {
        newest: ['Amber', 'White', 'Black', 'Red'],
        least_left: ['Black', 'White', 'Red', 'Amber'],
        most_left: ['Amber', 'Red', 'White', 'Black'],
        material: ['Amber', 'Black', 'Red', 'White'],
        last_used: ['White', 'Amber', 'Black', 'Red'],
      }
      for (const [sort, expected] of Object.entries(orders)) {
        const { items } = await allPages<Spool>(app, viewer, `/api/filament?limit=1&sort=${sort}`)
        expect([sort, items.map((spool) => spool.color)]).toEqual([sort, expected])
      }
      const link = String((await list(app, '?limit=1&sort=material')).headers.link)
      const cursor = /cursor=([^>&]+)/.exec(link)?.[1]
      expect((await list(app, `?sort=newest&cursor=${cursor}`)).statusCode).toBe(422)
    })

    it('GET /api/filament returns archived spools, spools in use, or both', async () => {
      const app = await buildTestApp()
      await aSpool(app, { color: 'Blue', archivedAt: app.clock.now() })
      await aSpool(app, { color: 'Red' })
      expect(await colors(app)).toEqual(['Red', 'Blue'])
      expect(await colors(app, '?archived=false')).toEqual(['Red'])
      expect(await colors(app, '?archived=true')).toEqual(['Blue'])
    })
  })

  it('GET /api/filament returns the trash of the last 30 days page by page, latest first or in any other order', async () => {
    const app = await buildTestApp()
    const [staff, ids] = [await app.as('staff'), new Map<string, string>()]
    for (const color of ['Old', 'Red', 'Amber', 'Kept']) ids.set(color, await aSpool(app, { color }))
    const remove = async (color: string) => {
      app.clock.advance(1000)
      const url = `/api/filament/${ids.get(color)}`
      expect((await app.http.inject({ method: 'DELETE', url, headers: staff })).statusCode).toBe(204)
    }
    await remove('Old')
    app.clock.advance(15 * 24 * 3_600_000)
    const later = await app.as('staff')
    for (const color of ['Amber', 'Red'])
      await app.database.transaction(
        (tx) =>
          tx`update spools set deleted_at = ${app.clock.now()}::timestamptz + ${color === 'Red' ? 2 : 1} * interval '1 second'
           where id = ${ids.get(color) ?? ''}`,
      )
    const inTrash = async (query: string) =>
      (await allPages<Spool>(app, later, `/api/filament?deleted=true&limit=1${query}`)).items.map(
        ({ color }) => color,
      )
    expect(await inTrash('')).toEqual(['Red', 'Amber', 'Old'])
    expect(await inTrash('&sort=material')).toEqual(['Amber', 'Old', 'Red'])
    expect(await inTrash('&search=amber')).toEqual(['Amber'])
    expect(await colors(app)).toEqual(['Kept'])
    const first = await list(app, '?deleted=true&limit=1')
    expect(first.json<Spool[]>()[0]?.deleted_at).toEqual(expect.any(String))
    const cursor = /cursor=([^&>]+)/.exec(String(first.headers.link))?.[1]
    expect((await list(app, `?limit=1&cursor=${cursor}`)).statusCode).toBe(422)
    expect((await list(app, '?deleted=false')).statusCode).toBe(422)
    app.clock.advance(16 * 24 * 3_600_000)
    expect(await colors(app, '?deleted=true')).toEqual(['Red', 'Amber'])
  })

  it('GET /api/filament refuses invalid input with 422', async () => {
    const app = await buildTestApp()
    for (const query of [
      '?limit=1001',
      '?status=full',
      '?sort=size',
      '?archived=perhaps',
      '?cursor=abc',
      '?search=%00',
      '?material=%00',
    ])
      expect((await list(app, query)).statusCode).toBe(422)
  })

  it('GET /api/filament refuses a caller without a token with 401', async () => {
    expect((await (await buildTestApp()).http.inject('/api/filament')).statusCode).toBe(401)
  })
})

describe('GET /api/filament/materials', () => {
  const materials = async (app: TestApp): Promise<string[]> =>
    (await app.http.inject({ url: '/api/filament/materials', headers: await app.as('viewer') })).json()

  it('GET /api/filament/materials lists each material once, in the spelling that most spools use', async () => {
    const app = await buildTestApp()
    expect(await materials(app)).toEqual([])
    for (const name of ['PolyLite', 'PolyMax']) await aSpool(app, { material: 'PLA', name })
    await aSpool(app, { material: 'pla', name: 'Basic' })
    await aSpool(app, { material: 'tpu 95A' })
    await aSpool(app, { material: 'ASA', archivedAt: app.clock.now() })
    const trashed = await aSpool(app, { material: 'PETG' })
    await app.database.sql`update spools set deleted_at = now() where id = ${trashed}`
    expect(await materials(app)).toEqual(['ASA', 'PLA', 'tpu 95A'])
    for (const material of await materials(app))
      expect((await list(app, `?material=${encodeURIComponent(material)}`)).json()).not.toEqual([])
  })

  it('GET /api/filament/materials refuses a caller without a token with 401', async () => {
    expect((await (await buildTestApp()).http.inject('/api/filament/materials')).statusCode).toBe(401)
  })
})

describe('the ledger of a new spool', () => {
  it("the entries of a spool's ledger, from the opening balance on, add up to the remaining weight", async () => {
    const app = await buildTestApp()
    const id = await aSpool(app, { weightGrams: 750 })
    expect(await takeFromSpool(app, id, 100.5)).toBe(649.5)
    const rows = await app.database.sql<{ kind: string; delta: number; before: number; after: number }[]>`
      select kind, delta_grams::float8 as delta, before_grams::float8 as before, after_grams::float8 as after
      from spool_ledger where spool_id = ${id} order by id`
    expect(rows.map((row) => ({ ...row }))).toEqual([
      { kind: 'open', delta: 750, before: 0, after: 750 },
      { kind: 'use', delta: -100.5, before: 750, after: 649.5 },
    ])
  })

  it('a use that exceeds the remaining filament empties the spool, but keeps the reported amount in the ledger', async () => {
    const app = await buildTestApp()
    const id = await aSpool(app, { remainingGrams: 30 })
    const left = await Promise.all(Array.from({ length: 5 }, () => takeFromSpool(app, id, 12)))
    expect(left.toSorted((a, b) => b - a)).toEqual([18, 6, 0, 0, 0])
    const [row] = await app.database.sql<[{ reported: number }]>`
      select sum(coalesce(reported_grams, -delta_grams))::float8 as reported from spool_ledger where kind = 'use'`
    expect(row.reported).toBe(60)
    expect((await list(app)).json<Spool[]>()[0]).toMatchObject({ remaining_grams: 0, status: 'empty' })
  })

  it('the remaining weight of a spool changes only through new ledger entries, never through changes of old ones', async () => {
    const app = await buildTestApp()
    const id = await aSpool(app)
    const { sql } = app.database
    for (const attempt of [
      sql`update spools set remaining_grams = 1 where id = ${id}`,
      sql`update spool_ledger set delta_grams = 1`,
      sql`delete from spool_ledger`,
    ])
      await expect(attempt).rejects.toThrow()
  })

  it('spools with the same names share their filament and vendor', async () => {
    const app = await buildTestApp()
    await Promise.all([1, 2, 3].map(() => aSpool(app)))
    await aSpool(app, { brand: 'POLYMAKER' })
    expect(await app.database.sql`select id from vendors`).toHaveLength(1)
    expect(await app.database.sql`select id from filaments`).toHaveLength(1)
  })

  it('a spool with invalid values is refused', async () => {
    const app = await buildTestApp()
    const bad = [
      { material: ' ' },
      { name: '' },
      { remainingGrams: -1 },
      { weightGrams: 0 },
      { colorHex: 'red' },
      { lotNumber: 'x'.repeat(65) },
      { name: 'x'.repeat(65) },
      { densityGCm3: 0 },
    ]
    for (const spool of bad)
      expect([spool, await refusalOf(aSpool(app, spool))]).toEqual([spool, 'SPOOL_INVALID'])
    expect(await refusalOf(aSpool(app, { remainingGrams: 1_000_001 }))).toBe('SPOOL_WEIGHT_LIMIT')
    expect(await refusalOf(takeFromSpool(app, crypto.randomUUID(), 1))).toBe('SPOOL_NOT_FOUND')
    expect(await app.database.sql`select id from spools`).toHaveLength(0)
  })
})
