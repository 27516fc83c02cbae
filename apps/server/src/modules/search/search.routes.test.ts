import type { SearchHit } from '@pegasus/contracts/search'
import { describe, expect, it } from 'vitest'
import { type TestApp, buildTestApp } from '../../../test/support/build-test-app.ts'
import { aModel } from '../../../test/support/library/library-factories.ts'

type Headers = { authorization: string }

const find = async (app: TestApp, headers: Headers, search: string) => {
  const answer = await app.http.inject({ url: `/api/search?${new URLSearchParams({ search })}`, headers })
  return { status: answer.statusCode, hits: answer.json<{ hits?: SearchHit[] }>().hits ?? [] }
}

const shownHits = (hits: readonly SearchHit[]) => hits.map(({ kind, title, detail }) => [kind, title, detail])

async function post(app: TestApp, headers: Headers, url: string, payload: object) {
  const answer = await app.http.inject({ method: 'POST', url, headers, payload })
  expect(answer.statusCode, answer.body).toBeLessThan(300)
  return answer.json<{ id: string; label_code: string }>()
}

/** Creates one object of every kind that the search finds. Each has a name with a dragon. */
async function dragonShop() {
  const app = await buildTestApp()
  const staff = await app.as('staff')
  const model = await aModel(app, { title: 'Dragon, articulated' })
  const item = await post(app, staff, '/api/inventory', {
    name: 'Dragon figure',
    sku: 'DRG-1',
    quantity: 3,
    stl_file_id: model,
  })
  const order = await post(app, staff, '/api/orders', {
    order_number: 'PO-77',
    customer_name: 'Smaug Dragonson',
    items: [{ sku: 'DRG-1', name: 'Dragon', quantity: 2, unit_price: 3 }],
  })
  const job = await post(app, staff, '/api/print-queue', { inventory_item_id: item.id, quantity: 1 })
  const spool = await post(app, staff, '/api/filament', {
    material: 'PLA',
    brand: 'Dragon Plastics',
    color: 'Green',
    weight_grams: 1000,
  })
  const printer = await post(app, staff, '/api/printers', { name: 'Dragon MK4' })
  const location = await post(app, staff, '/api/locations', { name: 'Dragon shelf', kind: 'place' })
  return { app, staff, model, item, order, job, spool, printer, location }
}

