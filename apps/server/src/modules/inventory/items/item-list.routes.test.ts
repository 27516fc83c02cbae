import type { InventoryItem } from '@pegasus/contracts/inventory/items'
import type { StockMovement } from '@pegasus/contracts/inventory/stock-movements'
import { itemStatus } from '@pegasus/contracts/inventory/item-status'
import { createCube } from '@pegasus/mesh/samples/shapes'
import { writeBinaryStl } from '@pegasus/mesh/stl/write-stl'
import type { Model } from '@pegasus/contracts/stl-library/models'
import { describe, expect, it } from 'vitest'
import { type TestApp, buildTestApp } from '../../../../test/support/build-test-app.ts'
import { aModel } from '../../../../test/support/library/library-factories.ts'
import { analyzed, upload } from '../../../../test/support/library/model-upload.ts'
import { aMovement, allPages, anItem, refusalOf } from '../../../../test/support/stock-factories.ts'
import { MINUTE_MS } from '../../../platform/clock.ts'

const CUBE = writeBinaryStl(createCube(20))
const NOBODY = '01890000-0000-7000-8000-000000000000'

const get = async (app: TestApp, url: string) => app.http.inject({ url, headers: await app.as('viewer') })

const names = async (app: TestApp, query = ''): Promise<string[]> =>
  (await get(app, `/api/inventory${query}`)).json<InventoryItem[]>().map((item) => item.name)

