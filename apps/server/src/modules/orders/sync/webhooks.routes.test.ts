import type { Order } from '@pegasus/contracts/orders/orders'
import { expect, it } from 'vitest'
import { aMainSite, json } from '../../../../test/servers/main-site-server.ts'
import { type TestApp, buildTestApp } from '../../../../test/support/build-test-app.ts'
import { anItem } from '../../../../test/support/stock-factories.ts'
import { WEBHOOK_SECRET, sendWebhook, standardHeaders } from '../../../../test/support/webhooks.ts'
import { HOUR_MS, MINUTE_MS } from '../../../platform/clock.ts'

const ORDER = {
  order_number: 'WEB-1',
  external_id: '1',
  customer_name: 'Ada',
  total_amount: 12.5,
  updated_at: '2026-11-01T10:00:00Z',
  items: [{ sku: 'HOOK', name: 'Hook', quantity: 2, unit_price: 6.25 }],
}

async function aShop() {
  const site = await aMainSite()
  const app = await buildTestApp({
    variables: { MAIN_SITE_URL: site.url, MAIN_SITE_WEBHOOK_SECRET: WEBHOOK_SECRET },
  })
  const sendOrder = (order: object) => {
    const body = JSON.stringify({ type: 'order.updated', order })
    return sendWebhook(app, 'pegasus', body, standardHeaders(body, { at: app.clock.now() }))
  }
  return { site, app, sendOrder }
}

const ordersOf = async (app: TestApp): Promise<Order[]> =>
  (await app.http.inject({ url: '/api/orders', headers: await app.as('viewer') })).json<Order[]>()

it('a signed event adds an order at once, and only once', async () => {
  const { app, sendOrder } = await aShop()
  await anItem(app, { sku: 'HOOK', quantity: 5 })
  expect(await sendOrder(ORDER)).toEqual({ status: 200, body: { outcome: 'created', detail: null } })
  const [order] = await ordersOf(app)
  expect(order).toMatchObject({ order_number: 'WEB-1', source: 'main_site', ready_to_pack: true })
  for (let twice = 0; twice < 2; twice += 1)
    expect((await sendOrder(ORDER)).body).toEqual({ outcome: 'unchanged', detail: null })
  expect(await ordersOf(app)).toEqual([order])
})

it('ten simultaneous deliveries of one new order add one order', async () => {
  const { app, sendOrder } = await aShop()
  const answers = await Promise.all(Array.from({ length: 10 }, () => sendOrder(ORDER)))
  expect(answers.filter(({ body }) => body.outcome === 'created')).toHaveLength(1)
  expect(answers.filter(({ body }) => body.outcome === 'unchanged')).toHaveLength(9)
  expect(await ordersOf(app)).toHaveLength(1)
})

it('an older change of an order that arrives after a newer one is ignored', async () => {
  const { app, sendOrder } = await aShop()
  await sendOrder({ ...ORDER, customer_name: 'Ada Lovelace', updated_at: '2026-11-01T12:00:00Z' })
  expect(
    (await sendOrder({ ...ORDER, status: 'cancelled', updated_at: '2026-11-01T11:00:00Z' })).body.outcome,
  ).toBe('unchanged')
  expect(await ordersOf(app)).toMatchObject([{ customer_name: 'Ada Lovelace', status: 'pending' }])
})

it('a repeated event does not revert changes by people, and a later event applies only the changes from the shop', async () => {
  const { app, sendOrder } = await aShop()
  await sendOrder({ ...ORDER, status: 'pending' })
  const [order] = await ordersOf(app)
  const staff = await app.as('staff')
  const edited = await app.http.inject({
    method: 'PUT',
    url: `/api/orders/${order?.id}`,
    headers: { ...staff, 'if-match': '*' },
    payload: { customer_name: 'Ada King', total_amount: 10 },
  })
  expect(edited.statusCode).toBe(200)
  await app.http.inject({ method: 'POST', url: `/api/orders/${order?.id}/cancel`, headers: staff })
  expect((await sendOrder({ ...ORDER, status: 'pending' })).body.outcome).toBe('unchanged')
  const mine = { customer_name: 'Ada King', total_amount: 10, status: 'cancelled' }
  expect(await ordersOf(app)).toMatchObject([{ ...mine, notes: null }])
  const later = { ...ORDER, status: 'pending', notes: 'gift', updated_at: '2026-11-01T10:30:00Z' }
  expect((await sendOrder(later)).body.outcome).toBe('updated')
  expect(await ordersOf(app)).toMatchObject([{ ...mine, notes: 'gift' }])
  // When the shop reverts its own cancellation, the order is open again.
  for (const [status, minute] of [
    ['cancelled', '40'],
    ['in_progress', '50'],
  ])
    await sendOrder({ ...ORDER, status, updated_at: `2026-11-01T10:${minute}:00Z` })
  expect(await ordersOf(app)).toMatchObject([{ status: 'in_progress' }])
})

