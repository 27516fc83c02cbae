import type { SpoolEntry } from '@pegasus/contracts/filament/ledger'
import type { SpoolmanFilament, SpoolmanSpool, SpoolmanVendor } from '@pegasus/contracts/filament/spoolman'
import { describe, expect, it } from 'vitest'
import { aKey, auditOf, keyHeader } from '../../../../test/support/accounts/api-keys.ts'
import { type TestApp, buildTestApp } from '../../../../test/support/build-test-app.ts'
import { untilWaiting } from '../../../../test/support/database/lock-waits.ts'
import { aSpool } from '../../../../test/support/stock-factories.ts'
import { SYSTEM_ACTOR } from '../../../platform/actor.ts'
import { createSpool } from '../spools/add-spool.ts'

const API = '/spoolman/api/v1'

type Headers = Record<string, string>
type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'

const aPrinter = async (app: TestApp): Promise<Headers> =>
  keyHeader((await aKey(app, { scope: ['print-jobs'], label: 'Voron' })).key)

const call = (app: TestApp, headers: Headers, method: Method, path: string, payload?: object) =>
  app.http.inject({ method, url: `${API}${path}`, headers, ...(payload && { payload }) })

const done = async <T>(
  app: TestApp,
  headers: Headers,
  method: Method,
  path: string,
  payload?: object,
): Promise<T> => {
  const answer = await call(app, headers, method, path, payload)
  if (answer.statusCode !== 200) throw new Error(`${method} ${path}: ${answer.statusCode} ${answer.body}`)
  return answer.json<T>()
}

const PETG = { material: 'PETG', density: 1.27, diameter: 1.75, weight: 750, name: 'Galaxy Black' }

const ledgerOf = async (app: TestApp, id: string) =>
  (await app.http.inject({ url: `/api/filament/${id}/ledger`, headers: await app.as('viewer') })).json<
    SpoolEntry[]
  >()

const idOf = async (app: TestApp, number: number): Promise<string> => {
  const [row] = await app.database.sql<[{ id: string }]>`select id from spools where number = ${number}`
  return row.id
}

