import type { RefusedOrder } from '@pegasus/contracts/orders/refused-orders'
import { expect, it } from 'vitest'
import { aMainSite, json } from '../../../../test/servers/main-site-server.ts'
import { type TestApp, buildTestApp } from '../../../../test/support/build-test-app.ts'
import {
  aShopifyApp,
  aWooApp,
  act,
  ordersOf,
  shopifyOrder,
  sync,
  wooOrder,
} from '../../../../test/support/shop-apps.ts'
import { anItem } from '../../../../test/support/stock-factories.ts'
import { sendWebhook, shopifyHeaders, wooHeaders } from '../../../../test/support/webhooks.ts'
import { DAY_MS, MINUTE_MS, addMs } from '../../../platform/clock.ts'

const refusedIn = async (app: TestApp): Promise<RefusedOrder[]> =>
  (await app.http.inject({ url: '/api/orders/refused', headers: await app.as('staff') })).json<
    RefusedOrder[]
  >()

const LONG_SKU = {
  line_items: [{ id: 1, sku: 'D'.repeat(65), name: 'Dragon', quantity: 1, subtotal: '9.00' }],
}
const TOO_LONG =
  'The SKU of line 1 can have at most 64 characters. Correct the order in the shop, and it will be received.'

it('GET /api/orders/refused lists a refused order of the shop until the order is added', async () => {
  const { shop, app } = await aWooApp()
  shop.orders.set(7, wooOrder(7, LONG_SKU))
  shop.orders.set(8, wooOrder(8))
  await app.shop.shopOrders.run()
  const expected = {
    order_number: '7',
    detail: TOO_LONG,
    shop_url: `${shop.url}/wp-admin/post.php?post=7&action=edit`,
  }
  const refused = await refusedIn(app)
  expect(refused).toMatchObject([expected])
  // By now, the list of changes no longer contains the order.
  app.clock.advance(DAY_MS)
  await app.shop.shopOrders.run()
  expect(await refusedIn(app)).toEqual(refused)
  const mended = wooOrder(7, { date_modified_gmt: app.clock.now().toISOString().slice(0, 19) })
  shop.orders.set(7, mended)
  await app.shop.shopOrders.run()
  expect(await refusedIn(app)).toEqual([])
  expect((await ordersOf(app)).map(({ order_number: number }) => number).toSorted()).toEqual(['7', '8'])
})

it('the list of refused orders contains a refused event once, until a person enters the order or the shop deletes it', async () => {
  const { shop, app } = await aShopifyApp()
  const rest = (id: number) =>
    JSON.stringify({
      admin_graphql_api_id: `gid://shopify/Order/${id}`,
      name: `#${id}`,
      financial_status: 'paid',
      currency: 'EUR',
      total_price: '9.00',
      updated_at: '2026-11-01T10:00:00Z',
      line_items: [{ sku: 'DRG', name: 'Dragon', quantity: 1, price: '9.00' }],
    })
  for (const id of [7, 7, 8])
    expect((await sendWebhook(app, 'shopify', rest(id), shopifyHeaders(rest(id)))).body).toEqual({
      outcome: 'failed',
      detail: 'Orders must use the currency USD',
    })
  expect(await refusedIn(app)).toMatchObject([
    { order_number: '7', detail: 'Orders must use the currency USD', shop_url: `${shop.url}/admin/orders/7` },
    { order_number: '8' },
  ])
  const gone = JSON.stringify({ id: 8 })
  await sendWebhook(app, 'shopify', gone, shopifyHeaders(gone, 'orders/delete'))
  expect(await refusedIn(app)).toMatchObject([{ order_number: '7' }])
  await app.http.inject({
    method: 'POST',
    url: '/api/orders',
    headers: await app.as('staff'),
    payload: { order_number: '7', customer_name: 'Ada', items: [] },
  })
  expect(await refusedIn(app)).toEqual([])
  shop.orders.set('9', { node: shopifyOrder('9'), open: [], fulfillments: [] })
  expect(await sync(app)).toMatchObject({ created: 1 })
})