it("the first event after a SKU becomes a product's slug gives the line its item, and later events change nothing", async () => {
  const { app, sendOrder } = await aShop()
  const order = { ...ORDER, items: [{ sku: 'wall-hook', name: 'Hook', quantity: 1, unit_price: 5 }] }
  await sendOrder(order)
  const item = await anItem(app, { sku: 'HOOK', quantity: 5 })
  const product = {
    name: 'Wall hook',
    slug: 'wall-hook',
    category: 'miniatures',
    price: 5,
    stock: 5,
    license: 'cc0',
    description: 'Holds a coat.',
    images: ['https://cdn.example/hook.jpg'],
    inventory_item_id: item,
  }
  const published = await app.http.inject({
    method: 'POST',
    url: '/api/admin/products',
    headers: await app.as('staff'),
    payload: product,
  })
  expect(published.statusCode).toBe(201)
  expect((await sendOrder(order)).body.outcome).toBe('updated')
  expect(await ordersOf(app)).toMatchObject([{ items: [{ inventory_item_id: item }], ready_to_pack: true }])
  expect((await sendOrder(order)).body.outcome).toBe('unchanged')
})

it('a cancellation by the shop frees the reserved pieces', async () => {
  const { app, sendOrder } = await aShop()
  const item = await anItem(app, { sku: 'HOOK', quantity: 5 })
  await sendOrder(ORDER)
  const [order] = await ordersOf(app)
  const staff = await app.as('staff')
  await app.http.inject({ method: 'POST', url: `/api/orders/${order?.id}/reserve`, headers: staff })
  await sendOrder({ ...ORDER, status: 'cancelled', updated_at: '2026-11-01T11:00:00Z' })
  expect(await ordersOf(app)).toMatchObject([{ status: 'cancelled' }])
  const { reserved_quantity: reserved } = (
    await app.http.inject({ url: `/api/inventory/${item}`, headers: staff })
  ).json<{ reserved_quantity: number }>()
  expect(reserved).toBe(0)
})

it('an event with a known id and other content changes that order to the content that the shop sent last', async () => {
  const { app, sendOrder } = await aShop()
  await anItem(app, { sku: 'HOOK', quantity: 5 })
  await sendOrder(ORDER)
  const [first] = await ordersOf(app)
  const three = [{ ...ORDER.items[0], quantity: 3 }]
  // Two changes can have the same time, because the shop rounds times.
  expect((await sendOrder({ ...ORDER, total_amount: 18.75, items: three })).body.outcome).toBe('updated')
  expect(await ordersOf(app)).toMatchObject([
    { id: first?.id, total_amount: 18.75, items: [{ quantity: 3 }] },
  ])
  const later = { updated_at: '2026-11-01T11:00:00Z' }
  const renamed = { ...ORDER, ...later, order_number: 'WEB-1-B', customer_name: 'Grace' }
  expect((await sendOrder(renamed)).body.outcome).toBe('updated')
  expect(await ordersOf(app)).toMatchObject([
    {
      id: first?.id,
      order_number: 'WEB-1-B',
      customer_name: 'Grace',
      total_amount: 12.5,
      items: [{ quantity: 2 }],
    },
  ])
})

it('a refused change leaves the order unchanged, except for the reason that it shows until the next accepted change', async () => {
  const { app, sendOrder } = await aShop()
  await anItem(app, { sku: 'HOOK', quantity: 5 })
  await sendOrder(ORDER)
  const [order] = await ordersOf(app)
  const staff = await app.as('staff')
  await app.http.inject({ method: 'POST', url: `/api/orders/${order?.id}/ship`, headers: staff })
  const other = { sku: 'PEG', name: 'Peg', quantity: 1, unit_price: 1 }
  const response = await sendOrder({ ...ORDER, items: [other], updated_at: '2026-11-02T10:00:00Z' })
  const sentence = '“Hook” (HOOK): 2 pieces already shipped, so this line cannot be replaced.'
  expect(response).toEqual({ status: 200, body: { outcome: 'failed', detail: sentence } })
  expect(await ordersOf(app)).toMatchObject([
    { status: 'completed', shop_problem: sentence, items: [{ sku: 'HOOK', shipped_quantity: 2 }] },
  ])
  expect((await sendOrder({ ...ORDER, updated_at: '2026-11-02T11:00:00Z' })).status).toBe(200)
  expect(await ordersOf(app)).toMatchObject([{ shop_problem: null }])
})

it('an order that the shop cancels after shipping stays completed and shows the problem until its pieces are returned', async () => {
  const { app, sendOrder } = await aShop()
  await anItem(app, { sku: 'HOOK', quantity: 5 })
  await sendOrder(ORDER)
  const [order] = await ordersOf(app)
  const headers = await app.as('staff')
  const act = (what: string, payload: object = {}) =>
    app.http.inject({ method: 'POST', url: `/api/orders/${order?.id}/${what}`, headers, payload })
  await act('ship')
  const cancelled = { ...ORDER, status: 'cancelled', updated_at: '2026-11-02T10:00:00Z' }
  const sentence =
    'This order was cancelled after 2 pieces had left. It stays completed until they are taken back.'
  expect((await sendOrder(cancelled)).body).toEqual({ outcome: 'failed', detail: sentence })
  expect((await sendOrder(cancelled)).body).toEqual({ outcome: 'failed', detail: sentence })
  expect(await ordersOf(app)).toMatchObject([{ status: 'completed', shop_problem: sentence }])
  const [line] = order?.items ?? []
  await act('return', { items: [{ line_id: line?.id, quantity: 2, to: 'stock' }] })
  expect(await ordersOf(app)).toMatchObject([{ status: 'cancelled', shop_problem: null }])
  expect((await sendOrder(cancelled)).body.outcome).toBe('unchanged')
})

