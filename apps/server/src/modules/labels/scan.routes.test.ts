import { modelCode, orderCode } from '@pegasus/contracts/labels/scan-codes'
import type { Scanned, ScannedOf } from '@pegasus/contracts/labels/scan'
import type { Model } from '@pegasus/contracts/stl-library/models'
import { createCube } from '@pegasus/mesh/samples/shapes'
import { writeBinaryStl } from '@pegasus/mesh/stl/write-stl'
import { describe, expect, it } from 'vitest'
import { type TestApp, buildTestApp } from '../../../test/support/build-test-app.ts'
import { upload } from '../../../test/support/library/model-upload.ts'
import {
  aPrintJob,
  aPrinter,
  aSpool,
  advance,
  anItem,
  anOrder,
} from '../../../test/support/stock-factories.ts'

type Who = { authorization: string }

const scan = async (app: TestApp, who: Who, code: string): Promise<Scanned | null> =>
  (await app.http.inject({ url: `/api/scan?code=${encodeURIComponent(code)}`, headers: who })).json<{
    found: Scanned | null
  }>().found

const open = (app: TestApp, code: string, headers: Record<string, string>) =>
  app.http.inject({ url: `/s/${encodeURIComponent(code)}`, headers })

describe('GET /api/scan', () => {
  describe('valid codes', () => {
    it('GET /api/scan finds an item by its short or long code in any case, by its address and by its SKU', async () => {
      const app = await buildTestApp()
      const staff = await app.as('staff')
      const id = await anItem(app, {
        name: 'Hook',
        sku: 'Hook-1',
        quantity: 4,
        location: 'Rack',
        bin_location: 'Bin 7',
      })
      const ways = [
        'I-00001',
        'i-00001',
        'I-1',
        ' i-01 ',
        'HTTPS://OPS.EXAMPLE.COM/S/I-00001',
        'https://ops.example.com/s/i-00001?from=phone',
        '\u0001I-00001\r',
        'hook-1',
        'HOOK-1',
      ]
      const found = await Promise.all(ways.map((way) => scan(app, staff, way)))
      expect(found.map((each) => each?.id)).toEqual(ways.map(() => id))
      expect(found[0]).toEqual({
        kind: 'item',
        id,
        code: 'I-00001',
        title: 'Hook',
        thumbnail_path: null,
        color_hex: null,
        actions: ['open', 'take', 'put', 'count', 'move'],
        facts: {
          sku: 'Hook-1',
          status: 'Low Stock',
          quantity: 4,
          reserved_quantity: 0,
          available_quantity: 4,
          reorder_point: 5,
          max_stock: 100,
          location_id: expect.any(String),
          location: 'Rack / Bin 7',
        },
      })
    })

    it('GET /api/scan finds locations, spools, print jobs, orders and models', async () => {
      const app = await buildTestApp()
      const staff = await app.as('staff')
      await anItem(app, { location: 'Rack', bin_location: 'Bin 7' })
      const spool = await aSpool(app)
      const job = await aPrintJob(app)
      const order = await anOrder(app, { orderNumber: 'Po/7 ä' })
      const cube = { name: 'cube.stl', bytes: writeBinaryStl(createCube(20)) }
      const model = (await upload(app, staff, cube, { title: 'Cube' })).json<Model>()
      const found = async (code: string) => {
        const thing = await scan(app, staff, code)
        return thing && [thing.kind, thing.id, thing.title]
      }
      expect(await found('S-1')).toEqual(['spool', spool, 'Polymaker PolyLite'])
      expect(await found('J-00001')).toEqual(['print_job', job, 'Gear'])
      expect(await found('Po/7 ä')).toEqual(['order', order, 'Po/7 ä'])
      expect(await found('O-Po/7 ä')).toEqual(['order', order, 'Po/7 ä'])
      expect(await found(orderCode(order).toLowerCase())).toEqual(['order', order, 'Po/7 ä'])
      expect(await found(modelCode(model.id))).toEqual(['model', model.id, 'Cube'])
      const place = await scan(app, staff, 'l-2')
      expect(place).toMatchObject({
        kind: 'location',
        title: 'Bin 7',
        facts: { path: 'Rack / Bin 7', items: 1 },
      })
      expect((await scan(app, staff, 'L-1'))?.actions).toEqual(['open', 'move_here'])
    })

    it('GET /api/scan says into which slot of a printer the next spool goes, and which spool is in it', async () => {
      const app = await buildTestApp()
      const staff = await app.as('staff')
      const spoolId = await aSpool(app)
      const nextSlot = async (slots: object[]) => {
        const url = '/api/printers'
        const payload = { name: `Printer ${slots.length}`, slots }
        const added = await app.http.inject({ method: 'POST', url, headers: staff, payload })
        const printer = await scan(app, staff, added.json<{ label_code: string }>().label_code)
        return printer?.kind === 'printer' ? printer.facts.next_slot : null
      }
      const full = { slot: 1, filament_id: spoolId }
      expect(await nextSlot([full])).toEqual(full)
      expect(await nextSlot([full, { slot: 2 }])).toEqual({ slot: 2, filament_id: null })
    })

    it('GET /api/scan names the material and the color of the spools in a printer, by slot', async () => {
      const app = await buildTestApp()
      const staff = await app.as('staff')
      const red = await aSpool(app, { material: 'PLA', color: 'Red', colorHex: '#cc0000' })
      const black = await aSpool(app, { material: 'PETG', color: 'Black' })
      const slots = [
        { slot: 1, filament_id: black },
        { slot: 2, filament_id: null },
        { slot: 3, filament_id: red },
      ]
      const payload = { name: 'Mini', slots }
      await app.http.inject({ method: 'POST', url: '/api/printers', headers: staff, payload })
      expect(await scan(app, staff, 'P-1')).toMatchObject({
        facts: {
          loaded_spools: [
            { code: 'S-0002', material: 'PETG', color: 'Black' },
            { code: 'S-0001', material: 'PLA', color: 'Red', color_hex: '#CC0000' },
          ],
        },
      })
    })

    it('GET /api/scan offers staff the actions that are valid now, and viewers only "open"', async () => {
      const app = await buildTestApp()
      const [staff, viewer] = [await app.as('staff'), await app.as('viewer')]
      await anItem(app, { quantity: 0 })
      await aSpool(app, { remainingGrams: 0 })
      const job = await aPrintJob(app)
      const actions = async (who: Who, code: string) => (await scan(app, who, code))?.actions
      expect(await actions(staff, 'I-1')).toEqual(['open', 'put', 'count', 'move'])
      expect(await actions(staff, 'S-1')).toEqual(['open', 'weigh', 'move', 'load'])
      expect(await actions(staff, 'J-1')).toEqual(['open', 'start', 'hold', 'cancel', 'complete'])
      await advance(app, job, { to: 'in_progress' })
      await advance(app, job, { to: 'failed', reason: 'Warped' })
      expect(await actions(staff, 'J-1')).toEqual(['open', 'requeue'])
      await aPrinter(app, 'Mini')
      expect(await actions(staff, 'p-1')).toEqual(['open', 'load', 'maintenance'])
      await app.database.sql`update printers set state = 'needs_clearing'`
      expect(await actions(staff, 'P-001')).toEqual(['open', 'clear', 'load', 'maintenance'])
      const lines = [{ sku: 'HOOK', name: 'Hook', quantity: 2, unitPriceMinor: 100 }]
      await anItem(app, { sku: 'HOOK', quantity: 2 })
      const order = await anOrder(app, { orderNumber: 'A-1', lines })
      const short = await anOrder(app, { orderNumber: 'A-2', lines })
      expect(await actions(staff, 'A-1')).toEqual(['open', 'reserve', 'pick', 'ship'])
      expect(await actions(staff, 'A-2')).toEqual(['open'])
      // The stock suffices for a part of the order, so the order can be shipped in part.
      await anItem(app, { sku: 'PEG', quantity: 1 })
      await anOrder(app, {
        orderNumber: 'A-3',
        lines: [{ sku: 'PEG', name: 'Peg', quantity: 2, unitPriceMinor: 100 }],
      })
      expect(await actions(staff, 'A-3')).toEqual(['open', 'reserve', 'pick', 'ship'])
      const step = (id: string, name: string) =>
        app.http.inject({ method: 'POST', url: `/api/orders/${id}/${name}`, headers: staff })
      await step(order, 'ship')
      await step(short, 'hold')
      expect(await actions(staff, 'A-1')).toEqual(['open'])
      expect(await actions(staff, 'A-2')).toEqual(['open', 'resume'])
      for (const code of ['I-1', 'S-1', 'J-1', 'P-1', 'A-2'])
        expect(await actions(viewer, code)).toEqual(['open'])
    })
  })

  it('GET /api/scan lists the running plates of a print job with the pieces of each', async () => {
    const app = await buildTestApp()
    const staff = await app.as('staff')
    const job = await aPrintJob(app, { quantity: 8, piecesPerPlate: 4 })
    const printerId = await aPrinter(app, 'Mini')
    await advance(app, job, { to: 'in_progress', printerId })
    const found = (await scan(app, staff, 'J-1')) as ScannedOf<'print_job'>
    const mini = {
      id: expect.any(String),
      number: 1,
      pieces: 4,
      printer: 'Mini',
      can_complete: true,
      is_by_hand: true,
      note: null,
    }
    expect(found.facts.plates).toEqual([mini])
    const plateOn = async (code: string) =>
      ((await scan(app, staff, code)) as ScannedOf<'printer'>).facts.plate
    expect(await plateOn('P-1')).toEqual({ id: mini.id, number: 1, pieces: 4, note: null })
    await advance(app, job, { to: 'in_progress', printerId: await aPrinter(app, 'Prusa') })
    const both = (await scan(app, staff, 'J-1')) as ScannedOf<'print_job'>
    expect(both.facts.plates.map(({ number, printer }) => [number, printer])).toEqual([
      [1, 'Mini'],
      [2, 'Prusa'],
    ])
    await advance(app, job, { to: 'completed', plateId: String(found.facts.plates[0]?.id) })
    const one = (await scan(app, staff, 'J-1')) as ScannedOf<'print_job'>
    expect([one.facts.good_quantity, one.facts.plates.length]).toEqual([4, 1])
    expect(await plateOn('P-1')).toBeNull()
  })

  it('GET /api/scan says why the pieces of a printed plate have to be checked, for its job and for its printer', async () => {
    const app = await buildTestApp()
    const staff = await app.as('staff')
    await advance(app, await aPrintJob(app), { to: 'in_progress', printerId: await aPrinter(app, 'Mini') })
    const notes = async () => {
      const job = (await scan(app, staff, 'J-1')) as ScannedOf<'print_job'>
      const printer = (await scan(app, staff, 'P-1')) as ScannedOf<'printer'>
      return [job.facts.plates[0]?.note, printer.facts.plate?.note]
    }
    const note = 'The server did not see the end of this print. Check the pieces.'
    await app.database.sql`update job_plates set failure_reason = ${note}`
    expect(await notes()).toEqual([null, null])
    await app.database.sql`update job_plates set state = 'printed'`
    expect(await notes()).toEqual([note, note])
  })

  it('GET /api/scan refuses invalid input, and returns null for unknown, incomplete or deleted codes', async () => {
    const app = await buildTestApp()
    const viewer = await app.as('viewer')
    const id = await anItem(app, { sku: 'HOOK' })
    const codes = [
      'I-2',
      'I-',
      'X-1',
      "' or 1=1 --",
      '%',
      'HOO',
      '\\',
      `${'9'.repeat(60)}`,
      'I-99999999999999999999',
    ]
    expect(await Promise.all(codes.map((code) => scan(app, viewer, code)))).toEqual(codes.map(() => null))
    await app.database.sql`update items set deleted_at = now() where id = ${id}`
    expect([await scan(app, viewer, 'I-1'), await scan(app, viewer, 'HOOK')]).toEqual([null, null])
    const statuses = ['', '?code=', '?code=%20', `?code=${'x'.repeat(301)}`].map(
      async (query) => (await app.http.inject({ url: `/api/scan${query}`, headers: viewer })).statusCode,
    )
    expect(await Promise.all(statuses)).toEqual([422, 422, 422, 422])
  })
})