describe('changing vendors and filaments through the Spoolman API', () => {
  it('vendors and filaments can be added, changed and removed through the Spoolman API', async () => {
    const app = await buildTestApp()
    const printer = await aPrinter(app)
    const vendor = await done<SpoolmanVendor>(app, printer, 'POST', '/vendor', {
      name: ' Prusament ',
      empty_spool_weight: 201,
      comment: '',
    })
    expect(vendor).toEqual({
      id: 1,
      registered: expect.any(String),
      name: 'Prusament',
      empty_spool_weight: 201,
      extra: {},
    })
    const filament = await done<SpoolmanFilament>(app, printer, 'POST', '/filament', {
      ...PETG,
      vendor_id: 1,
      price: 29.99,
      color_hex: '#1a2b3c',
      settings_bed_temp: 85,
      article_number: 'PM-1',
      extra: {},
    })
    expect(filament).toMatchObject({
      ...PETG,
      vendor,
      price: 29.99,
      color_hex: '1A2B3C',
      article_number: 'PM-1',
    })
    const changed = await done<SpoolmanFilament>(app, printer, 'PATCH', '/filament/1', {
      multi_color_hexes: 'FF0000,#00ff00',
      multi_color_direction: 'coaxial',
      price: null,
    })
    const { price: _, color_hex: __, ...rest } = filament
    const colors = { multi_color_hexes: 'FF0000,00FF00', multi_color_direction: 'coaxial' }
    expect(changed).toEqual({ ...rest, ...colors })
    expect(await done(app, printer, 'PATCH', '/filament/1', {})).toEqual(changed)
    expect(await done(app, printer, 'PATCH', '/vendor/1', { name: 'Prusa' })).toMatchObject({
      name: 'Prusa',
      empty_spool_weight: 201,
    })
    expect(await done(app, printer, 'DELETE', '/vendor/1')).toEqual({ message: 'Success!' })
    expect(await done(app, printer, 'GET', '/filament/1')).not.toHaveProperty('vendor')
    await done(app, printer, 'DELETE', '/filament/1')
    for (const path of ['/filament/1', '/vendor/1'])
      expect((await call(app, printer, 'GET', path)).statusCode).toBe(404)
    expect(await done(app, printer, 'POST', '/vendor', { name: 'Prusa' })).toMatchObject({ id: 2 })
  })

  it('a filament renamed through the Spoolman API keeps its color if the new name still ends with the color', async () => {
    const app = await buildTestApp()
    const id = await aSpool(app, { name: 'PolyLite', color: 'Bone White' })
    const printer = await aPrinter(app)
    const shown = async () => {
      const answer = await app.http.inject({ url: `/api/filament/${id}`, headers: await app.as('viewer') })
      const { name, color } = answer.json<{ name: string; color: string }>()
      return [name, color]
    }
    const { name } = await done<SpoolmanFilament>(app, printer, 'GET', '/filament/1')
    await done(app, printer, 'PATCH', '/filament/1', { name, comment: 'nice' })
    expect(await shown()).toEqual(['PolyLite', 'Bone White'])
    await done(app, printer, 'PATCH', '/filament/1', { name: 'PolyTerra Bone White' })
    expect(await shown()).toEqual(['PolyTerra', 'Bone White'])
    await done(app, printer, 'PATCH', '/filament/1', { name: 'PolyTerra Sky' })
    expect(await shown()).toEqual(['PolyTerra Sky', ''])
  })

  it('the Spoolman API refuses duplicates, filaments in use, unknown numbers and invalid values', async () => {
    const app = await buildTestApp()
    await aSpool(app, { name: 'PolyLite', color: '' })
    const printer = await aPrinter(app)
    await done(app, printer, 'POST', '/vendor', { name: 'Prusa' })
    await done(app, printer, 'POST', '/filament', PETG)
    const same = { ...PETG, name: 'polylite', material: 'pla', weight: 1000 }
    for (const [method, path, body, status] of [
      ['POST', '/vendor', { name: 'PRUSA' }, 409],
      ['PATCH', '/vendor/2', { name: 'Polymaker' }, 409],
      ['POST', '/vendor', {}, 422],
      ['POST', '/vendor', { name: 'x'.repeat(65) }, 422],
      ['POST', '/vendor', { name: 'a\0b' }, 422],
      ['POST', '/vendor', { name: 'Extra', extra: { tag: '"1"' } }, 400],
      ['POST', '/vendor', { name: 'Extra', extra: { tag: 1 } }, 422],
      ['POST', '/vendor', { name: 'Heavy', empty_spool_weight: -1 }, 422],
      ['PATCH', '/vendor/9', { name: 'x' }, 404],
      ['DELETE', '/vendor/9', undefined, 404],
      ['POST', '/filament', PETG, 409],
      ['POST', '/filament', { ...same, vendor_id: 1 }, 409],
      ['PATCH', '/filament/2', { ...same, vendor_id: 1 }, 409],
      ['POST', '/filament', { ...PETG, vendor_id: 9 }, 404],
      ['POST', '/filament', { ...PETG, density: 0 }, 422],
      ['POST', '/filament', { ...PETG, diameter: 0.0001 }, 422],
      ['POST', '/filament', { ...PETG, material: 7 }, 422],
      ['POST', '/filament', { ...PETG, name: 'Cents', price: 1.005 }, 422],
      ['POST', '/filament', { ...PETG, name: 'Two', color_hex: 'red' }, 422],
      ['POST', '/filament', { ...PETG, name: 'Two', multi_color_hexes: 'FF0000' }, 422],
      ['POST', '/filament', { ...PETG, name: 'Two', multi_color_hexes: 'FF0000,00FF00' }, 422],
      ['POST', '/filament', { ...PETG, name: 'Two', multi_color_direction: 'coaxial' }, 422],
      ['PATCH', '/filament/9', { comment: 'x' }, 404],
      ['DELETE', '/filament/1', undefined, 403],
    ] as const) {
      const answer = await call(app, printer, method, path, body)
      expect([method, path, body, answer.statusCode]).toEqual([method, path, body, status])
    }
  })

  it('the Spoolman API keeps a filament if a spool of it is added while the filament is being removed', async () => {
    const app = await buildTestApp()
    const printer = await aPrinter(app)
    await done(app, printer, 'POST', '/filament', PETG)
    const removal = await app.database.transaction(async (tx) => {
      const spool = { material: 'PETG', name: 'Galaxy Black', weightGrams: 750 }
      await createSpool(tx, spool, { actor: SYSTEM_ACTOR, now: app.clock.now() })
      const answer = call(app, printer, 'DELETE', '/filament/1')
      await untilWaiting(app, 1)
      return { answer }
    })
    expect((await removal.answer).statusCode).toBe(403)
  })
})