it('an event is refused if its signature is missing or wrong, or if it is old, from the future or too large', async () => {
  const { app } = await aShop()
  const body = JSON.stringify({ type: 'order.created', order: ORDER })
  const now = app.clock.now()
  const at = (ms: number) => standardHeaders(body, { at: new Date(now.getTime() + ms) })
  const statuses = [
    await sendWebhook(app, 'pegasus', body, {}),
    await sendWebhook(app, 'pegasus', body, standardHeaders(body, { at: now, secret: 'another secret' })),
    await sendWebhook(app, 'pegasus', `${body} `, at(0)),
    await sendWebhook(app, 'pegasus', body, at(-HOUR_MS - MINUTE_MS)),
    await sendWebhook(app, 'pegasus', body, at(HOUR_MS + MINUTE_MS)),
    await sendWebhook(app, 'pegasus', body, { ...at(0), 'webhook-timestamp': 'now' }),
  ].map(({ status }) => status)
  expect(statuses).toEqual([401, 401, 401, 401, 401, 401])
  const huge = JSON.stringify({ order: { ...ORDER, notes: 'x'.repeat(10 * 1024 * 1024) } })
  expect((await sendWebhook(app, 'pegasus', huge, standardHeaders(huge, { at: now }))).status).toBe(413)
  expect((await sendWebhook(app, 'woocommerce', body, at(0))).status).toBe(404)
  expect(await ordersOf(app)).toEqual([])
})

it('an event that has no order or is not JSON is ignored, and one with an invalid order fails with a message', async () => {
  const { app, sendOrder } = await aShop()
  for (const body of ['{"type":"product.updated"}', 'not json', '[]', '']) {
    const headers = standardHeaders(body, { at: app.clock.now() })
    expect(await sendWebhook(app, 'pegasus', body, headers)).toMatchObject({
      status: 200,
      body: { outcome: 'ignored' },
    })
  }
  const { order_number: _number, external_id: _id, ...nameless } = ORDER
  expect((await sendOrder(nameless)).body).toMatchObject({ outcome: 'failed', detail: expect.any(String) })
  const [line] = ORDER.items
  for (const amounts of [
    { total_amount: -1 },
    { total_amount: 12.505 },
    { total_amount: '12.50' },
    { total_amount: 1e15 },
    { shipping_amount: -0.01 },
    { items: [{ ...line, unit_price: 0.001 }] },
    { items: [{ ...line, unit_price: -6.25 }] },
    { items: [{ ...line, quantity: 0.5 }] },
    { items: [{ ...line, quantity: -2 }] },
  ])
    expect([amounts, (await sendOrder({ ...ORDER, ...amounts })).body.outcome]).toEqual([amounts, 'failed'])
  expect((await sendOrder({ ...ORDER, currency: 'EUR' })).body.detail).toBe(
    'Orders must use the currency USD',
  )
  expect(await ordersOf(app)).toEqual([])
})

it('every event is refused if no secret or no main site is configured', async () => {
  const site = await aMainSite()
  const body = JSON.stringify({ order: ORDER })
  const open = await buildTestApp({ variables: { MAIN_SITE_URL: site.url } })
  const headers = standardHeaders(body, { at: open.clock.now(), secret: '' })
  expect((await sendWebhook(open, 'pegasus', body, headers)).status).toBe(401)
  const none = await buildTestApp()
  expect((await sendWebhook(none, 'pegasus', body, headers)).status).toBe(404)
})

it('the next sync fetches a missed order, and asks only for changes since the previous sync', async () => {
  const { site, app } = await aShop()
  site.behave((response, request) => {
    const page = new URL(request.path, site.url).searchParams.get('page')
    json(200, {
      orders: [{ ...ORDER, order_number: page ? 'WEB-2' : 'WEB-1', external_id: page ? '2' : '1' }],
      next: page ? null : 'second',
    })(response, request)
  })
  await app.shop.shopOrders.run()
  expect((await ordersOf(app)).map(({ order_number: number }) => number).toSorted()).toEqual([
    'WEB-1',
    'WEB-2',
  ])
  const firstAt = app.clock.now()
  app.clock.advance(HOUR_MS)
  await app.shop.shopOrders.run()
  const asked = site.requests.map(({ path }) => new URL(path, site.url).searchParams)
  expect(asked.map((query) => query.get('page'))).toEqual([null, 'second', null, 'second'])
  const [first, , later] = asked.map((query) => new Date(query.get('since') ?? 0).getTime())
  expect(firstAt.getTime() - (first ?? 0)).toBe(90 * 24 * HOUR_MS)
  expect(firstAt.getTime() - (later ?? 0)).toBe(10 * MINUTE_MS)
})