describe('GET /s/{code}', () => {
  it('GET /s/{code} returns the object with that code to an API client, even if the address is in capitals', async () => {
    const app = await buildTestApp()
    const viewer = await app.as('viewer')
    const id = await anItem(app)
    expect((await open(app, 'i-00001', viewer)).json<ScannedOf<'item'>>().id).toBe(id)
    const capitals = await app.http.inject({ url: '/S/I-00001', headers: { ...viewer, accept: 'text/html' } })
    expect(capitals.json<ScannedOf<'item'>>().id).toBe(id)
    const unknown = await open(app, 'I-99999', viewer)
    expect([unknown.statusCode, unknown.json()]).toEqual([
      404,
      { detail: 'No match for the code “I-99999”.', code: 'code_unknown' },
    ])
  })

  it('GET /s/{code} serves the web app to a browser without revealing whether the code exists', async () => {
    const app = await buildTestApp()
    await anItem(app)
    const page = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }
    const answers = await Promise.all(['I-00001', 'I-99999'].map((code) => open(app, code, page)))
    // The test has no web app that was built, so both addresses give the same response.
    expect(new Set(answers.map(({ statusCode, body }) => `${statusCode} ${body}`)).size).toBe(1)
    expect(answers[0]?.body).toContain('has not been built')
    expect((await open(app, 'I-00001', {})).statusCode).toBe(401)
    expect((await open(app, 'I-00001', { ...page, authorization: 'Bearer x' })).statusCode).toBe(401)
  })
})
