import { expect, it } from 'vitest'
import { type SiteBehavior, answering, json } from '../../../../test/servers/main-site-server.ts'
import { throttled } from '../../../../test/servers/shopify-server.ts'
import type { WooShop } from '../../../../test/servers/woo-server.ts'
import type { TestApp } from '../../../../test/support/build-test-app.ts'
import {
  aShopifyApp,
  aWooApp,
  act,
  ordersOf,
  shopifyOrder,
  sync,
  wooOrder,
  reportParcels,
} from '../../../../test/support/shop-apps.ts'
import { anItem } from '../../../../test/support/stock-factories.ts'
import { sendWebhook, shopifyHeaders, wooHeaders } from '../../../../test/support/webhooks.ts'
import { MINUTE_MS, SECOND_MS } from '../../../platform/clock.ts'

const READ = {
  order_number: '7',
  external_id: '7',
  status: 'pending',
  customer_name: 'Ada Lovelace',
  customer_email: 'ada@example.com',
  shipping_address: {
    name: 'Ada Lovelace',
    line1: '12 Square',
    postal_code: 'SW1Y',
    city: 'London',
    country: 'GB',
  },
  total_amount: 43.9,
  shipping_amount: 4.9,
  tax_amount: 3,
  discount_amount: 4,
  placed_at: '2026-11-01T10:00:00Z',
  notes: 'Ring twice',
  items: [{ sku: 'DRG', name: 'Dragon', quantity: 2, unit_price: 20 }],
}

it('the server receives orders of WooCommerce from pages and signed events, and applies each change once', async () => {
  const { shop, app } = await aWooApp()
  for (let id = 7; id < 157; id += 1) shop.orders.set(id, wooOrder(id))
  shop.orders.set(200, wooOrder(200, { status: 'pending' }))
  expect(await sync(app)).toMatchObject({ created: 150, failed: [] })
  expect((await ordersOf(app)).find(({ order_number: number }) => number === '7')).toMatchObject(READ)
  expect(await sync(app)).toMatchObject({ created: 0, updated: 0 })
  const paid = JSON.stringify(wooOrder(200, { date_modified_gmt: '2026-11-01T11:00:00' }))
  expect((await sendWebhook(app, 'woocommerce', paid, wooHeaders(paid))).body.outcome).toBe('created')
  expect((await sendWebhook(app, 'woocommerce', paid, wooHeaders(paid))).body.outcome).toBe('unchanged')
  expect(
    (await sendWebhook(app, 'woocommerce', paid, wooHeaders(paid, 'product.updated'))).body.outcome,
  ).toBe('ignored')
  expect((await sendWebhook(app, 'woocommerce', `${paid} `, wooHeaders(paid))).status).toBe(401)
  const refunded = JSON.stringify(
    wooOrder(200, { status: 'refunded', date_modified_gmt: '2026-11-01T12:00:00' }),
  )
  expect((await sendWebhook(app, 'woocommerce', refunded, wooHeaders(refunded))).body.outcome).toBe('updated')
  expect((await ordersOf(app)).find(({ order_number: number }) => number === '200')?.status).toBe('cancelled')
})

it('no order from WooCommerce is missed if an order changes while its pages are read, or if many share one second', async () => {
  const { shop, app } = await aWooApp()
  for (let id = 1; id <= 350; id += 1) {
    // 250 orders were changed in the same second, for example by a plugin.
    const seconds = id <= 250 ? 0 : id - 250
    const at = new Date(Date.parse('2026-11-01T10:00:00Z') + seconds * SECOND_MS)
    shop.orders.set(id, wooOrder(id, { date_modified_gmt: at.toISOString().slice(0, 19) }))
  }
  let pages = 0
  shop.behave((response, request) => {
    // Before each further page, an order of the first page changes and moves to the end of the list.
    if (pages > 0) shop.orders.get(pages)!.date_modified_gmt = `2026-11-01T12:00:${10 + pages}`
    pages += 1
    shop.take(request)(response, request)
  })
  expect(await sync(app)).toMatchObject({ created: 350, failed: [] })
  expect((await ordersOf(app)).length).toBe(350)
})

