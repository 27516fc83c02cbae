import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import type { SpoolEntry } from '@pegasus/contracts/filament/ledger'
import type { SpoolmanFilament, SpoolmanSpool, SpoolmanVendor } from '@pegasus/contracts/filament/spoolman'
import { describe, expect, it, onTestFinished } from 'vitest'
import { WebSocket } from 'ws'
import { aKey, actOnKey, keyHeader } from '../../../../test/support/accounts/api-keys.ts'
import { type TestApp, buildTestApp } from '../../../../test/support/build-test-app.ts'
import { aSpool } from '../../../../test/support/stock-factories.ts'
import { MINUTE_MS, SECOND_MS } from '../../../platform/clock.ts'

const API = '/spoolman/api/v1'

type Headers = Record<string, string>

const aPrinter = async (app: TestApp): Promise<Headers> =>
  keyHeader((await aKey(app, { scope: ['print-jobs'], label: 'Voron' })).key)

const get = (app: TestApp, headers: Headers, path: string) =>
  app.http.inject({ url: `${API}${path}`, headers })

const put = (app: TestApp, headers: Headers, path: string, payload: object) =>
  app.http.inject({ method: 'PUT', url: `${API}${path}`, headers, payload })

const read = async <T>(app: TestApp, headers: Headers, path: string): Promise<T> => {
  const answer = await get(app, headers, path)
  if (answer.statusCode !== 200) throw new Error(`${path}: ${answer.statusCode} ${answer.body}`)
  return answer.json<T>()
}

const ledgerOf = async (app: TestApp, id: string) =>
  (await app.http.inject({ url: `/api/filament/${id}/ledger`, headers: await app.as('viewer') })).json<
    SpoolEntry[]
  >()

const threeSpools = async (app: TestApp) => {
  await aSpool(app, {
    material: 'PETG',
    brand: 'Prusament',
    name: 'Galaxy',
    color: 'Black',
    colorHex: '#111111',
    spoolWeightGrams: 200,
    remainingGrams: 600,
    costMinor: 2999,
    location: 'Dry box 1',
    lotNumber: 'L-77',
    notes: 'dry it',
    nozzleTempC: 240,
  })
  await aSpool(app, { color: 'Red' })
  await aSpool(app, { material: 'PLA+', brand: null, name: 'Plus', color: '', archivedAt: app.clock.now() })
}

describe('reading spools through the Spoolman API', () => {
  it('the Spoolman API identifies vendors, filaments and spools by integer ids, and omits empty fields', async () => {
    const app = await buildTestApp()
    await threeSpools(app)
    const printer = await aPrinter(app)
    const spools = await read<SpoolmanSpool[]>(app, printer, '/spool')
    expect(spools.map((spool) => spool.id)).toEqual([1, 2])
    const registered = expect.any(String)
    const vendor = { id: 1, registered, name: 'Prusament', extra: {} }
    const filament = {
      id: 1,
      registered,
      name: 'Galaxy Black',
      vendor,
      material: 'PETG',
      density: 1.27,
      diameter: 1.75,
      weight: 1000,
      spool_weight: 200,
      settings_extruder_temp: 240,
      color_hex: '111111',
      extra: {},
    }
    expect(spools[0]).toEqual({
      id: 1,
      registered,
      filament,
      price: 29.99,
      remaining_weight: 600,
      initial_weight: 1000,
      spool_weight: 200,
      used_weight: 400,
      remaining_length: expect.closeTo(196_418, 0),
      used_length: expect.closeTo(130_945, 0),
      location: 'Dry box 1',
      lot_nr: 'L-77',
      comment: 'dry it',
      archived: false,
      extra: {},
    })
    expect(await read(app, printer, '/spool/1')).toEqual(spools[0])
    expect(await read<SpoolmanFilament>(app, printer, '/filament/1')).toEqual(filament)
    expect(await read<SpoolmanVendor[]>(app, printer, '/vendor')).toHaveLength(2)
    expect(await read(app, printer, '/vendor/1')).toEqual(vendor)
    expect(await read(app, printer, '/health')).toEqual({ status: 'healthy' })
    expect(await read(app, printer, '/info')).toMatchObject({
      version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
    })
  })

  it('the Spoolman API filters and sorts in the same way as Spoolman', async () => {
    const app = await buildTestApp()
    await threeSpools(app)
    const printer = await aPrinter(app)
    for (const [query, ids] of [
      ['?filament.material=pet', [1]],
      ['?filament.material=pla,petg&allow_archived=true', [1, 2, 3]],
      ['?filament.material="PLA"&allow_archived=true', [2]],
      ['?filament_name=galaxy', [1]],
      ['?filament.vendor.name=&allow_archived=true', []],
      ['?filament.vendor.id=-1&allow_archived=true', [3]],
      ['?filament.vendor.id=1', [1]],
      ['?filament.id=2,3', [2]],
      ['?location=box', [1]],
      ['?location=', [2]],
      ['?lot_nr=%25', []],
      ['?sort=remaining_weight:desc', [2, 1]],
      ['?sort=filament.material:asc,id:desc&allow_archived=true&limit=2&offset=1', [2, 3]],
    ] as const) {
      const spools = await read<SpoolmanSpool[]>(app, printer, `/spool${query}`)
      expect([query, spools.map((spool) => spool.id)]).toEqual([query, ids])
    }
    expect((await get(app, printer, '/spool?limit=1')).headers['x-total-count']).toBe('2')
    for (const query of ['?sort=secret:asc', '?sort=id:up', '?filament.id=one', '?limit=-1', '?offset=x'])
      expect([query, (await get(app, printer, `/spool${query}`)).statusCode]).toEqual([query, 422])
    expect((await get(app, printer, '/spool?colour=red')).statusCode).toBe(422)
    expect(await read<SpoolmanFilament[]>(app, printer, '/filament?material=petg')).toHaveLength(1)
    expect(await read<SpoolmanVendor[]>(app, printer, '/vendor?name=poly')).toHaveLength(1)
  })

  it("the Spoolman API reports unknown ids in Spoolman's format, and refuses other keys and sessions of people", async () => {
    const app = await buildTestApp()
    const printer = await aPrinter(app)
    const missing = await get(app, printer, '/spool/7')
    expect([missing.statusCode, missing.json<{ message: string }>().message]).toEqual([
      404,
      'No spool with ID 7 found.',
    ])
    for (const path of ['/spool/1e9', '/spool/x', '/filament/9', '/vendor/9', '/nothing'])
      expect([path, (await get(app, printer, path)).statusCode]).toEqual([path, 404])
    const shop = keyHeader((await aKey(app, { scope: ['integration'] })).key)
    expect((await get(app, shop, '/spool')).statusCode).toBe(403)
    expect((await get(app, await app.as('owner'), '/spool')).statusCode).toBe(403)
    expect((await get(app, {}, '/spool')).statusCode).toBe(401)
    const ownersViewer = keyHeader((await aKey(app, { role: 'viewer', scope: ['print-jobs'] })).key)
    expect((await put(app, ownersViewer, '/spool/1/use', { use_weight: 1 })).statusCode).toBe(403)
  })
})

