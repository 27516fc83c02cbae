import type { InventoryItem } from '@pegasus/contracts/inventory/items'
import type { StockMovement } from '@pegasus/contracts/inventory/stock-movements'
import type { BulkResult } from '@pegasus/contracts/stl-library/model-changes'
import { describe, expect, it } from 'vitest'
import { entriesOf } from '../../../../test/support/audit-entries.ts'
import { buildTestApp } from '../../../../test/support/build-test-app.ts'
import { aModel } from '../../../../test/support/library/library-factories.ts'
import { addedItem, callsOf } from '../../../../test/support/api-calls.ts'
import { aPrintJob, aProduct, anItem } from '../../../../test/support/stock-factories.ts'
import { DAY_MS } from '../../../platform/clock.ts'

const NOBODY = '01890000-0000-7000-8000-000000000000'

const shop = async () => {
  const app = await buildTestApp()
  return { app, staff: callsOf(app, await app.as('staff')) }
}

describe('adding items', () => {
  it('a new item gets the defaults of the form, a generated SKU and a movement for the opening stock', async () => {
    const { app, staff } = await shop()
    const answer = await staff('POST /api/inventory', { name: '  Wall hook ' })
    expect(answer.status, answer.text).toBe(201)
    const item = answer.json<InventoryItem>()
    expect(item).toMatchObject({
      name: 'Wall hook',
      sku: 'SKU-00001',
      label_code: 'I-00001',
      quantity: 1,
      reorder_point: 5,
      max_stock: 100,
      status: 'Low Stock',
      pieces_per_print: 1,
      location: null,
      selling_price: null,
      deleted_at: null,
    })
    expect(answer.etag).toBe(`"${item.revision}"`)
    expect((await staff(`GET /api/inventory/${item.id}`)).json()).toEqual(item)
    const [movement] = (await staff(`GET /api/inventory/${item.id}/movements`)).json<StockMovement[]>()
    expect(movement).toMatchObject({ kind: 'count', delta: 1, quantity_after: 1, reason: 'Opening stock' })
    expect(movement?.actor.name).toBe('The staff')
    const entries = (await entriesOf(app)).filter(({ entity }) => entity === 'inventory_item')
    expect(entries).toMatchObject([
      { action: 'item.created', entity_name: 'Wall hook', after: { sku: 'SKU-00001' } },
    ])
  })

  it('POST /api/inventory stores every field of an item, and finds or creates its location', async () => {
    const { app, staff } = await shop()
    const model = await aModel(app, { title: 'Hook v2' })
    const fields = {
      name: 'Haken für Jacken 🧥',
      sku: 'HOOK-1',
      stl_file_id: model,
      quantity: 42,
      reorder_point: 15,
      max_stock: 60,
      location: 'Workshop / Rack A3',
      bin_location: 'Bin 12',
      status: 'On Hold',
      material_used: 'PETG',
      color: 'Signal Orange',
      color_hex: '#FF6A13',
      print_settings: '0.2 mm, 15 %',
      print_time_minutes: 95,
      weight_grams: 31.25,
      pieces_per_print: 4,
      material_cost: 0.78,
      labor_cost: 1.5,
      selling_price: 18.15,
      notes: 'sells well',
    }
    const item = await addedItem(staff, fields)
    expect(item).toMatchObject({ ...fields, stl_file_title: 'Hook v2' })
    const second = await addedItem(staff, { location: 'workshop / rack a3', bin_location: 'BIN 12' })
    expect(second.location_id).toBe(item.location_id)
    const [row] = await app.database.sql`select selling_price_minor from items where id = ${item.id}`
    expect(row?.['selling_price_minor']).toBe(1815)
  })

  it('an idempotency key returns the same response for the same item, but an error for another item', async () => {
    const { app, staff } = await shop()
    const key = { 'idempotency-key': 'press-1' }
    const first = await staff('POST /api/inventory', { name: 'Hook' }, key)
    const again = await staff('POST /api/inventory', { name: 'Hook' }, key)
    expect([first.status, again.status]).toEqual([201, 201])
    expect(again.json()).toEqual(first.json())
    expect((await staff('POST /api/inventory', { name: 'Other' }, key)).status).toBe(409)
    expect(await app.database.sql`select id from items`).toHaveLength(1)
  })

  it('an invalid item is refused with the name of the wrong field, before anything is stored', async () => {
    const { app, staff } = await shop()
    const cases: [object, string, string | RegExp][] = [
      [{}, 'name', 'Name is required'],
      [{ name: ' ' }, 'name', 'Name is required'],
      [{ name: 'x'.repeat(201) }, 'name', 'Name can have at most 200 characters'],
      [{ name: 'a\0b' }, 'name', 'Name contains an invalid character'],
      [{ quantity: -1 }, 'quantity', 'quantity must be a whole number from 0 to 1,000,000,000'],
      [{ quantity: 1_000_000_001 }, 'quantity', 'quantity must be a whole number from 0 to 1,000,000,000'],
      [{ quantity: 1.5 }, 'quantity', 'quantity must be a whole number from 0 to 1,000,000,000'],
      [{ quantity: '7' }, 'quantity', 'quantity must be a whole number from 0 to 1,000,000,000'],
      [
        { status: 'Gone' },
        'status',
        'status must be one of In Stock, Low Stock, Out of Stock, On Hold, Reserved',
      ],
      [{ color_hex: 'orange' }, 'color_hex', 'color_hex must be a color such as #FF6A13'],
      [{ selling_price: 1.005 }, 'selling_price', 'selling_price can have at most 2 decimals in USD'],
      [{ selling_price: -1 }, 'selling_price', 'selling_price must be a number from 0 to 1,000,000,000'],
      [{ material_cost: 1e300 }, 'material_cost', 'material_cost must be a number from 0 to 1,000,000,000'],
      [{ weight_grams: 0.001 }, 'weight_grams', /with at most 2 decimals/],
      [{ stl_file_id: 'x' }, 'stl_file_id', 'stl_file_id is not an id'],
      [{ location: `${'x'.repeat(101)}` }, 'location', /at most 100 characters/],
      [{ location: Array(11).fill('a').join(' / ') }, 'location', /at most 10 levels deep/],
      [{ sku: 'x'.repeat(65) }, 'sku', 'SKU can have at most 64 characters'],
    ]
    for (const [fields, path, message] of cases) {
      const named = 'name' in fields || path === 'name' ? fields : { name: 'Hook', ...fields }
      const answer = await staff('POST /api/inventory', named)
      expect(answer.status, answer.text).toBe(422)
      const { errors } = answer.json<{ errors: { path: string; message: string }[] }>()
      expect(errors[0]?.path).toBe(path)
      expect(errors[0]?.message).toMatch(message)
    }
    expect(await app.database.sql`select id from items`).toHaveLength(0)
    expect(await app.database.sql`select id from locations`).toHaveLength(0)
  })

  it('a new item is refused with a SKU that is taken, with an unknown model, and for viewers', async () => {
    const { app, staff } = await shop()
    await addedItem(staff, { sku: 'HOOK' })
    const twice = await staff('POST /api/inventory', { name: 'Other', sku: 'hook' })
    expect([twice.status, twice.json<{ code: string }>().code]).toEqual([409, 'sku_taken'])
    expect((await staff('POST /api/inventory', { name: 'Other', stl_file_id: NOBODY })).status).toBe(404)
    const viewer = callsOf(app, await app.as('viewer'))
    expect((await viewer('POST /api/inventory', { name: 'Other' })).status).toBe(403)
    expect(await app.database.sql`select id from items`).toHaveLength(1)
  })

  it('a person can copy an item, or add several identical items completely or not at all', async () => {
    const { staff } = await shop()
    const many = await staff('POST /api/inventory/identical', {
      name: 'Tray',
      sku: 'TRAY',
      copies: 3,
      location: 'Shelf',
    })
    expect(many.status, many.text).toBe(201)
    const items = many.json<InventoryItem[]>()
    expect(items.map(({ sku, quantity }) => [sku, quantity])).toEqual([
      ['TRAY-1', 1],
      ['TRAY-2', 1],
      ['TRAY-3', 1],
    ])
    await staff(`DELETE /api/inventory/${items[0]?.id}`)
    const half = await staff('POST /api/inventory/identical', { name: 'Tray', sku: 'TRAY', copies: 2 })
    expect(half.status).toBe(409)
    expect((await staff('GET /api/inventory')).json<unknown[]>()).toHaveLength(2)
    expect((await staff('POST /api/inventory/identical', { name: 'x', copies: 101 })).status).toBe(422)

    const copy = await staff(`POST /api/inventory/${items[1]?.id}/duplicate`, {})
    expect(copy.status, copy.text).toBe(201)
    expect(copy.json()).toMatchObject({ name: 'Tray (copy)', quantity: 0, location: 'Shelf' })
    expect(copy.json<InventoryItem>().sku).toMatch(/^SKU-/)
    const named = await staff(`POST /api/inventory/${items[1]?.id}/duplicate`, {
      name: 'Tray B',
      quantity: 4,
    })
    expect(named.json()).toMatchObject({ name: 'Tray B', quantity: 4 })
    expect((await staff(`POST /api/inventory/${NOBODY}/duplicate`, {})).status).toBe(404)
  })
})

