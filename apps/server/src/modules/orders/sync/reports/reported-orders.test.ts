import type { Order } from '@pegasus/contracts/orders/orders'
import { expect, it } from 'vitest'
import { aMainSite, json } from '../../../../../test/servers/main-site-server.ts'
import { aKey, keyHeader } from '../../../../../test/support/accounts/api-keys.ts'
import { buildTestApp, type TestApp } from '../../../../../test/support/build-test-app.ts'
import {
  act,
  aShopifyApp,
  aWooApp,
  ordersOf,
  reportParcels,
  shopifyOrder,
  sync,
  wooOrder,
} from '../../../../../test/support/shop-apps.ts'
import { anItem } from '../../../../../test/support/stock-factories.ts'

const PEGASUS = { MAIN_SITE_URL: 'http://127.0.0.1:9', MAIN_SITE_ADMIN_KEY: 'key' }

/** Adds one order that is entered by hand, and one from another program. */
async function addOthers(app: TestApp): Promise<void> {
  const payload = { total_amount: 1, items: [] }
  const byHand = { ...payload, order_number: 'HAND-1', customer_name: 'Ada' }
  const headers = await app.as('staff')
  const entered = await app.http.inject({ method: 'POST', url: '/api/orders', headers, payload: byHand })
  expect(entered.statusCode).toBe(201)
  const { key } = await aKey(app, { scope: ['integration'] })
  const sent = await app.http.inject({
    method: 'POST',
    url: '/api/integration/orders',
    headers: keyHeader(key),
    payload: { ...payload, order_number: 'PROGRAM-1' },
  })
  expect(sent.statusCode).toBe(201)
  expect(sent.json<object>()).not.toHaveProperty('is_reported_to_shop')
}

const reportedOf = async (app: TestApp) =>
  Object.fromEntries(
    (await ordersOf(app)).map((order: Order) => [order.order_number, order.is_reported_to_shop]),
  )

it('only orders that the configured shop knows say that they are reported to it', async () => {
  const woo = await aWooApp()
  woo.shop.orders.set(7, wooOrder(7))
  await sync(woo.app)
  await addOthers(woo.app)
  expect(await reportedOf(woo.app)).toEqual({ '7': true, 'HAND-1': false, 'PROGRAM-1': false })

  const shopify = await aShopifyApp()
  shopify.shop.orders.set('7', { node: shopifyOrder('7'), open: [], fulfillments: [] })
  await sync(shopify.app)
  await addOthers(shopify.app)
  expect(await reportedOf(shopify.app)).toEqual({ '7': true, 'HAND-1': false, 'PROGRAM-1': false })
})

it('a shop with our own contract is told of orders from a program, and without a shop nothing is reported', async () => {
  const own = await buildTestApp({ variables: PEGASUS })
  await addOthers(own)
  expect(await reportedOf(own)).toEqual({ 'HAND-1': false, 'PROGRAM-1': true })
  const none = await buildTestApp()
  await addOthers(none)
  expect(await reportedOf(none)).toEqual({ 'HAND-1': false, 'PROGRAM-1': false })
})

it.each([
  ['a shop with our own contract', PEGASUS, expect.stringContaining('cancelled here, but not in the shop')],
  ['no shop', {}, null],
])(
  'with %s, an order from a program that was cancelled here names a shop only if the shop is told of it',
  async (_, variables, note) => {
    const app = await buildTestApp({ variables })
    await addOthers(app)
    const orderOf = async (number: string) =>
      (await ordersOf(app)).find(({ order_number: each }) => each === number)
    for (const number of ['HAND-1', 'PROGRAM-1']) await act(app, (await orderOf(number))?.id, 'cancel')
    expect(await orderOf('HAND-1')).toMatchObject({ status: 'cancelled', shop_problem: null })
    expect(await orderOf('PROGRAM-1')).toMatchObject({ status: 'cancelled', shop_problem: note })
    const { key } = await aKey(app, { scope: ['integration'] })
    await app.http.inject({
      method: 'POST',
      url: '/api/integration/orders',
      headers: keyHeader(key),
      payload: { order_number: 'PROGRAM-1', total_amount: 1, status: 'cancelled' },
    })
    expect(await orderOf('PROGRAM-1')).toMatchObject({ status: 'cancelled', shop_problem: null })
  },
)

it('orders of an earlier shop, which the present shop cannot know, are not reported to it', async () => {
  const { shop, app } = await aWooApp()
  shop.orders.set(7, wooOrder(7))
  shop.orders.set(8, wooOrder(8))
  await sync(app)
  await app.database.sql`update orders set external_id = null`
  const item = await anItem(app, { sku: 'DRG', quantity: 5 })
  const [first, second] = await ordersOf(app)
  expect(first).toMatchObject({ is_reported_to_shop: false, items: [{ inventory_item_id: item }] })
  expect(await act(app, first?.id, 'ship')).toMatchObject({ status: 'completed' })
  expect(await act(app, second?.id, 'complete', { close_short: true })).toMatchObject({ status: 'completed' })
  await reportParcels(app)
  expect(await ordersOf(app)).toMatchObject([
    { shop_problem: null, shipments: [{ told_at: null, tell_problem: null }] },
    { shop_problem: null },
  ])
})

it('a shop with our own contract gets exactly the fields of a parcel that its contract has', async () => {
  const site = await aMainSite()
  site.behave(json(200, {}))
  const app = await buildTestApp({
    variables: { MAIN_SITE_URL: site.url, MAIN_SITE_ADMIN_KEY: 'key', OUTBOUND_ALLOW: '127.0.0.1' },
  })
  await anItem(app, { sku: 'DRG', quantity: 5 })
  const { key } = await aKey(app, { scope: ['integration'] })
  const items = [{ sku: 'DRG', name: 'Dragon', quantity: 2, unit_price: 5 }]
  const payload = { order_number: 'PROGRAM-1', customer_name: 'Ada', total_amount: 10, items }
  const headers = keyHeader(key)
  await app.http.inject({ method: 'POST', url: '/api/integration/orders', headers, payload })
  const [order] = await ordersOf(app)
  const shipped = await act(app, order?.id, 'ship', { carrier: 'DHL', tracking_number: 'JD01' })
  await reportParcels(app)
  const reports = site.requests.filter(({ path }) => path.endsWith('/shipments'))
  expect(reports.map(({ body }) => body)).toEqual([
    {
      id: shipped.shipments[0]?.id,
      number: 1,
      carrier: 'DHL',
      tracking_number: 'JD01',
      tracking_url: null,
      created_at: shipped.shipments[0]?.created_at,
      items: [{ sku: 'DRG', name: 'Dragon', quantity: 2 }],
      is_last: true,
    },
  ])
})