it('an order that is deleted in a shop is cancelled, unless it is completed', async () => {
  const woo = await aWooApp()
  const shopify = await aShopifyApp()
  for (const id of [7, 8]) {
    woo.shop.orders.set(id, wooOrder(id))
    shopify.shop.orders.set(String(id), { node: shopifyOrder(String(id)), open: [], fulfillments: [] })
  }
  for (const [app, remove] of [
    [woo.app, (text: string) => sendWebhook(woo.app, 'woocommerce', text, wooHeaders(text, 'order.deleted'))],
    [
      shopify.app,
      (text: string) => sendWebhook(shopify.app, 'shopify', text, shopifyHeaders(text, 'orders/delete')),
    ],
  ] as const) {
    await anItem(app, { sku: 'DRG', quantity: 4 })
    await sync(app)
    const idOf = async (number: string) =>
      (await ordersOf(app)).find((order) => order.order_number === number)?.id
    await act(app, await idOf('7'), 'reserve')
    await act(app, await idOf('8'), 'ship')
    for (const [id, outcome] of [
      [7, 'updated'],
      [7, 'unchanged'],
      [8, 'unchanged'],
      [9, 'unchanged'],
    ] as const)
      expect((await remove(JSON.stringify({ id }))).body.outcome).toBe(outcome)
    const orders = (await ordersOf(app)).toSorted((a, b) => (a.order_number < b.order_number ? -1 : 1))
    expect(
      orders.map(({ status, items: [line] }) => [status, line?.reserved_quantity, line?.quantity]),
    ).toEqual([
      ['cancelled', 0, 2],
      ['completed', 0, 2],
    ])
    expect(orders.map((order) => order.shop_problem)).toEqual([null, null])
  }
})

it('a list of orders is continued after the delay that the rate limit of a shop requires', async () => {
  const woo = await aWooApp()
  woo.shop.orders.set(7, wooOrder(7))
  const shopify = await aShopifyApp()
  shopify.shop.orders.set('7', { node: shopifyOrder('7'), open: [], fulfillments: [] })
  for (const [{ shop, app }, limit] of [
    [woo, (response, _request) => void response.writeHead(429, { 'retry-after': '0.1' }).end()],
    [shopify, throttled({ lacking: 10 })],
  ] as const satisfies [{ shop: Pick<WooShop, 'behave'>; app: TestApp }, SiteBehavior][]) {
    shop.behave((response, request) => {
      shop.behave(null)
      limit(response, request)
    })
    expect(await sync(app)).toMatchObject({ created: 1, failed: [] })
  }
})

it('each parcel adds one note for the customer at WooCommerce, and the last parcel completes the order', async () => {
  const { shop, app } = await aWooApp()
  await anItem(app, { sku: 'DRG', quantity: 5 })
  shop.orders.set(7, wooOrder(7))
  await sync(app)
  const [order] = await ordersOf(app)
  const [line] = order?.items ?? []
  const tracking = { carrier: 'DHL', tracking_number: 'JD01', tracking_url: 'https://dhl.example/JD01' }
  await act(app, order?.id, 'ship', { items: [{ line_id: line?.id, quantity: 1 }], ...tracking })
  // The response to the note is lost, so the call is repeated.
  shop.behave((response, request) => {
    const answer = shop.take(request)
    return request.method === 'POST' ? answering(500, 'Down')(response, request) : answer(response, request)
  })
  await reportParcels(app)
  expect((await ordersOf(app))[0]?.shipments).toMatchObject([{ told_at: null, tell_problem: 'Down' }])
  shop.behave(null)
  await app.shop.shipments.run()
  expect((await ordersOf(app))[0]?.shipments).toMatchObject([{ told_at: null }])
  app.clock.advance(MINUTE_MS)
  await reportParcels(app)
  expect((await ordersOf(app))[0]?.shipments).toMatchObject([
    { told_at: expect.any(String), tell_problem: null },
  ])
  expect(shop.orders.get(7)).toMatchObject({ status: 'processing' })
  await act(app, order?.id, 'ship')
  await act(app, order?.id, 'ship', { notify_shop: false })
  await reportParcels(app)
  const shopOrder = shop.orders.get(7)
  expect(shopOrder?.status).toBe('completed')
  expect(shopOrder?.notes.map(({ note, customer_note: isForCustomer }) => [note, isForCustomer])).toEqual([
    ['Parcel 1: 1 × Dragon. Sent with DHL JD01. https://dhl.example/JD01', true],
    ['Parcel 2: 1 × Dragon.', true],
  ])
})