describe('changing spools through the Spoolman API', () => {
  it('the Spoolman API adds a spool once for a repeated idempotency key', async () => {
    const app = await buildTestApp()
    const printer = await aPrinter(app)
    await done(app, printer, 'POST', '/filament', { ...PETG, spool_weight: 200 })
    const body = {
      filament_id: 1,
      price: 24.5,
      used_weight: 50,
      location: 'Dry box 1',
      lot_nr: 'L-1',
      comment: 'new',
      first_used: '2026-01-02T03:04:05Z',
      last_used: '2026-01-03T03:04:05+01:00',
    }
    const twice = { ...printer, 'idempotency-key': 'k1' }
    const spool = await done<SpoolmanSpool>(app, twice, 'POST', '/spool', body)
    expect(spool).toMatchObject({
      id: 1,
      price: 24.5,
      initial_weight: 750,
      remaining_weight: 700,
      used_weight: 50,
      spool_weight: 200,
      location: 'Dry box 1',
      lot_nr: 'L-1',
      comment: 'new',
      archived: false,
    })
    expect([spool.first_used, spool.last_used].map((at) => new Date(at ?? '').toISOString())).toEqual([
      '2026-01-02T03:04:05.000Z',
      '2026-01-03T02:04:05.000Z',
    ])
    expect(await done(app, twice, 'POST', '/spool', body)).toEqual(spool)
    expect((await call(app, twice, 'POST', '/spool', { filament_id: 1 })).statusCode).toBe(409)
    expect(await done(app, printer, 'POST', '/spool', { filament_id: 1 })).toMatchObject({
      id: 2,
      remaining_weight: 750,
    })
    expect(await done(app, printer, 'POST', '/spool', { filament_id: 1, initial_weight: 250 })).toMatchObject(
      {
        id: 3,
        remaining_weight: 250,
      },
    )
    const audit = (await auditOf(app, 'spool')).map(({ action, actor_name: by }) => [action, by])
    expect(audit).toEqual(Array(3).fill(['spool.added', 'Voron']))
  })

  it("a change of a spool's weight through the Spoolman API becomes a ledger entry and keeps the used amount", async () => {
    const app = await buildTestApp()
    const printer = await aPrinter(app)
    await done(app, printer, 'POST', '/filament', PETG)
    await done(app, printer, 'POST', '/filament', { ...PETG, name: 'Other', weight: 500 })
    await done(app, printer, 'POST', '/spool', { filament_id: 1, remaining_weight: 600 })
    const change = (edit: object) => done<SpoolmanSpool>(app, printer, 'PATCH', '/spool/1', edit)
    expect(await change({ remaining_weight: 400.5 })).toMatchObject({
      remaining_weight: 400.5,
      used_weight: 349.5,
    })
    expect(await change({ used_weight: 100 })).toMatchObject({ remaining_weight: 650 })
    expect(await change({ initial_weight: 1000 })).toMatchObject({ remaining_weight: 900, used_weight: 100 })
    expect(await change({ filament_id: 2, initial_weight: null })).toMatchObject({
      initial_weight: 500,
      remaining_weight: 400,
      filament: { id: 2 },
    })
    const ledger = await ledgerOf(app, await idOf(app, 1))
    expect(ledger.map(({ kind, delta_grams: grams }) => [kind, grams])).toEqual([
      ['correct', -500],
      ['correct', 250],
      ['correct', 249.5],
      ['correct', -199.5],
      ['open', 600],
    ])
    expect(await change({ location: 'Shelf A', lot_nr: null, comment: 'x', archived: true })).toMatchObject({
      location: 'Shelf A',
      archived: true,
      remaining_weight: 400,
    })
    expect(await change({ location: '', archived: false })).not.toHaveProperty('location')
    const before = await ledgerOf(app, await idOf(app, 1))
    await change({ remaining_weight: 400 })
    expect(await ledgerOf(app, await idOf(app, 1))).toEqual(before)
    expect(await done(app, printer, 'DELETE', '/spool/1')).toEqual({ message: 'Success!' })
    expect((await call(app, printer, 'GET', '/spool/1')).statusCode).toBe(404)
    const restore = { method: 'POST', url: `/api/filament/${await idOf(app, 1)}/restore` } as const
    expect((await app.http.inject({ ...restore, headers: await app.as('staff') })).statusCode).toBe(200)
  })

  it('the Spoolman API refuses invalid spool values, and keys of viewers', async () => {
    const app = await buildTestApp()
    await aSpool(app)
    const printer = await aPrinter(app)
    for (const [method, path, body, status] of [
      ['POST', '/spool', {}, 422],
      ['POST', '/spool', { filament_id: 9 }, 404],
      ['POST', '/spool', { filament_id: 1, remaining_weight: 1, used_weight: 1 }, 400],
      ['POST', '/spool', { filament_id: 1, remaining_weight: 1e7 }, 422],
      ['POST', '/spool', { filament_id: 1, extra: { a: '1' } }, 400],
      ['POST', '/spool', { filament_id: 1, first_used: 'soon' }, 422],
      ['PATCH', '/spool/1', { remaining_weight: 1, used_weight: 1 }, 400],
      ['PATCH', '/spool/1', { filament_id: null }, 422],
      ['PATCH', '/spool/1', { filament_id: 9 }, 404],
      ['PATCH', '/spool/1', { price: 0.001 }, 422],
      ['PATCH', '/spool/9', { comment: 'x' }, 404],
      ['DELETE', '/spool/9', undefined, 404],
    ] as const) {
      const answer = await call(app, printer, method, path, body)
      expect([method, path, body, answer.statusCode]).toEqual([method, path, body, status])
    }
    expect(await done(app, printer, 'GET', '/spool')).toHaveLength(1)
    const viewer = keyHeader((await aKey(app, { role: 'viewer', scope: ['print-jobs'] })).key)
    for (const [method, path] of [
      ['POST', '/vendor'],
      ['PATCH', '/filament/1'],
      ['DELETE', '/spool/1'],
    ] as const)
      expect((await call(app, viewer, method, path, {})).statusCode).toBe(403)
  })
})