describe('editing items', () => {
  it('an item edit merges fields, ignores unknown fields, and records quantity and location as movements', async () => {
    const { app, staff } = await shop()
    const item = await addedItem(staff, { sku: 'HOOK', location: 'Shelf', bin_location: '1', notes: 'old' })
    const answer = await staff(`PUT /api/inventory/${item.id}`, {
      name: 'Hook',
      quantity: 7,
      bin_location: '2',
      notes: '',
      selling_price: 12.5,
      id: NOBODY,
      label_code: 'I-99999',
      reserved_quantity: 5,
      nonsense: true,
    })
    expect(answer.status, answer.text).toBe(200)
    expect(answer.json()).toMatchObject({
      id: item.id,
      label_code: item.label_code,
      name: 'Hook',
      sku: 'HOOK',
      quantity: 7,
      reserved_quantity: 0,
      location: 'Shelf',
      bin_location: '2',
      notes: null,
      selling_price: 12.5,
    })
    const journal = (await staff(`GET /api/inventory/${item.id}/movements`)).json<StockMovement[]>()
    expect(
      journal.map(({ kind, delta, from_location: from, to_location: to }) => [kind, delta, from, to]),
    ).toEqual([
      ['count', -3, null, null],
      ['move', 0, 'Shelf / 1', 'Shelf / 2'],
      ['count', 10, null, null],
    ])
    // An edit with the same values changes nothing and records no movement.
    const same = await staff(`PUT /api/inventory/${item.id}`, answer.json<object>())
    expect(same.json()).toEqual(answer.json())
    const entries = (await entriesOf(app)).filter(({ action }) => action === 'item.updated')
    expect(entries).toHaveLength(1)
    expect(entries[0]).toMatchObject({
      before: { name: 'Wall hook', quantity: 10, bin_location: '1', notes: 'old', selling_price: null },
      after: { name: 'Hook', quantity: 7, bin_location: '2', notes: null, selling_price: 12.5 },
    })
    expect(entries[0]?.before).not.toHaveProperty('sku')
  })

  it('an item stays On Hold or Reserved until somebody resets the status', async () => {
    const { staff } = await shop()
    const { id } = await addedItem(staff, { quantity: 10, reorder_point: 5 })
    const status = async (body: object) =>
      (await staff(`PUT /api/inventory/${id}`, body)).json<InventoryItem>().status
    expect(await status({ status: 'On Hold' })).toBe('On Hold')
    expect(await status({ quantity: 0 })).toBe('On Hold')
    expect(await status({ status: 'Reserved' })).toBe('Reserved')
    expect(await status({ status: 'In Stock' })).toBe('Out of Stock')
    expect(await status({ quantity: 5 })).toBe('Low Stock')
    expect(await status({ quantity: 6 })).toBe('In Stock')
  })

  it('an item edit with an outdated ETag gets 412 and the current item', async () => {
    const { app, staff } = await shop()
    const { id, revision } = await addedItem(staff)
    const other = callsOf(app, await app.as('admin'))
    await other(`POST /api/inventory/${id}/adjust`, { delta: -2, reason: 'sold' })
    const stale = { 'if-match': `"${revision}"` }
    const answer = await staff(`PUT /api/inventory/${id}`, { name: 'Mine' }, stale)
    expect(answer.status).toBe(412)
    expect(answer.json()).toMatchObject({
      code: 'precondition_failed',
      current: { id, name: 'Wall hook', quantity: 8 },
    })
    expect((await staff(`DELETE /api/inventory/${id}`, undefined, stale)).status).toBe(412)
    const fresh = { 'if-match': `"${answer.json<{ current: InventoryItem }>().current.revision}"` }
    expect((await staff(`PUT /api/inventory/${id}`, { name: 'Mine' }, fresh)).status).toBe(200)
    // Without If-Match, an edit overwrites earlier edits.
    expect((await other(`PUT /api/inventory/${id}`, { name: 'Theirs' })).json()).toMatchObject({
      name: 'Theirs',
    })
  })

  it('an item edit with an empty SKU generates a new SKU, while a taken SKU is refused', async () => {
    const { staff } = await shop()
    await addedItem(staff, { sku: 'TAKEN' })
    const { id } = await addedItem(staff, { sku: 'MINE' })
    expect((await staff(`PUT /api/inventory/${id}`, { sku: 'taken' })).status).toBe(409)
    expect((await staff(`PUT /api/inventory/${id}`, { sku: '' })).json<InventoryItem>().sku).toMatch(
      /^SKU-\d{5}$/,
    )
    expect((await staff(`PUT /api/inventory/${id}`, { sku: 'mine' })).json<InventoryItem>().sku).toBe('mine')
    expect((await staff(`PUT /api/inventory/${NOBODY}`, { name: 'x' })).status).toBe(404)
  })
})