it('the next comparison adds a refused order once the cause is gone, even if the shop does not resend it', async () => {
  const { app } = await aWooApp()
  const item = await anItem(app, { sku: 'DRG', quantity: 1 })
  const decide = async (what: string, payload: object) =>
    app.http.inject({
      method: 'POST',
      url: `/api/orders/unknown-skus/${what}`,
      headers: await app.as('staff'),
      payload,
    })
  const mapped = { sku: 'BOX', items: [{ inventory_item_id: item, quantity: 1000 }] }
  expect((await decide('map', mapped)).statusCode).toBe(200)
  const line = { id: 1, sku: 'BOX', name: 'Box', quantity: 2_000_000, subtotal: '2000000.00' }
  const body = JSON.stringify(wooOrder(7, { line_items: [line] }))
  expect((await sendWebhook(app, 'woocommerce', body, wooHeaders(body))).body.outcome).toBe('failed')
  await sync(app)
  expect(await refusedIn(app)).toHaveLength(1)
  expect((await decide('forget', { sku: 'BOX' })).statusCode).toBe(200)
  await sync(app)
  expect(await refusedIn(app)).toEqual([])
  expect(await ordersOf(app)).toMatchObject([
    { order_number: '7', items: [{ sku: 'BOX', quantity: 2_000_000 }] },
  ])
})

it('an unreadable change of a known order is shown with the order and not in the list of refused orders', async () => {
  const { shop, app } = await aWooApp()
  shop.orders.set(7, wooOrder(7))
  await sync(app)
  const now = app.clock.now().toISOString().slice(0, 19)
  shop.orders.set(7, wooOrder(7, { ...LONG_SKU, date_modified_gmt: now }))
  await sync(app)
  expect(await ordersOf(app)).toMatchObject([{ shop_problem: TOO_LONG, items: [{ sku: 'DRG' }] }])
  expect(await refusedIn(app)).toEqual([])
})

it('an order with text that cannot be stored does not stop the import of the orders after it', async () => {
  const site = await aMainSite()
  const app = await buildTestApp({ variables: { MAIN_SITE_URL: site.url } })
  const order = { customer_name: 'Ada', total_amount: 5, items: [] }
  site.behave(
    json(200, {
      orders: [
        { ...order, order_number: 'WEB-1\u0000', external_id: '1\u0000' },
        { ...order, order_number: 'WEB-2', external_id: '2', currency: 'US\u0000' },
        { ...order, order_number: '\ud800', external_id: '3' },
        { ...order, customer_name: 'Nobody' },
        'no order',
        { ...order, order_number: 'W'.repeat(1000) },
        { ...order, order_number: 'WEB-4', external_id: '4' },
      ],
    }),
  )
  for (let twice = 0; twice < 2; twice += 1) await sync(app)
  expect((await ordersOf(app)).map(({ order_number: number }) => number)).toEqual(['WEB-4'])
  const refused = await refusedIn(app)
  expect(refused.map(({ order_number: number }) => number ?? '').toSorted()).toEqual(
    ['WEB-1', 'WEB-2', 'W'.repeat(64), '\ufffd'].toSorted(),
  )
  for (const order of refused) expect(order.shop_url).toBe(`${site.url}/admin/orders`)
})

it('GET /api/orders/refused is empty without a main site, and is refused for a viewer', async () => {
  const app = await buildTestApp()
  expect(await refusedIn(app)).toEqual([])
  const asked = await app.http.inject({ url: '/api/orders/refused', headers: await app.as('viewer') })
  expect(asked.statusCode).toBe(403)
})

it("a shop's order that a person deleted stays deleted, and gets the shop's later changes when it is restored", async () => {
  const { shop, app } = await aWooApp()
  const at = (minutes: number) => ({
    date_modified_gmt: addMs(app.clock.now(), minutes * MINUTE_MS)
      .toISOString()
      .slice(0, 19),
  })
  const sendOrder = async (change: object) => {
    const body = JSON.stringify(wooOrder(7, change))
    return (await sendWebhook(app, 'woocommerce', body, wooHeaders(body))).body.outcome
  }
  shop.orders.set(7, wooOrder(7, at(0)))
  await sync(app)
  const [order] = await ordersOf(app)
  const headers = await app.as('staff')
  const removed = await app.http.inject({ method: 'DELETE', url: `/api/orders/${order?.id}`, headers })
  expect(removed.statusCode).toBe(204)
  expect(await sync(app)).toMatchObject({ created: 0, unchanged: 1, failed: [] })
  const door = { ...at(9), customer_note: 'Leave it at the door' }
  expect(await sendOrder(door)).toBe('unchanged')
  // This change arrives late and is older than the saved change, so it is ignored.
  expect(await sendOrder({ ...at(5), customer_note: 'Ring once' })).toBe('unchanged')
  expect(await sendOrder({ ...at(6), ...LONG_SKU })).toBe('failed')
  expect([await ordersOf(app), await refusedIn(app)]).toEqual([[], []])
  const restored = await act(app, order?.id, 'restore')
  expect(restored).toMatchObject({ id: order?.id, order_number: '7', notes: 'Leave it at the door' })
  expect(await sendOrder(door)).toBe('unchanged')
  expect(await ordersOf(app)).toHaveLength(1)
})
