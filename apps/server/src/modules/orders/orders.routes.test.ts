import type { Order } from '@pegasus/contracts/orders/orders'
import { describe, expect, it } from 'vitest'
import { type TestApp, buildTestApp } from '../../../test/support/build-test-app.ts'
import { aPrintJob, allPages, anItem, anOrder, refusalOf } from '../../../test/support/stock-factories.ts'
import { DAY_MS, MINUTE_MS, addMs } from '../../platform/clock.ts'

const get = async (app: TestApp, url: string) => app.http.inject({ url, headers: await app.as('viewer') })

const numbers = async (app: TestApp, query = ''): Promise<string[]> =>
  (await get(app, `/api/orders${query}`)).json<Order[]>().map((order) => order.order_number)

describe('GET /api/orders', () => {
  describe('valid requests for orders', () => {
    it('a list of orders that is read again shows changes of the orders, of their stock and jobs, and the passage of time', async () => {
      const app = await buildTestApp()
      const { sql } = app.database
      const itemId = await anItem(app, { sku: 'HOOK', quantity: 5 })
      const dueAt = addMs(app.clock.now(), 10 * MINUTE_MS)
      const id = await anOrder(app, { dueAt, lines: [{ sku: 'HOOK', quantity: 5, unitPriceMinor: 100 }] })
      const jobId = await aPrintJob(app, { itemId, orderId: id, quantity: 2 })
      const headers = await app.as('viewer')
      const read = async () => {
        const lists = []
        for (let times = 0; times < 3; times += 1)
          lists.push((await app.http.inject({ url: '/api/orders', headers })).json<Order[]>())
        expect(lists[1]).toEqual(lists[0])
        expect(lists[2]).toEqual(lists[0])
        return lists[0]![0]!
      }
      expect(await read()).toMatchObject({ ready_to_pack: true, is_overdue: false })
      await sql`update order_lines set ignored_at = now()`
      expect((await read()).items[0]).toMatchObject({ is_ignored: true })
      await sql`update order_lines set ignored_at = null`
      expect((await read()).items[0]).toMatchObject({ queued_quantity: 2, allocated_quantity: 5 })
      await sql`update print_jobs set quantity = 3 where id = ${jobId}`
      expect((await read()).items[0]).toMatchObject({ queued_quantity: 3 })
      const earlier = addMs(app.clock.now(), MINUTE_MS)
      await anOrder(app, {
        dueAt: earlier,
        placedAt: addMs(app.clock.now(), -DAY_MS),
        lines: [{ sku: 'HOOK', quantity: 4, unitPriceMinor: 100 }],
      })
      expect((await read()).items[0]).toMatchObject({ allocated_quantity: 1, short_by: 4 })
      app.clock.advance(10 * MINUTE_MS)
      expect((await read()).is_overdue).toBe(false)
      app.clock.advance(1)
      expect((await read()).is_overdue).toBe(true)
    })

    it('GET /api/orders returns an order and compares its lines with the stock', async () => {
      const app = await buildTestApp()
      const itemId = await anItem(app, { sku: 'HOOK-1', quantity: 7, color_hex: '#e8641b' })
      const id = await anOrder(app, {
        orderNumber: 'PO-20261121-0862',
        customerName: 'Ó Súilleabháin & Daughters',
        totalMinor: 128_450,
        source: 'main_site',
        externalId: 'wc-77',
        notes: 'gift',
        lines: [
          { sku: ' hook-1 ', name: 'Wall hook', quantity: 3, unitPriceMinor: 1850 },
          { sku: 'NOT-OURS', name: 'Sticker', quantity: 1, unitPriceMinor: 0 },
        ],
      })
      const answer = await get(app, `/api/orders/${id}`)
      expect(answer.headers.etag).toBe('"1"')
      const order = answer.json<Order>()
      expect(order).toEqual({
        id,
        order_number: 'PO-20261121-0862',
        customer_name: 'Ó Súilleabháin & Daughters',
        status: 'pending',
        total_amount: 1284.5,
        currency: 'USD',
        placed_at: app.clock.now().toISOString(),
        due_at: null,
        items: [
          {
            id: expect.any(String),
            sku: 'hook-1',
            name: 'Wall hook',
            quantity: 3,
            unit_price: 18.5,
            inventory_item_id: itemId,
            available_quantity: 7,
            is_ignored: false,
            is_set: false,
            parts: [],
            shipped_quantity: 0,
            reserved_quantity: 0,
            allocated_quantity: 3,
            queued_quantity: 0,
            returned_quantity: 0,
            refunded_quantity: 0,
            missing_quantity: 0,
            not_shipped_quantity: 0,
            short_by: 0,
            color_hex: '#E8641B',
            stl_thumbnail_path: null,
          },
          {
            id: expect.any(String),
            sku: 'NOT-OURS',
            name: 'Sticker',
            quantity: 1,
            unit_price: 0,
            inventory_item_id: null,
            available_quantity: null,
            is_ignored: false,
            is_set: false,
            parts: [],
            shipped_quantity: 0,
            reserved_quantity: 0,
            allocated_quantity: 0,
            queued_quantity: 0,
            returned_quantity: 0,
            refunded_quantity: 0,
            missing_quantity: 1,
            not_shipped_quantity: 0,
            short_by: 1,
            color_hex: null,
            stl_thumbnail_path: null,
          },
        ],
        customer_email: null,
        shipping_address: null,
        shipping_amount: null,
        tax_amount: null,
        discount_amount: null,
        surcharge_amount: null,
        kept_amount: null,
        fee_amount: null,
        is_overdue: false,
        is_reported_to_shop: false,
        expected_start: null,
        expected_end: null,
        ready_to_pack: false,
        shipments: [],
        shop_problem: null,
        proposed_cancellations: [],
        is_history: false,
        revision: 1,
        source: 'main_site',
        external_id: 'wc-77',
        notes: 'gift',
        created_at: app.clock.now().toISOString(),
        updated_at: app.clock.now().toISOString(),
      })
      expect((await get(app, '/api/orders')).json()).toEqual([order])
    })

    it('GET /api/orders lists an order once, even if several of its lines match the item filter', async () => {
      const app = await buildTestApp()
      const itemId = await anItem(app, { sku: 'HOOK', quantity: 9 })
      await anItem(app, { sku: 'OTHER', quantity: 9 })
      const line = (sku: string) => ({ sku, quantity: 1, unitPriceMinor: 100 })
      await anOrder(app, { orderNumber: 'A-1', lines: [line('HOOK'), line('OTHER'), line('hook')] })
      await anOrder(app, { orderNumber: 'A-2', lines: [line('OTHER')] })
      app.clock.advance(DAY_MS)
      await anOrder(app, { orderNumber: 'A-3', status: 'completed', lines: [line('HOOK')] })
      const ofItem = `?inventory_item_id=${itemId}`
      expect(await numbers(app, ofItem)).toEqual(['A-3', 'A-1'])
      expect(await numbers(app, `${ofItem}&status=completed`)).toEqual(['A-3'])
      expect(await numbers(app, `${ofItem}&search=a-1`)).toEqual(['A-1'])
      const paged = await allPages<Order>(app, await app.as('viewer'), `/api/orders${ofItem}&limit=1`)
      expect(paged.items.map((order) => order.order_number)).toEqual(['A-3', 'A-1'])
      expect(paged.total).toBe('2')
      expect(await numbers(app, '?inventory_item_id=00000000-0000-7000-8000-000000000000')).toEqual([])
      const refused = await get(app, '/api/orders?inventory_item_id=1')
      expect([refused.statusCode, refused.json()]).toMatchObject([
        422,
        { detail: 'inventory_item_id is not an id' },
      ])
    })

    it('GET /api/orders lists the orders that are ready to pack, or short', async () => {
      const app = await buildTestApp()
      await anItem(app, { sku: 'HOOK', quantity: 3 })
      const hooks = (quantity: number) => [{ sku: 'HOOK', quantity, unitPriceMinor: 100 }]
      await anOrder(app, { orderNumber: 'A-1', lines: hooks(2) })
      app.clock.advance(DAY_MS)
      await anOrder(app, { orderNumber: 'A-2', lines: hooks(2) })
      await anOrder(app, { orderNumber: 'A-3', lines: hooks(1), status: 'completed' })
      await anOrder(app, { orderNumber: 'A-4', lines: [] })
      expect(await numbers(app, '?stock=ready')).toEqual(['A-4', 'A-1'])
      expect(await numbers(app, '?stock=short')).toEqual(['A-2'])
      expect((await get(app, '/api/orders?stock=some')).statusCode).toBe(422)
    })

    it('GET /api/orders lists the open orders that are due before a given time', async () => {
      const app = await buildTestApp()
      const due = (days: number) => addMs(app.clock.now(), days * DAY_MS)
      await anOrder(app, { orderNumber: 'A-1', dueAt: due(-1) })
      await anOrder(app, { orderNumber: 'A-2', dueAt: due(2) })
      await anOrder(app, { orderNumber: 'A-3', dueAt: due(-1), status: 'completed' })
      await anOrder(app, { orderNumber: 'A-4' })
      expect(await numbers(app, `?due_before=${due(1).toISOString()}`)).toEqual(['A-1'])
      expect((await numbers(app, `?due_before=${due(3).toISOString()}`)).toSorted()).toEqual(['A-1', 'A-2'])
      expect((await get(app, '/api/orders?due_before=tomorrow')).statusCode).toBe(422)
    })

    it('GET /api/orders with due_before sorts by due time, page by page, and counts all due orders', async () => {
      const app = await buildTestApp()
      const due = (days: number) => addMs(app.clock.now(), days * DAY_MS)
      // An order that was placed later is due later, so the oldest order is the most overdue one.
      for (let day = 51; day >= 1; day -= 1)
        await anOrder(app, { orderNumber: `D-${day}`, dueAt: due(-day), placedAt: due(-day - 100) })
      await anOrder(app, { orderNumber: 'E-2', dueAt: due(-1), placedAt: due(-101) })
      await anOrder(app, { orderNumber: 'E-1', dueAt: due(-1), placedAt: due(-101) })
      await anOrder(app, { orderNumber: 'E-0', dueAt: due(-1), placedAt: due(-90) })
      const query = `due_before=${due(1).toISOString()}`
      const first = await get(app, `/api/orders?${query}&limit=50`)
      expect(first.headers['x-total-count']).toBe('54')
      expect(first.json<Order[]>()[0]?.order_number).toBe('D-51')
      const pages = await allPages<Order>(app, await app.as('viewer'), `/api/orders?${query}&limit=1`)
      const expected = Array.from({ length: 51 }, (_, index) => `D-${51 - index}`)
      expect(pages.items.map((order) => order.order_number)).toEqual([...expected, 'E-1', 'E-2', 'E-0'])
    })

    it('GET /api/orders with due_before refuses a cursor of another list, and the other way round', async () => {
      const app = await buildTestApp()
      for (const orderNumber of ['A-1', 'A-2']) await anOrder(app, { orderNumber, dueAt: app.clock.now() })
      const query = `due_before=${addMs(app.clock.now(), DAY_MS).toISOString()}&limit=1`
      const cursorOf = async (url: string) =>
        /[?&]cursor=([^&>]+)/.exec(String((await get(app, url)).headers['link']))![1]!
      const [newest, due] = [await cursorOf('/api/orders?limit=1'), await cursorOf(`/api/orders?${query}`)]
      for (const url of [`/api/orders?${query}&cursor=${newest}`, `/api/orders?cursor=${due}`])
        expect((await get(app, url)).body).toContain('cursor does not come from this list')
    })

    it('GET /api/orders returns the missing pieces line by line while the order is open', async () => {
      const app = await buildTestApp()
      await anItem(app, { name: 'Hook', sku: 'HOOK', quantity: 7 })
      const lines = [5, 4, 3].map((quantity) => ({ sku: 'hook', quantity, unitPriceMinor: 100 }))
      const open = await anOrder(app, { lines })
      const over = await anOrder(app, { lines, status: 'completed' })
      const shortBy = async (id: string) =>
        (await get(app, `/api/orders/${id}`)).json<Order>().items.map((line) => line.short_by)
      expect(await shortBy(open)).toEqual([0, 2, 3])
      expect(await shortBy(over)).toEqual([0, 0, 0])
    })

    it('GET /api/orders sorts by the time when orders were placed, latest first, page by page', async () => {
      const app = await buildTestApp()
      const daysAgo = (days: number) => addMs(app.clock.now(), -days * DAY_MS)
      await anOrder(app, { orderNumber: 'b', placedAt: daysAgo(2) })
      await anOrder(app, { orderNumber: 'd', placedAt: daysAgo(0) })
      await anOrder(app, { orderNumber: 'a', placedAt: daysAgo(9) })
      await anOrder(app, { orderNumber: 'c', placedAt: daysAgo(1) })
      const pages = await allPages<Order>(app, await app.as('viewer'), '/api/orders?limit=1')
      expect(pages.items.map((order) => order.order_number)).toEqual(['d', 'c', 'b', 'a'])
      expect(pages.total).toBe('4')
    })

    it('GET /api/orders filters by status and search words', async () => {
      const app = await buildTestApp()
      await anOrder(app, { orderNumber: 'A-1', customerName: 'Ann Lee' })
      await anOrder(app, { orderNumber: 'A-2', customerName: 'Bob', status: 'completed' })
      await anOrder(app, { orderNumber: 'B-3', customerName: 'ann marie', status: 'cancelled' })
      expect(await numbers(app, '?status=pending')).toEqual(['A-1'])
      expect(await numbers(app, '?status=in_progress')).toEqual([])
      expect(await numbers(app, '?search=ANN')).toEqual(['B-3', 'A-1'])
      expect(await numbers(app, '?search=ann%20a-1')).toEqual(['A-1'])
    })
  })

  it('GET /api/orders refuses invalid input with 422, and unknown orders with 404', async () => {
    const app = await buildTestApp()
    for (const query of ['?limit=1001', '?status=shipped', '?cursor=WzEsMl0', '?search=%00'])
      expect((await get(app, `/api/orders${query}`)).statusCode).toBe(422)
    for (const id of ['01890000-0000-7000-8000-000000000000', 'abc'])
      expect((await get(app, `/api/orders/${id}`)).statusCode).toBe(404)
  })

  it('GET /api/orders refuses a caller without a token with 401', async () => {
    const app = await buildTestApp()
    for (const url of ['/api/orders', '/api/orders/01890000-0000-7000-8000-000000000000'])
      expect((await app.http.inject(url)).statusCode).toBe(401)
  })
})