describe('the trash of items', () => {
  it('the trash shows an item with its stock for 30 days', async () => {
    const { app, staff } = await shop()
    const { id } = await addedItem(staff, { sku: 'HOOK', location: 'Shelf' })
    const answer = await staff(`DELETE /api/inventory/${id}`)
    expect([answer.status, answer.text]).toEqual([204, ''])
    for (const route of [`GET /api/inventory/${id}`, `DELETE /api/inventory/${id}`] as const)
      expect((await staff(route)).status).toBe(404)
    expect((await staff(`POST /api/inventory/${id}/adjust`, { delta: 1 })).status).toBe(404)
    const listTrash = async () => (await staff('GET /api/inventory?deleted=true')).json<InventoryItem[]>()
    expect((await listTrash()).map((item) => [item.id, item.deleted_at !== null])).toEqual([[id, true]])
    const stats = (await staff('GET /api/stats')).json<{ total_inventory: number }>()
    expect(stats.total_inventory).toBe(0)

    const other = await addedItem(staff, { sku: 'hook' })
    const taken = await staff(`POST /api/inventory/${id}/restore`)
    expect([taken.status, taken.detail()]).toEqual([
      409,
      'Another item now has the SKU HOOK. Please change the SKU of that item first.',
    ])
    await staff(`PUT /api/inventory/${other.id}`, { sku: 'OTHER' })
    // A location can be deleted if all items in it are in the trash. A restored item gets its location back.
    const [shelf] = await app.database.sql<{ id: string }[]>`select id from locations`
    expect((await staff(`DELETE /api/locations/${shelf?.id}`)).status).toBe(204)
    const restored = await staff(`POST /api/inventory/${id}/restore`)
    expect(restored.json()).toMatchObject({ id, quantity: 10, location: 'Shelf', deleted_at: null })
    expect((await staff(`POST /api/inventory/${id}/restore`)).status).toBe(200)

    await staff(`DELETE /api/inventory/${id}`)
    app.clock.advance(30 * DAY_MS)
    const later = callsOf(app, await app.as('staff'))
    expect((await later('GET /api/inventory?deleted=true')).json()).toEqual([])
    expect((await later(`POST /api/inventory/${id}/restore`)).status).toBe(404)
    const actions = (await entriesOf(app)).map(({ action }) => action)
    expect(actions.filter((action) => action.startsWith('item.'))).toEqual(
      ['created', 'deleted', 'created', 'updated', 'restored', 'deleted'].map((did) => `item.${did}`),
    )
  })

  it('deleting an item that is still in use is refused with the reason and the remedy', async () => {
    const { app, staff } = await shop()
    const { id } = await addedItem(staff)
    const job = await aPrintJob(app, { itemId: id })
    await staff(`POST /api/inventory/${id}/reserve`, { quantity: 3 })
    const product = await aProduct(app, { name: 'Dragon', itemId: id })
    await app.database
      .sql`update products set status = 'published', published_at = now() where id = ${product}`
    const answer = await staff(`DELETE /api/inventory/${id}`)
    expect([answer.status, answer.json<{ code: string }>().code]).toEqual([409, 'item_in_use'])
    expect(answer.detail()).toBe(
      'This item cannot be deleted yet: 1 print job will print it, 3 pieces are reserved and the product “Dragon” is linked to it. Please finish or cancel that job, release the reserved pieces and link that product to another item first.',
    )
    await app.database.sql`update print_jobs set status = 'cancelled', finished_at = now() where id = ${job}`
    await app.database
      .sql`update products set status = 'not_published', published_at = null where id = ${product}`
    expect((await staff(`DELETE /api/inventory/${id}`)).status).toBe(409)
    await staff(`POST /api/inventory/${id}/release`, { quantity: 3 })
    expect((await staff(`DELETE /api/inventory/${id}`)).status).toBe(204)
  })
})