describe('programs that cannot send a header', () => {
  const basic = (password: string, name = 'key'): Headers => ({
    authorization: `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`,
  })

  it('programs that cannot send a header can put the API key in the URL as a password, in the Spoolman API only', async () => {
    const app = await buildTestApp()
    await aSpool(app)
    const { id, key } = await aKey(app, { scope: ['print-jobs'] })
    for (const name of ['key', '', 'octo'])
      expect((await get(app, basic(key, name), '/spool')).statusCode).toBe(200)
    expect((await put(app, basic(key), '/spool/1/use', { use_length: 10 })).statusCode).toBe(200)
    for (const headers of [
      basic(''),
      basic(`${key}x`),
      basic('pgo_'),
      basic(key.slice(0, -1)),
      basic('secret'),
    ])
      expect((await get(app, headers, '/spool')).statusCode).toBe(401)
    const broken = ['Basic', 'Basic !', `Basic ${key}`, `Basic ${Buffer.from(key).toString('base64')}`]
    for (const authorization of broken)
      expect([authorization, (await get(app, { authorization }, '/spool')).statusCode]).toEqual([
        authorization,
        401,
      ])
    const claim = { method: 'POST', url: '/api/print-jobs/claim', payload: { agent: 'a' } } as const
    expect((await app.http.inject({ ...claim, headers: keyHeader(key) })).statusCode).toBe(204)
    expect((await app.http.inject({ ...claim, headers: basic(key) })).statusCode).toBe(401)
    expect((await app.http.inject({ url: '/api/filament', headers: basic(key) })).statusCode).toBe(401)
    const shop = await aKey(app, { scope: ['integration'] })
    expect((await get(app, basic(shop.key), '/spool')).statusCode).toBe(403)
    await actOnKey(app, await app.as('owner'), id, 'disable')
    expect((await get(app, basic(key), '/spool')).statusCode).toBe(401)
  })

  it('the Spoolman websocket accepts the API key as a password in the URL', async () => {
    const app = await buildTestApp()
    await app.http.listen({ port: 0, host: '127.0.0.1' })
    const { key } = await aKey(app, { scope: ['print-jobs'] })
    const { port } = app.http.server.address() as AddressInfo
    const socket = new WebSocket(`ws://key:${key}@127.0.0.1:${port}${API}/spool`)
    onTestFinished(() => socket.close())
    await once(socket, 'open')
    const reply = once(socket, 'message')
    socket.send('there?')
    expect(String((await reply)[0])).toBe('{"status":"healthy"}')
  })
})

