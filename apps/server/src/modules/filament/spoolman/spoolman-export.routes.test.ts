import type { SpoolmanVendor } from '@pegasus/contracts/filament/spoolman'
import { describe, expect, it } from 'vitest'
import { aKey, keyHeader } from '../../../../test/support/accounts/api-keys.ts'
import { type TestApp, buildTestApp } from '../../../../test/support/build-test-app.ts'
import { readCsv } from '../../../../test/support/read-csv.ts'
import { aSpool } from '../../../../test/support/stock-factories.ts'

const API = '/spoolman/api/v1'

type Headers = Record<string, string>

const aPrinter = async (app: TestApp): Promise<Headers> =>
  keyHeader((await aKey(app, { scope: ['print-jobs'], label: 'Voron' })).key)

const call = (app: TestApp, headers: Headers, path: string) =>
  app.http.inject({ url: `${API}${path}`, headers })

const addVendor = async (app: TestApp, headers: Headers, payload: object): Promise<SpoolmanVendor> =>
  (await app.http.inject({ method: 'POST', url: `${API}/vendor`, headers, payload })).json<SpoolmanVendor>()

describe('the Spoolman export', () => {
  const SPOOL = {
    material: 'PETG',
    brand: '=cmd()',
    name: 'Galaxy',
    color: 'Black',
    spoolWeightGrams: 200,
    remainingGrams: 600,
    location: '@shelf, "left"',
    notes: '-1',
  }
  const text = async (app: TestApp, printer: Headers, path: string) => {
    const answer = await call(app, printer, path)
    return { status: answer.statusCode, type: String(answer.headers['content-type']), body: answer.body }
  }

  it('the Spoolman export contains every spool with its filament and vendor in one flat record, as JSON and CSV', async () => {
    const app = await buildTestApp()
    const printer = await aPrinter(app)
    await aSpool(app, SPOOL)
    await aSpool(app, { color: 'Gone', archivedAt: app.clock.now() })
    const json = await text(app, printer, '/export/spools?fmt=json')
    expect(json.type).toBe('application/json; charset=utf-8')
    const rows = JSON.parse(json.body) as Record<string, unknown>[]
    expect(rows).toHaveLength(1)
    expect(rows[0]).toMatchObject({
      id: 1,
      archived: false,
      filament_id: 1,
      initial_weight: 1000,
      used_weight: 400,
      location: '@shelf, "left"',
      comment: '-1',
      lot_nr: null,
      'filament.name': 'Galaxy Black',
      'filament.vendor_id': 1,
      'filament.vendor.name': '=cmd()',
      'filament.external_id': null,
    })
    const csv = await text(app, printer, '/export/spools?fmt=csv&allow_archived=true')
    expect(csv.type).toBe('text/csv; charset=utf-8')
    const [head = [], ...records] = readCsv(csv.body)
    expect(head).toEqual(Object.keys(rows[0] ?? {}))
    const cellsOf = (record: readonly string[]) =>
      Object.fromEntries(head.map((name, at) => [name, record[at]]))
    expect(records.map(cellsOf)).toMatchObject([
      {
        id: '1',
        archived: 'False',
        comment: "'-1",
        'filament.vendor.name': "'=cmd()",
        location: `'@shelf, "left"`,
      },
      { id: '2', archived: 'True', used_weight: '0' },
    ])
  })

  it('the Spoolman export can return filaments and vendors, and has no byte order mark', async () => {
    const app = await buildTestApp()
    const printer = await aPrinter(app)
    await aSpool(app, { ...SPOOL, brand: null })
    await addVendor(app, printer, { name: 'Prusament', empty_spool_weight: 201 })
    const filaments = await text(app, printer, '/export/filaments?fmt=json')
    expect(JSON.parse(filaments.body)).toMatchObject([{ id: 1, vendor_id: null, 'vendor.name': null }])
    const vendors = await text(app, printer, '/export/vendors?fmt=csv')
    expect(vendors.body.split('\r\n')[0]).toBe(
      '"comment","empty_spool_weight","external_id","id","name","registered"',
    )
    expect(readCsv(vendors.body)[1]?.slice(1, 5)).toEqual(['201', '', '1', 'Prusament'])
  })

  it('the Spoolman export is refused in other formats, and to callers without a suitable key', async () => {
    const app = await buildTestApp()
    const printer = await aPrinter(app)
    for (const path of ['/export/spools', '/export/spools?fmt=xml', '/export/vendors?fmt='])
      expect((await call(app, printer, path)).statusCode).toBe(422)
    expect((await call(app, {}, '/export/spools?fmt=csv')).statusCode).toBe(401)
    const shop = keyHeader((await aKey(app, { scope: ['integration'] })).key)
    expect((await call(app, shop, '/export/spools?fmt=csv')).statusCode).toBe(403)
  })
})

describe('the total of a list in the response header', () => {
  it('the Spoolman API also returns the total of a list for a page after its end', async () => {
    const app = await buildTestApp()
    const printer = await aPrinter(app)
    for (const color of ['Red', 'Black', 'White']) await aSpool(app, { color })
    for (const path of ['/spool?offset=9', '/spool?limit=0', '/filament?offset=9', '/spool?limit=1&offset=2'])
      expect([path, (await call(app, printer, path)).headers['x-total-count']]).toEqual([path, '3'])
    expect((await call(app, printer, '/vendor?offset=5')).headers['x-total-count']).toBe('1')
  })
})