describe('lists for the forms of other programs', () => {
  it('the Spoolman API returns the words, settings and fields that other programs show in their forms', async () => {
    const app = await buildTestApp()
    await aSpool(app, { material: 'PETG', location: 'Dry box 1', lotNumber: 'L-2' })
    await aSpool(app, { lotNumber: 'L-1', location: 'Dry box 1' })
    const printer = await aPrinter(app)
    await done(app, printer, 'PATCH', '/filament/1', { article_number: 'PM-1' })
    for (const [path, words] of [
      ['/material', ['PETG', 'PLA']],
      ['/article-number', ['PM-1']],
      ['/lot-number', ['L-1', 'L-2']],
      ['/location', ['Dry box 1']],
      ['/field/spool', []],
      ['/setting/currency', { value: '"USD"', is_set: false, type: 'string' }],
    ] as const)
      expect([path, await done(app, printer, 'GET', path)]).toEqual([path, words])
    expect(await done(app, printer, 'GET', '/setting/')).toMatchObject({ currency: { value: '"USD"' } })
    for (const path of ['/setting/constructor', '/setting/secret', '/field/account'])
      expect([path, (await call(app, printer, 'GET', path)).statusCode]).toEqual([path, 404])
  })
})

describe('the audit of changes through the Spoolman API', () => {
  it('each Spoolman change of a vendor or filament adds an audit entry with the old values, unless it changes nothing', async () => {
    const app = await buildTestApp()
    const printer = await aPrinter(app)
    await done(app, printer, 'POST', '/vendor', { name: 'Prusament' })
    await done(app, printer, 'PATCH', '/vendor/1', { name: 'Prusament' })
    await done(app, printer, 'PATCH', '/vendor/1', { name: 'Prusa', empty_spool_weight: 201 })
    await done(app, printer, 'POST', '/filament', { ...PETG, vendor_id: 1 })
    await done(app, printer, 'PATCH', '/filament/1', { settings_bed_temp: 85 })
    await done(app, printer, 'PATCH', '/filament/1', { settings_bed_temp: 85 })
    await done(app, printer, 'DELETE', '/vendor/1')
    await done(app, printer, 'DELETE', '/filament/1')
    expect(await auditOf(app, 'vendor')).toMatchObject([
      { action: 'vendor.added', actor_name: 'Voron', after: { name: 'Prusament' } },
      {
        action: 'vendor.updated',
        before: { name: 'Prusament', empty_spool_weight: null },
        after: { name: 'Prusa', empty_spool_weight: 201 },
      },
      { action: 'vendor.deleted', actor_name: 'Voron' },
    ])
    const filaments = await auditOf(app, 'filament')
    expect(filaments).toMatchObject([
      { action: 'filament.added', after: { name: 'Galaxy Black', material: 'PETG', vendor: 'Prusa' } },
      { action: 'filament.updated', before: { bed_temp_c: null }, after: { bed_temp_c: 85 } },
      { action: 'filament.deleted' },
    ])
    expect(new Set(filaments.map(({ entity_id: id }) => id)).size).toBe(1)
    const refused = await call(app, printer, 'POST', '/filament', { ...PETG, vendor_id: 1 })
    expect(refused.statusCode).toBe(404)
    expect(await auditOf(app, 'filament')).toHaveLength(3)
  })
})