it('the server receives orders of Shopify from pages and signed events, and fulfills the lines of a parcel once', async () => {
  const { shop, app } = await aShopifyApp()
  await anItem(app, { sku: 'DRG', quantity: 5 })
  for (let id = 7; id < 67; id += 1)
    shop.orders.set(String(id), {
      node: shopifyOrder(String(id)),
      open: [{ id: `line-${id}`, sku: 'DRG', remainingQuantity: 2 }],
      fulfillments: [],
    })
  shop.orders.set('99', {
    node: shopifyOrder('99', { displayFinancialStatus: 'PENDING' }),
    open: [],
    fulfillments: [],
  })
  expect(await sync(app)).toMatchObject({ created: 60, failed: [] })
  const order = (await ordersOf(app)).find(({ order_number: number }) => number === '7')
  expect(order).toMatchObject(READ)
  const rest = JSON.stringify({
    id: 8,
    admin_graphql_api_id: 'gid://shopify/Order/8',
    name: '#8',
    email: 'ada@example.com',
    created_at: '2026-11-01T10:00:00Z',
    updated_at: '2026-11-01T12:00:00Z',
    cancelled_at: '2026-11-01T12:00:00Z',
    financial_status: 'paid',
    fulfillment_status: null,
    currency: 'USD',
    total_price: '43.90',
    total_tax: '3.00',
    total_discounts: '4.00',
    total_shipping_price_set: { shop_money: { amount: '4.90' } },
    line_items: [{ sku: 'DRG', name: 'Dragon', quantity: 2, current_quantity: 2, price: '20.00' }],
  })
  expect((await sendWebhook(app, 'shopify', rest, shopifyHeaders(rest))).body.outcome).toBe('updated')
  expect(
    (await sendWebhook(app, 'shopify', rest, shopifyHeaders(rest, 'app/uninstalled'))).body.outcome,
  ).toBe('ignored')
  expect((await sendWebhook(app, 'shopify', `${rest} `, shopifyHeaders(rest))).status).toBe(401)
  expect((await ordersOf(app)).find(({ order_number: number }) => number === '8')?.status).toBe('cancelled')
  const [line] = order?.items ?? []
  await act(app, order?.id, 'ship', { items: [{ line_id: line?.id, quantity: 1 }], tracking_number: 'JD01' })
  // The shop fulfills the order, but its response is lost.
  shop.behave((response, request) => {
    const answer = shop.take(request)
    const isFulfilling = JSON.stringify(request.body).includes('mutation Fulfil')
    return isFulfilling ? json(500, { errors: 'Internal' })(response, request) : answer(response, request)
  })
  await reportParcels(app)
  shop.behave(null)
  app.clock.advance(MINUTE_MS)
  await reportParcels(app)
  const saved = (await ordersOf(app)).find(({ order_number: number }) => number === '7')
  expect(saved?.shipments).toMatchObject([{ told_at: expect.any(String) }])
  const kept = shop.orders.get('7')
  expect(kept?.open).toMatchObject([{ remainingQuantity: 1 }])
  expect(kept?.fulfillments).toMatchObject([{ notifyCustomer: true, trackingInfo: { number: 'JD01' } }])
  await act(app, order?.id, 'ship')
  await reportParcels(app)
  expect(kept?.open).toMatchObject([{ remainingQuantity: 0 }])
})

it('the server reports parcels to Shopify one after the other, each with its own tracking number', async () => {
  const { shop, app } = await aShopifyApp()
  await anItem(app, { sku: 'DRG', quantity: 5 })
  const open = [{ id: 'line-7', sku: 'DRG', remainingQuantity: 2 }]
  shop.orders.set('7', { node: shopifyOrder('7'), open, fulfillments: [] })
  await sync(app)
  const [order] = await ordersOf(app)
  const [line] = order?.items ?? []
  const shipOne = (tracking_number: string) =>
    act(app, order?.id, 'ship', { items: [{ line_id: line?.id, quantity: 1 }], tracking_number })
  await shipOne('JD01')
  await shipOne('JD02')
  shop.behave(json(503, { errors: 'Unavailable' }))
  await reportParcels(app)
  shop.behave(null)
  expect(shop.orders.get('7')?.fulfillments).toEqual([])
  app.clock.advance(MINUTE_MS)
  // Parcel 1 gets a later time than parcel 2. This happens if two people ship at the same time and one of them has to
  // wait for the lock.
  await app.database.sql`
    update shipments set created_at = created_at + interval '1 second' where number = 1`
  await reportParcels(app)
  expect(shop.orders.get('7')?.fulfillments).toMatchObject([
    { trackingInfo: { number: 'JD01' } },
    { trackingInfo: { number: 'JD02' } },
  ])
})