describe('reporting use through the Spoolman API', () => {
  it('use reports that arrive every few seconds add up in one ledger entry, exact to the thousandth of a gram', async () => {
    const app = await buildTestApp()
    const id = await aSpool(app)
    const printer = await aPrinter(app)
    // Moonraker reports, in millimeters, the length that was extruded since its last report.
    for (let report = 0; report < 60; report += 1) {
      app.clock.advance(5 * SECOND_MS)
      const answer = await put(app, printer, '/spool/1/use', { use_length: 0.9 })
      expect(answer.statusCode).toBe(200)
    }
    const ledger = await ledgerOf(app, id)
    expect(ledger.map(({ kind }) => kind)).toEqual(['use', 'open'])
    // 54 mm of this filament weigh 0.161 g. Rounding each report to hundredths of a gram would give 0.
    expect(ledger[0]).toMatchObject({
      length_mm: 54,
      delta_grams: -0.16,
      actor: { kind: 'api_key', name: 'Voron' },
    })
    expect((await read<SpoolmanSpool>(app, printer, '/spool/1')).used_weight).toBeCloseTo(0.16104, 6)
    app.clock.advance(11 * MINUTE_MS)
    await put(app, printer, '/spool/1/use', { use_weight: 2.5 })
    expect((await ledgerOf(app, id)).map((entry) => entry.delta_grams)).toEqual([-2.5, -0.16, 1000])
  })

  it('the use reports of a printer share one ledger entry, until a person adds an entry', async () => {
    const app = await buildTestApp()
    const id = await aSpool(app)
    const [one, two] = [await aPrinter(app), await aPrinter(app)]
    const staff = await app.as('staff')
    await put(app, one, '/spool/1/use', { use_weight: 1 })
    await put(app, two, '/spool/1/use', { use_weight: 2 })
    await put(app, two, '/spool/1/use', { use_weight: 2 })
    const person = {
      method: 'POST',
      url: `/api/filament/${id}/use`,
      headers: staff,
      payload: { grams: 8 },
    } as const
    await app.http.inject(person)
    await put(app, two, '/spool/1/use', { use_weight: 4 })
    expect((await ledgerOf(app, id)).map((entry) => entry.delta_grams)).toEqual([-4, -8, -4, -1, 1000])
  })

  it('parallel use reports from printers never use more filament than is left, but keep their amounts in the ledger', async () => {
    const app = await buildTestApp()
    const id = await aSpool(app, { remainingGrams: 10 })
    const printers = await Promise.all([1, 2, 3, 4].map(() => aPrinter(app)))
    const reports = printers.flatMap((printer) =>
      [1, 2, 3].map(() => put(app, printer, '/spool/1/use', { use_weight: 1.5 })),
    )
    expect((await Promise.all(reports)).map((answer) => answer.statusCode)).toEqual(Array(12).fill(200))
    const uses = (await ledgerOf(app, id)).filter(({ kind }) => kind === 'use')
    expect(uses.reduce((sum, entry) => sum + entry.delta_grams, 0)).toBeCloseTo(-10, 6)
    expect(uses.reduce((sum, entry) => sum + (entry.reported_grams ?? -entry.delta_grams), 0)).toBeCloseTo(
      18,
      6,
    )
  })

  it('the used weight of an empty spool includes the use that was reported beyond its weight, until the spool is weighed', async () => {
    const app = await buildTestApp()
    await aSpool(app, { spoolWeightGrams: 200 })
    const printer = await aPrinter(app)
    const used = await put(app, printer, '/spool/1/use', { use_weight: 1500 })
    expect(used.json()).toMatchObject({ remaining_weight: 0, used_weight: 1500 })
    app.clock.advance(SECOND_MS)
    const measured = await put(app, printer, '/spool/1/measure', { weight: 200 })
    expect(measured.json()).toMatchObject({ remaining_weight: 0, used_weight: 1000 })
  })

  it('the Spoolman API weighs spools, returns filament to them, and refuses invalid values', async () => {
    const app = await buildTestApp()
    await aSpool(app, { spoolWeightGrams: 200 })
    const printer = await aPrinter(app)
    const measured = await put(app, printer, '/spool/1/measure', { weight: 450 })
    expect(measured.json()).toMatchObject({ remaining_weight: 250, used_weight: 750 })
    const back = await put(app, printer, '/spool/1/use', { use_weight: -20 })
    expect(back.json()).toMatchObject({ remaining_weight: 270 })
    for (const [path, body, status] of [
      ['/spool/1/use', {}, 400],
      ['/spool/1/use', { use_weight: 1, use_length: 1 }, 400],
      ['/spool/1/use', { use_weight: 'much' }, 422],
      ['/spool/1/use', { use_length: 1e12 }, 422],
      ['/spool/1/measure', { weight: 100 }, 400],
      ['/spool/1/measure', { weight: -1 }, 422],
      ['/spool/9/use', { use_length: 1 }, 404],
    ] as const)
      expect([path, body, (await put(app, printer, path, body)).statusCode]).toEqual([path, body, status])
    const said = await put(app, printer, '/spool/1/use', {})
    expect(said.json()).toMatchObject({ message: 'Either use_weight or use_length must be specified.' })
    expect(await read(app, printer, '/spool/1')).toMatchObject({ remaining_weight: 270 })
  })
})
