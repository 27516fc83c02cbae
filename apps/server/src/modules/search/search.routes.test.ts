import type { SearchHit } from '@pegasus/contracts/search'
import { describe, expect, it } from 'vitest'
import { type TestApp, buildTestApp } from '../../../test/support/build-test-app.ts'
import { aModel } from '../../../test/support/library/library-factories.ts'

type Headers = { authorization: string }

const find = async (app: TestApp, headers: Headers, search: string) => {
  const answer = await app.http.inject({ url: `/api/search?${new URLSearchParams({ search })}`, headers })
  return { status: answer.statusCode, hits: answer.json<{ hits?: SearchHit[] }>().hits ?? [] }
}

const told = (hits: readonly SearchHit[]) => hits.map(({ kind, title, detail }) => [kind, title, detail])

async function post(app: TestApp, headers: Headers, url: string, payload: object) {
  const answer = await app.http.inject({ method: 'POST', url, headers, payload })
  expect(answer.statusCode, answer.body).toBeLessThan(300)
  return answer.json<{ id: string; label_code: string }>()
}

/** Creates one object of every kind that the search finds, each named after a dragon. */
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
    expect(told(hits)).toEqual([
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
    // One piece is free, two are missing.
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
    expect(told((await find(app, admin, viewer)).hits)).toEqual([['account', expect.any(String), viewer]])
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