describe('GET /api/inventory', () => {
  describe('valid requests for items', () => {
    it('GET /api/inventory returns an item with every field, its location and the picture of its model', async () => {
      const app = await buildTestApp()
      const staff = await app.as('staff')
      const added = await upload(app, staff, { name: 'hook.stl', bytes: CUBE }, { title: 'Hook v2' })
      const model = await analyzed(app, staff, added.json<Model>().id)
      const id = await anItem(app, {
        name: 'Wall hook',
        sku: 'HOOK-1',
        stl_file_id: model.id,
        quantity: 42,
        reorder_point: 15,
        max_stock: 60,
        location: 'Rack A3',
        bin_location: 'Bin 12',
        material_used: 'PETG',
        color: 'Signal Orange',
        color_hex: '#ff6a13',
        print_settings: '0.2 mm',
        print_time_minutes: 95,
        weight_grams: 31.5,
        material_cost_minor: 78,
        labor_cost_minor: 150,
        selling_price_minor: 1850,
        notes: 'sells well',
      })
      await aMovement(app, { itemId: id, kind: 'reserve', reservedDelta: 6 })
      const answer = await get(app, `/api/inventory/${id}`)
      expect(answer.headers.etag).toBe('"3"')
      const item = answer.json<InventoryItem>()
      expect(item).toMatchObject({
        id,
        label_code: 'I-00001',
        name: 'Wall hook',
        sku: 'HOOK-1',
        stl_file_id: model.id,
        stl_file_title: 'Hook v2',
        quantity: 42,
        reserved_quantity: 6,
        available_quantity: 36,
        reorder_point: 15,
        max_stock: 60,
        location: 'Rack A3',
        bin_location: 'Bin 12',
        status: 'In Stock',
        material_used: 'PETG',
        color: 'Signal Orange',
        color_hex: '#FF6A13',
        print_settings: '0.2 mm',
        print_time_minutes: 95,
        weight_grams: 31.5,
        material_cost: 0.78,
        labor_cost: 1.5,
        selling_price: 18.5,
        notes: 'sells well',
        qr_code_path: expect.stringContaining(`/api/inventory/${id}/label?`),
      })
      expect((await app.http.inject(item.stl_thumbnail_path ?? '')).headers['content-type']).toBe(
        'image/webp',
      )
      expect((await get(app, '/api/inventory')).json<InventoryItem[]>()[0]).toEqual({
        ...item,
        stl_thumbnail_path: expect.stringContaining('/thumbnail?'),
      })
    })

    it('a new item gets the default values for missing fields, and a generated SKU', async () => {
      const app = await buildTestApp()
      await anItem(app, { sku: 'sku-00001' })
      const id = await anItem(app, { quantity: undefined, sku: ' ' } as never)
      expect((await get(app, `/api/inventory/${id}`)).json<InventoryItem>()).toMatchObject({
        sku: 'SKU-00002',
        quantity: 1,
        reorder_point: 5,
        max_stock: 100,
        status: 'Low Stock',
        location: null,
        bin_location: null,
        selling_price: null,
        stl_thumbnail_path: null,
      })
    })

    it('the status of an item is derived from the quantity unless a person has set a held status', async () => {
      const app = await buildTestApp()
      const cases = [0, 4, 5, 6].flatMap((quantity) =>
        ([null, 'On Hold', 'Reserved'] as const).map((held) => ({ quantity, held })),
      )
      for (const { quantity, held } of cases) {
        const id = await anItem(app, { quantity, held_status: held })
        const item = (await get(app, `/api/inventory/${id}`)).json<InventoryItem>()
        expect(item.status).toBe(itemStatus({ quantity, reorder_point: 5, held }))
      }
    })

    it('a search by a word of an item or its location finds the same items in every order, page by page', async () => {
      const app = await buildTestApp()
      for (const name of ['Hook a', 'Hook b', 'Hook c', 'Plate']) await anItem(app, { name })
      for (const name of ['Nut', 'Bolt']) await anItem(app, { name, location: 'Hook rack' })
      const found = ['Bolt', 'Hook a', 'Hook b', 'Hook c', 'Nut']
      for (const sort of ['newest', 'oldest', 'updated', 'name', 'quantity', 'most']) {
        const url = `/api/inventory?search=hook&sort=${sort}&limit=2`
        const { items, total } = await allPages<InventoryItem>(app, await app.as('viewer'), url)
        expect([items.map((item) => item.name).toSorted(), total]).toEqual([found, '5'])
      }
    })

    it('the item search covers name, SKU, label, material, color and location, word by word and literally', async () => {
      const app = await buildTestApp()
      await anItem(app, {
        name: 'Idler riser',
        sku: 'IDL-295',
        location: 'Workshop / Rack B',
        bin_location: 'Bin 7',
      })
      await anItem(app, { name: 'Gear 100%', sku: 'GEAR_18', material_used: 'PLA', color: 'Maize' })
      await anItem(app, { name: 'حامل كاميرا', sku: 'MNT-1', location: 'Workshop' })
      const search = (words: string) => names(app, `?search=${encodeURIComponent(words)}`)
      expect(await search('RISER idl')).toEqual(['Idler riser'])
      expect(await search('rack bin')).toEqual(['Idler riser'])
      expect(await search('workshop')).toEqual(['حامل كاميرا', 'Idler riser'])
      expect(await search('%')).toEqual(['Gear 100%'])
      expect(await search('r_1')).toEqual(['Gear 100%'])
      expect(await search('pla maize')).toEqual(['Gear 100%'])
      expect(await search('كاميرا')).toEqual(['حامل كاميرا'])
      expect(await search('i-00001')).toEqual(['Idler riser'])
      expect(await search("' or 1=1 --")).toEqual([])
    })

    it('GET /api/inventory can filter by a status or find low stock in every status', async () => {
      const app = await buildTestApp()
      await anItem(app, { name: 'plenty', quantity: 50 })
      await anItem(app, { name: 'at the point', quantity: 5 })
      await anItem(app, { name: 'none', quantity: 0 })
      await anItem(app, { name: 'held and low', quantity: 2, held_status: 'On Hold' })
      await anItem(app, { name: 'held', quantity: 20, held_status: 'Reserved' })
      expect(await names(app, '?status=Low%20Stock')).toEqual(['at the point'])
      expect(await names(app, '?status=On%20Hold')).toEqual(['held and low'])
      expect(await names(app, '?low_stock_only=true')).toEqual(['held and low', 'none', 'at the point'])
      expect(await names(app, '?low_stock_only=true&status=Out%20of%20Stock')).toEqual(['none'])
      expect(await names(app, '?low_stock_only=false')).toHaveLength(5)
      const low = await get(app, '/api/inventory?low_stock_only=true&limit=1')
      expect(low.headers['x-total-count']).toBe('3')
      expect((await get(app, '/api/stats')).json<{ low_stock_items: number }>().low_stock_items).toBe(3)
    })

    it('GET /api/inventory returns all pages, newest first, without gaps or repetitions', async () => {
      const app = await buildTestApp()
      for (const name of ['1', '2', '3', '4', '5']) await anItem(app, { name })
      const { items, total } = await allPages<InventoryItem>(
        app,
        await app.as('viewer'),
        '/api/inventory?limit=2',
      )
      expect(items.map((item) => item.name)).toEqual(['5', '4', '3', '2', '1'])
      expect(total).toBe('5')
    })

    it('items are sorted by name, quantity and last change, and filtered by location, material and model', async () => {
      const app = await buildTestApp()
      const model = await aModel(app, { title: 'Hook' })
      const ids: string[] = []
      for (const [name, quantity] of [
        ['beta', 3],
        ['Alpha', 3],
        ['gamma', 1],
        ['alpha', 9],
        ['Delta', 0],
      ] as const) {
        ids.push(await anItem(app, { name, quantity, material_used: 'PLA', location: `Rack / ${name}` }))
        app.clock.advance(MINUTE_MS)
      }
      await aMovement(app, { itemId: ids[0] ?? '', kind: 'receive', delta: 1 })
      const viewer = await app.as('viewer')
      const walk = async (query: string) => {
        const { items } = await allPages<InventoryItem>(app, viewer, `/api/inventory?limit=2&${query}`)
        return items.map((item) => item.name)
      }
      expect(await walk('sort=name')).toEqual(['Alpha', 'alpha', 'beta', 'Delta', 'gamma'])
      expect(await walk('sort=quantity')).toEqual(['Delta', 'gamma', 'Alpha', 'beta', 'alpha'])
      expect(await walk('sort=most')).toEqual(['alpha', 'beta', 'Alpha', 'gamma', 'Delta'])
      expect(await walk('sort=updated')).toEqual(['beta', 'Delta', 'alpha', 'gamma', 'Alpha'])
      expect(await walk('sort=oldest')).toEqual(['beta', 'Alpha', 'gamma', 'alpha', 'Delta'])
      await anItem(app, { name: 'other', material_used: 'Petg', stl_file_id: model })
      expect(await walk('material=PETG')).toEqual(['other'])
      expect(await walk(`stl_file_id=${model}`)).toEqual(['other'])
      const [rack] = await app.database.sql<{ id: string }[]>`select id from locations where path = 'Rack'`
      expect(await walk(`location_id=${rack?.id}&sort=name`)).toHaveLength(5)
      // A cursor is valid only in the list that it comes from.
      const { headers } = await app.http.inject({ url: '/api/inventory?limit=2&sort=name', headers: viewer })
      const next = /<([^>]+)>/.exec(String(headers.link))?.[1] ?? ''
      expect(
        (await app.http.inject({ url: next.replace('sort=name', 'sort=most'), headers: viewer })).statusCode,
      ).toBe(422)
    })

    it('a list that is read again shows each change of an item, its location and its model', async () => {
      const app = await buildTestApp()
      const { sql } = app.database
      const modelId = await aModel(app, { title: 'Hook' })
      const place = { location: 'Rack A', bin_location: 'Bin 1' }
      await anItem(app, { name: 'Hook', sku: 'H', quantity: 3, stl_file_id: modelId, ...place })
      const read = async () => (await get(app, '/api/inventory')).json<InventoryItem[]>()[0]!
      expect(await read()).toMatchObject({ quantity: 3, stl_file_title: 'Hook', ...place })
      const [bin] = await sql<
        { id: string; parent_id: string }[]
      >`select id, parent_id from locations where kind = 'bin'`
      const staff = await app.as('staff')
      const renamed = await app.http.inject({
        method: 'PUT',
        url: `/api/locations/${bin!.parent_id}`,
        headers: { ...staff, 'if-match': '*' },
        payload: { name: 'Rack B' },
      })
      expect(renamed.statusCode, renamed.body).toBe(200)
      expect((await read()).location).toBe('Rack B')
      await sql`update stl_files set title = 'Wall hook' where id = ${modelId}`
      expect((await read()).stl_file_title).toBe('Wall hook')
      await sql`update items set notes = 'sells well'`
      expect((await read()).notes).toBe('sells well')
    })

    it('an item still shows the title of a model in the trash, without a picture', async () => {
      const app = await buildTestApp()
      const staff = await app.as('staff')
      const model = (
        await upload(app, staff, { name: 'hook.stl', bytes: CUBE }, { title: 'Hook' })
      ).json<Model>()
      const id = await anItem(app, { stl_file_id: model.id })
      await app.database.sql`update stl_files set deleted_at = now() where id = ${model.id}`
      expect((await get(app, `/api/inventory/${id}`)).json<InventoryItem>()).toMatchObject({
        stl_file_title: 'Hook',
        stl_thumbnail_path: null,
      })
      expect(await refusalOf(anItem(app, { stl_file_id: model.id }))).toBe('MODEL_NOT_FOUND')
    })
  })

  describe('invalid requests for items', () => {
    it('GET /api/inventory refuses an invalid query with 422', async () => {
      const app = await buildTestApp()
      const queries = [
        '?limit=1001',
        '?limit=0',
        '?status=Nearly%20Gone',
        '?low_stock_only=maybe',
        '?sort=luck',
        '?location_id=x',
        '?cursor=abc',
        '?search=%00',
        `?search=${'x'.repeat(201)}`,
      ]
      for (const query of queries)
        expect((await get(app, `/api/inventory${query}`)).statusCode, query).toBe(422)
    })

    it('GET /api/inventory/{id} returns 404 for unknown items, items in the trash, and invalid ids', async () => {
      const app = await buildTestApp()
      const trashed = await anItem(app)
      await app.database.sql`update items set deleted_at = now() where id = ${trashed}`
      for (const id of [NOBODY, trashed, 'abc'])
        for (const rest of ['', '/movements'])
          expect((await get(app, `/api/inventory/${id}${rest}`)).statusCode).toBe(404)
      expect(await names(app)).toEqual([])
    })
  })

  describe('requests for items without permission', () => {
    it('GET /api/inventory refuses a caller without a token with 401', async () => {
      const app = await buildTestApp()
      for (const path of ['', `/${NOBODY}`, `/${NOBODY}/movements`])
        expect((await app.http.inject(`/api/inventory${path}`)).statusCode).toBe(401)
    })
  })
})

describe('listing the movements of an item', () => {
  it("the movements that led to an item's quantity are listed newest first, page by page", async () => {
    const app = await buildTestApp()
    const id = await anItem(app, { quantity: 10, openingKind: 'receive' })
    app.clock.advance(MINUTE_MS)
    await aMovement(app, { itemId: id, kind: 'ship', delta: -3, reason: 'Order 7' })
    app.clock.advance(MINUTE_MS)
    await aMovement(app, { itemId: id, kind: 'reserve', reservedDelta: 4 })
    const { items, total } = await allPages<StockMovement>(
      app,
      await app.as('viewer'),
      `/api/inventory/${id}/movements?limit=2`,
    )
    expect(total).toBe('3')
    expect(items.map((m) => [m.kind, m.delta, m.reserved_delta, m.quantity_after, m.reserved_after])).toEqual(
      [
        ['reserve', 0, 4, 7, 4],
        ['ship', -3, 0, 7, 0],
        ['receive', 10, 0, 10, 0],
      ],
    )
    expect(items[1]).toMatchObject({
      inventory_item_id: id,
      reason: 'Order 7',
      document: null,
      undoes_id: null,
      actor: { kind: 'system', id: null, name: 'Pegasus Ops' },
    })
  })
})