describe('GET /api/search', () => {
  it('GET /api/search finds a word in all modules, grouped by kind', async () => {
    const { app, staff, job, spool, location } = await dragonShop()
    const { hits } = await find(app, staff, 'dragon')
    expect(shownHits(hits)).toEqual([
      ['model', 'Dragon, articulated', null],
      ['item', 'Dragon figure', 'DRG-1'],
      ['order', 'PO-77', 'Smaug Dragonson'],
      ['customer', 'Smaug Dragonson', '1 order'],
      ['job', 'Dragon figure', `${job.label_code} · pending`],
      ['spool', 'Dragon Plastics PLA Green', spool.label_code],
      ['printer', 'Dragon MK4', null],
      ['location', 'Dragon shelf', location.label_code],
    ])
    // The order needs only two of the three pieces in stock.
    expect(hits.find(({ kind }) => kind === 'order')).toMatchObject({ ready_to_pack: true })
  })

  it('GET /api/search puts the exact SKU first, finds codes, and tolerates a typo in the title of a model', async () => {
    const { app, staff, item, job, model } = await dragonShop()
    for (const number of [10, 11])
      await post(app, staff, '/api/inventory', { name: 'Other', sku: `DRG-${number}` })
    expect((await find(app, staff, 'drg-1')).hits[0]).toMatchObject({ kind: 'item', id: item.id })
    expect((await find(app, staff, job.label_code.toLowerCase())).hits).toEqual([
      expect.objectContaining({ kind: 'job', id: job.id }),
    ])
    expect((await find(app, staff, 'articluated')).hits).toEqual([
      expect.objectContaining({ kind: 'model', id: model }),
      expect.objectContaining({ kind: 'job', id: job.id }),
    ])
  })

  it('GET /api/search finds names without their accents, and names with a typo if nothing has the typed words', async () => {
    const { app, staff, item } = await dragonShop()
    const add = (order_number: string, customer_name: string) =>
      post(app, staff, '/api/orders', {
        order_number,
        customer_name,
        items: [{ sku: 'X-1', name: 'Ring', quantity: 1, unit_price: 1 }],
      })
    for (const [number, name] of Object.entries({
      A: 'Nguyễn Văn',
      B: 'Ana Muñoz',
      C: 'Yuki Tanaka',
      D: 'Ole Tøm',
    }))
      await add(`PO-${number}`, name)
    const knob = await post(app, staff, '/api/inventory', { name: 'Drawer knob', sku: 'KNB' })
    const customers = async (search: string) =>
      (await find(app, staff, search)).hits.flatMap(({ kind, title }) => (kind === 'customer' ? [title] : []))
    expect(await customers('nguyen van')).toEqual(['Nguyễn Văn'])
    expect(await customers('munoz')).toEqual(['Ana Muñoz'])
    expect(await customers('Tanka')).toEqual(['Yuki Tanaka'])
    expect(await customers('tom')).toEqual(['Ole Tøm'])
    expect(await customers('Tánaka')).toEqual(['Yuki Tanaka'])
    expect((await find(app, staff, 'drwaer knob')).hits).toEqual([
      expect.objectContaining({ kind: 'item', id: knob.id }),
    ])
    expect((await find(app, staff, 'drgon plsatics')).hits).toEqual([
      expect.objectContaining({ kind: 'spool', title: 'Dragon Plastics PLA Green' }),
    ])
    // A name with the typed word hides similar names. For models and their jobs, similar names are found as well.
    await add('PO-E', 'Dragan')
    expect(
      shownHits(
        (await find(app, staff, 'dragan')).hits.filter(({ kind }) => kind !== 'model' && kind !== 'job'),
      ),
    ).toEqual([
      ['order', 'PO-E', 'Dragan'],
      ['customer', 'Dragan', '1 order'],
    ])
    expect((await find(app, staff, 'dragon')).hits).toContainEqual(
      expect.objectContaining({ kind: 'item', id: item.id }),
    )
  })

  it('GET /api/orders, /api/inventory and /api/filament find names without accents and with a typo', async () => {
    const { app, staff } = await dragonShop()
    const lines = [{ sku: 'X-1', name: 'Ring', quantity: 1, unit_price: 1 }]
    await post(app, staff, '/api/orders', { order_number: 'A-1', customer_name: 'Jürgen Böhm', items: lines })
    await post(app, staff, '/api/locations', { name: 'Château', kind: 'place' })
    await post(app, staff, '/api/inventory', { name: 'Spider', sku: 'SPD', location: 'Château' })
    const counts = async (path: string, searches: string[]) => {
      const found: string[] = []
      for (const search of searches) {
        const answer = await app.http.inject({
          url: `/api/${path}?${new URLSearchParams({ search })}`,
          headers: staff,
        })
        found.push(`${search}: ${answer.headers['x-total-count']}, ${answer.json<unknown[]>().length}`)
      }
      return found
    }
    expect(await counts('orders', ['jurgen', 'JÜRGEN', 'bohm', 'jurgn bohm', 'a-2'])).toEqual([
      'jurgen: 1, 1',
      'JÜRGEN: 1, 1',
      'bohm: 1, 1',
      'jurgn bohm: 1, 1',
      'a-2: 0, 0',
    ])
    expect(await counts('inventory', ['spidr', 'spdier', 'chateau', 'dragon fgiure'])).toEqual([
      'spidr: 1, 1',
      'spdier: 1, 1',
      'chateau: 1, 1',
      'dragon fgiure: 1, 1',
    ])
    expect(await counts('filament', ['drgaon', 'grean'])).toEqual(['drgaon: 1, 1', 'grean: 1, 1'])
    const exported = await app.http.inject({ url: '/api/inventory/export?search=spidr', headers: staff })
    expect(exported.body).toContain('SPD')
  })

  it('GET /api/search lists the actions that are possible for each order now', async () => {
    const { app, staff, order } = await dragonShop()
    const actions = async (search: string) =>
      (await find(app, staff, search)).hits.flatMap(({ kind, title, actions }) =>
        kind === 'order' ? [[title, actions]] : [],
      )
    const add = (order_number: string, sku: string, quantity: number) =>
      post(app, staff, '/api/orders', {
        order_number,
        customer_name: 'Bilbo',
        items: [{ sku, name: 'Ring', quantity, unit_price: 1 }],
      })
    // One piece is free, so two pieces are missing.
    const short = await add('RING-1', 'DRG-1', 3)
    await add('RING-2', 'NO-SUCH', 1)
    expect(await actions('smaug')).toEqual([['PO-77', ['reserve', 'pick', 'ship']]])
    expect(await actions('bilbo')).toEqual([
      ['RING-2', []],
      ['RING-1', ['reserve', 'pick', 'ship', 'print']],
    ])
    await post(app, staff, `/api/orders/${order.id}/ship`, {})
    await post(app, staff, `/api/orders/${short.id}/hold`, {})
    await post(app, staff, '/api/orders/unknown-skus/ignore', { sku: 'NO-SUCH' })
    expect(await actions('smaug')).toEqual([['PO-77', []]])
    expect(await actions('bilbo')).toEqual([
      ['RING-2', ['pick', 'ship']],
      ['RING-1', ['resume']],
    ])
  })

  it('GET /api/search finds accounts only for administrators, and deleted objects for nobody', async () => {
    const { app, staff, printer } = await dragonShop()
    const admin = await app.as('admin')
    const viewer = await app.anAccount('viewer')
    expect(shownHits((await find(app, admin, viewer)).hits)).toEqual([
      ['account', expect.any(String), viewer],
    ])
    expect((await find(app, staff, viewer)).hits).toEqual([])
    const gone = await app.http.inject({
      method: 'DELETE',
      url: `/api/printers/${printer.id}`,
      headers: { ...staff, 'if-match': '*' },
    })
    expect(gone.statusCode, gone.body).toBe(204)
    expect((await find(app, staff, 'MK4')).hits).toEqual([])
  })

  it('GET /api/search refuses an empty or very long search, and takes every character literally', async () => {
    const { app, staff } = await dragonShop()
    expect((await find(app, staff, '  ')).status).toBe(422)
    expect((await find(app, staff, 'x'.repeat(101))).status).toBe(422)
    for (const search of ['%', '_', '\\', "'", '%%', '; drop table items'])
      expect(await find(app, staff, search), search).toEqual({ status: 200, hits: [] })
  })
})