describe('bulk changes of items', () => {
  it('a bulk change edits, deletes and restores items, and gives a reason for each item that it cannot change', async () => {
    const { app, staff } = await shop()
    const ids = [
      await anItem(app, { name: 'One', sku: 'ONE' }),
      await anItem(app, { name: 'Two', sku: 'TWO' }),
      await anItem(app, { name: 'Three', sku: 'THREE' }),
    ]
    const [one, two] = ids as [string, string, string]
    const bulk = async (body: object) => (await staff('POST /api/inventory/bulk', body)).json<BulkResult>()
    const edited = await bulk({
      ids: [...ids, NOBODY],
      location: 'Rack',
      reorder_point: 20,
      status: 'Reserved',
    })
    expect(edited.changed).toEqual(ids)
    expect(edited.failed).toEqual([{ id: NOBODY, detail: 'This item is not in the inventory.' }])
    const list = (await staff('GET /api/inventory')).json<InventoryItem[]>()
    expect(list.map(({ location, status, reorder_point: at }) => [location, status, at])).toEqual(
      Array(3).fill(['Rack', 'Reserved', 20]),
    )

    await staff(`POST /api/inventory/${two}/reserve`, { quantity: 1 })
    const trashed = await bulk({ ids, move: 'bin' })
    expect(trashed.changed).toHaveLength(2)
    expect(trashed.failed).toEqual([
      {
        id: two,
        detail:
          'This item cannot be deleted yet: 1 piece is reserved. Please release the reserved pieces first.',
      },
    ])
    await addedItem(staff, { sku: 'one' })
    const restored = await bulk({ ids, move: 'stock' })
    expect(restored.failed.map(({ id }) => id)).toEqual([one])
    expect(restored.changed).toHaveLength(2)
    const actions = (await entriesOf(app)).map(({ action }) => action)
    expect(actions.filter((action) => action === 'item.deleted')).toHaveLength(2)
    expect(actions.filter((action) => action === 'item.restored')).toHaveLength(1)
    expect(actions.filter((action) => action === 'item.updated')).toHaveLength(3)
  })

  it('a bulk change is refused if it combines two kinds of changes or names no items', async () => {
    const { app, staff } = await shop()
    const id = await anItem(app)
    for (const body of [
      { ids: [id] },
      { ids: [] },
      { ids: [id], move: 'bin', color: 'red' },
      { ids: ['x'], color: 'red' },
    ])
      expect((await staff('POST /api/inventory/bulk', body)).status).toBe(422)
  })
})