describe('entering new orders', () => {
  it('a new order without a number gets an unused number', async () => {
    const app = await buildTestApp()
    await anOrder(app, { orderNumber: 'PO-00001' })
    const id = await anOrder(app)
    expect((await get(app, `/api/orders/${id}`)).json<Order>().order_number).toBe('PO-00002')
    expect(await refusalOf(anOrder(app, { orderNumber: 'PO-00001' }))).toBe('ORDER_NUMBER_TAKEN')
  })

  it('a new order is accepted without lines or with another total, but not with invalid amounts or quantities', async () => {
    const app = await buildTestApp()
    const line = { sku: 'X', quantity: 1, unitPriceMinor: 100 }
    expect(await refusalOf(anOrder(app, { totalMinor: 0 }))).toBe(null)
    expect(await refusalOf(anOrder(app, { totalMinor: 5, lines: [line] }))).toBe(null)
    for (const bad of [
      { totalMinor: -1 },
      { totalMinor: 0.5 },
      { lines: [{ ...line, quantity: 0 }] },
      { lines: [{ ...line, quantity: 1.5 }] },
      { lines: [{ ...line, unitPriceMinor: -1 }] },
      { orderNumber: 'x'.repeat(65) },
      { customerName: 'x'.repeat(201) },
    ])
      expect([bad, await refusalOf(anOrder(app, bad))]).toEqual([bad, 'ORDER_INVALID'])
    expect(await numbers(app)).toHaveLength(2)
  })

  it('a new order stores amounts exactly, even in currencies with no decimals or three', async () => {
    const app = await buildTestApp()
    await anOrder(app, { currency: 'JPY', totalMinor: 1250 })
    await anOrder(app, { currency: 'KWD', totalMinor: 1250 })
    expect((await get(app, '/api/orders')).json<Order[]>().map((order) => order.total_amount)).toEqual([
      1.25, 1250,
    ])
  })
})
