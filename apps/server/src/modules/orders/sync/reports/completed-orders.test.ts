import { expect, it } from 'vitest'
import { json } from '../../../../../test/servers/main-site-server.ts'
import {
  act,
  aShopifyApp,
  aWooApp,
  orderOf,
  ordersOf,
  reportParcels,
  shopifyOrder,
  sync,
  wooOrder,
} from '../../../../../test/support/shop-apps.ts'
import { anItem } from '../../../../../test/support/stock-factories.ts'
import type { TestApp } from '../../../../../test/support/build-test-app.ts'
import { MINUTE_MS } from '../../../../platform/clock.ts'

const COMPLETE_SHORT = { close_short: true }

/** Imports an order of two dragons from WooCommerce. Five dragons are in stock. */
async function aWooOrder() {
  const { shop, app } = await aWooApp()
  await anItem(app, { sku: 'DRG', quantity: 5 })
  shop.orders.set(7, wooOrder(7))
  await sync(app)
  const { id, items } = await orderOf(app)
  const shipOne = () => act(app, id, 'ship', { items: [{ line_id: items[0]?.id, quantity: 1 }] })
  return { shop, app, id, shipOne }
}

const writesOf = (shop: { requests: readonly { method: string }[] }): number =>
  shop.requests.filter(({ method }) => method !== 'GET').length

it('an order that people complete without the rest of its pieces is completed in WooCommerce, once', async () => {
  const { shop, app, id, shipOne } = await aWooOrder()
  await shipOne()
  await reportParcels(app)
  expect(shop.orders.get(7)?.status).toBe('processing')
  await act(app, id, 'complete', COMPLETE_SHORT)
  await reportParcels(app)
  expect(shop.orders.get(7)).toMatchObject({ status: 'completed', notes: [{ customer_note: true }] })
  const writes = writesOf(shop)
  app.clock.advance(MINUTE_MS)
  await reportParcels(app)
  expect(writesOf(shop)).toBe(writes)
  expect(await orderOf(app)).toMatchObject({ status: 'completed', shop_problem: null })
})

it('a completed order is completed in the shop after the report of its last parcel, although pieces are missing', async () => {
  const { shop, app, id, shipOne } = await aWooOrder()
  await shipOne()
  await act(app, id, 'complete', COMPLETE_SHORT)
  await app.shop.shipments.run()
  expect(shop.orders.get(7)).toMatchObject({ status: 'processing', notes: [] })
  await reportParcels(app)
  expect(shop.orders.get(7)).toMatchObject({
    status: 'completed',
    notes: [{ note: expect.stringContaining('Parcel 1:') }],
  })
})

it('an order that is completed because the shop refunded its last pieces is completed in the shop', async () => {
  const { shop, app, shipOne } = await aWooOrder()
  await shipOne()
  await reportParcels(app)
  const at = app.clock.now().toISOString().slice(0, -1)
  shop.refund(7, { amount: '18.00', lines: { 1: { quantity: 1, total: '18.00' } }, at })
  await sync(app)
  expect(await orderOf(app)).toMatchObject({ status: 'completed' })
  await reportParcels(app)
  expect(shop.orders.get(7)?.status).toBe('completed')
})

/** Imports an order of a dragon and a gift card, whose SKU has no item. Ships the dragon and reports it. */
async function aShippedDragonWithCard() {
  const { shop, app } = await aWooApp()
  await anItem(app, { sku: 'DRG', quantity: 5 })
  const price = { price: 18, subtotal: '18.00', total: '18.00' }
  const lines = ['DRG', 'CARD'].map((sku, index) => ({
    id: index + 1,
    sku,
    name: sku,
    quantity: 1,
    ...price,
  }))
  shop.orders.set(7, wooOrder(7, { line_items: lines }))
  await sync(app)
  const { id, items } = await orderOf(app)
  const dragon = items.find(({ sku }) => sku === 'DRG')
  await act(app, id, 'ship', { items: [{ line_id: dragon?.id, quantity: 1 }] })
  await reportParcels(app)
  expect(shop.orders.get(7)?.status).toBe('processing')
  const decide = async (what: 'ignore' | 'forget') =>
    app.http.inject({
      method: 'POST',
      url: `/api/orders/unknown-skus/${what}`,
      headers: await app.as('staff'),
      payload: { sku: 'CARD' },
    })
  return { shop, app, decide }
}

it('an order that becomes complete because the SKU of its last line is ignored is completed in the shop', async () => {
  const { shop, app, decide } = await aShippedDragonWithCard()
  await decide('ignore')
  expect(await orderOf(app)).toMatchObject({ status: 'completed' })
  await app.shop.shipments.run()
  expect(shop.orders.get(7)).toMatchObject({ status: 'completed', notes: [{ customer_note: true }] })
})

it('an order whose ignored SKU is needed after all is not completed in the shop', async () => {
  const { shop, app, decide } = await aShippedDragonWithCard()
  await decide('ignore')
  expect((await decide('forget')).statusCode).toBe(200)
  expect(await orderOf(app)).toMatchObject({ status: 'in_progress' })
  await reportParcels(app)
  expect(shop.orders.get(7)?.status).toBe('processing')
})

it('an order that is completed because a shipment of refunded pieces is taken back is completed in the shop', async () => {
  const { shop, app } = await aWooApp()
  await anItem(app, { sku: 'DRG', quantity: 5 })
  await anItem(app, { sku: 'EGG', quantity: 5 })
  const lineOf = (sku: string, id: number) => ({
    id,
    sku,
    name: sku,
    quantity: 1,
    price: 18,
    subtotal: '18.00',
    total: '18.00',
  })
  shop.orders.set(7, wooOrder(7, { line_items: [lineOf('DRG', 1), lineOf('EGG', 2)] }))
  await sync(app)
  const { id, items } = await orderOf(app)
  const ship = (sku: string, body: object = {}) =>
    act(app, id, 'ship', {
      items: [{ line_id: items.find((line) => line.sku === sku)?.id, quantity: 1 }],
      ...body,
    })
  await ship('DRG')
  await reportParcels(app)
  const shipped = await ship('EGG', { notify_shop: false })
  expect(shipped.status).toBe('completed')
  const at = app.clock.now().toISOString().slice(0, -1)
  shop.refund(7, { amount: '18.00', lines: { 2: { quantity: 1, total: '18.00' } }, at })
  await sync(app)
  const last = shipped.shipments.find(({ number }) => number === 2)
  expect(await act(app, id, 'undo-shipment', { shipment_id: last?.id })).toMatchObject({
    status: 'completed',
    items: [{ sku: 'DRG' }],
  })
  await reportParcels(app)
  expect(shop.orders.get(7)?.status).toBe('completed')
})

it('a completion that somebody takes back while another one is reported is not reported', async () => {
  const { shop, app, id } = await aWooOrder()
  await act(app, id, 'complete', COMPLETE_SHORT)
  app.clock.advance(MINUTE_MS)
  shop.orders.set(8, wooOrder(8, { date_modified_gmt: app.clock.now().toISOString().slice(0, -1) }))
  await sync(app)
  const later = (await ordersOf(app)).find((order) => order.order_number === '8')
  const shipped = await act(app, later?.id, 'ship', {
    items: [{ line_id: later?.items[0]?.id, quantity: 1 }],
    notify_shop: false,
  })
  await act(app, later?.id, 'complete', COMPLETE_SHORT)
  const reached = Promise.withResolvers<void>()
  const takenBack = Promise.withResolvers<void>()
  shop.behave((response, request) => {
    reached.resolve()
    void takenBack.promise.then(() => shop.take(request)(response, request))
  })
  const reporting = reportParcels(app)
  await reached.promise
  await act(app, later?.id, 'undo-shipment', { shipment_id: shipped.shipments[0]?.id })
  takenBack.resolve()
  await reporting
  expect(shop.orders.get(7)?.status).toBe('completed')
  expect(shop.orders.get(8)?.status).toBe('processing')
})

it('a shop that has cancelled the order keeps its status', async () => {
  const { shop, app, id } = await aWooOrder()
  await act(app, id, 'complete', COMPLETE_SHORT)
  Object.assign(shop.orders.get(7) ?? {}, { status: 'cancelled' })
  await reportParcels(app)
  expect(shop.orders.get(7)?.status).toBe('cancelled')
})

it('the page of an order says why the shop does not show it as completed, until the shop does', async () => {
  const { shop, app, id } = await aWooOrder()
  await act(app, id, 'complete', COMPLETE_SHORT)
  shop.behave(json(503, { message: 'Down for maintenance.' }))
  await reportParcels(app)
  expect((await orderOf(app)).shop_problem).toBe(
    'The shop does not show this order as completed yet: Down for maintenance.',
  )
  shop.behave(null)
  app.clock.advance(MINUTE_MS)
  await app.shop.shipments.run()
  expect(shop.orders.get(7)?.status).toBe('completed')
  expect((await orderOf(app)).shop_problem).toBeNull()
})

it('the page no longer says that the shop does not show an order as completed once its staff complete it', async () => {
  const { shop, app, id } = await aWooOrder()
  await act(app, id, 'complete', COMPLETE_SHORT)
  shop.behave(json(503, { message: 'Down for maintenance.' }))
  await reportParcels(app)
  expect((await orderOf(app)).shop_problem).toContain('The shop does not show this order as completed yet')
  shop.behave(null)
  const date_modified_gmt = app.clock.now().toISOString().slice(0, -1)
  Object.assign(shop.orders.get(7) ?? {}, { status: 'completed', date_modified_gmt })
  await sync(app)
  expect((await orderOf(app)).shop_problem).toBeNull()
})

/** Imports an order of one piece from Shopify. */
async function aShopifyOrder(app: TestApp, shop: Awaited<ReturnType<typeof aShopifyApp>>['shop']) {
  const money = { shopMoney: { amount: '5.00' } }
  const line = { sku: 'DRG', name: 'Dragon', quantity: 1, currentQuantity: 1, originalUnitPriceSet: money }
  const open = [{ id: 'line-1', sku: 'DRG', remainingQuantity: 1 }]
  const node = shopifyOrder('7', { lineItems: { nodes: [line] } })
  shop.orders.set('7', { node, open, fulfillments: [] })
  await sync(app)
  return { open, id: (await orderOf(app)).id }
}

it('a Shopify order that is completed without a parcel, because its SKU is ignored, is fulfilled', async () => {
  const { shop, app } = await aShopifyApp()
  const { open, id } = await aShopifyOrder(app, shop)
  const headers = await app.as('staff')
  const payload = { sku: 'DRG' }
  await app.http.inject({ method: 'POST', url: '/api/orders/unknown-skus/ignore', headers, payload })
  await act(app, id, 'complete')
  await reportParcels(app)
  expect(open).toMatchObject([{ remainingQuantity: 0 }])
  expect(shop.orders.get('7')?.fulfillments).toHaveLength(1)
  expect((await orderOf(app)).shop_problem).toBeNull()
})

it('pieces that were never sent are not reported as sent, and the order says so until Shopify no longer expects them', async () => {
  const { shop, app } = await aShopifyApp()
  const { open, id } = await aShopifyOrder(app, shop)
  await act(app, id, 'complete', COMPLETE_SHORT)
  await reportParcels(app)
  expect(shop.orders.get('7')?.fulfillments).toEqual([])
  expect((await orderOf(app)).shop_problem).toContain('The shop still expects pieces that are not sent.')
  // Somebody refunds these pieces in the shop.
  Object.assign(open[0] ?? {}, { remainingQuantity: 0 })
  app.clock.advance(MINUTE_MS)
  await app.shop.shipments.run()
  expect((await orderOf(app)).shop_problem).toBeNull()
})

it('a completed Shopify order is fulfilled after the shop has refunded pieces that it sent, and cancelled their parcel', async () => {
  const { shop, app } = await aShopifyApp()
  await anItem(app, { sku: 'DRG', quantity: 5 })
  const money = { shopMoney: { amount: '5.00' } }
  const lines = ['DRG', 'EGG', 'CARD'].map((sku) => ({
    sku,
    name: sku,
    quantity: 1,
    currentQuantity: 1,
    originalUnitPriceSet: money,
  }))
  const open = lines.map(({ sku }, index) => ({ id: `line-${index}`, sku, remainingQuantity: 1 }))
  const node = shopifyOrder('7', { lineItems: { nodes: lines } })
  const order = { node, open, fulfillments: [], sent: [] as { status: string; pieces: object[] }[] }
  shop.orders.set('7', order as never)
  const syncLater = async () => {
    app.clock.advance(MINUTE_MS)
    Object.assign(node, { updatedAt: app.clock.now().toISOString() })
    expect(await sync(app)).toMatchObject({ failed: [] })
    return orderOf(app)
  }
  const { id, items } = await syncLater()
  const headers = await app.as('staff')
  const payload = { sku: 'CARD' }
  await app.http.inject({ method: 'POST', url: '/api/orders/unknown-skus/ignore', headers, payload })
  await anItem(app, { sku: 'EGG', quantity: 5 })
  const line_id = items.find(({ sku }) => sku === 'DRG')?.id
  await act(app, id, 'ship', { items: [{ line_id, quantity: 1 }] })
  await reportParcels(app)
  expect(open).toMatchObject([{ remainingQuantity: 0 }, { remainingQuantity: 1 }, { remainingQuantity: 1 }])
  // The shop's staff send the egg, refund it, and then cancel their parcel.
  const parcel = { status: 'SUCCESS', pieces: [{ sku: 'EGG', quantity: 1 }] }
  order.sent.push(parcel)
  Object.assign(open[1] ?? {}, { remainingQuantity: 0 })
  expect(await syncLater()).toMatchObject({ status: 'completed' })
  Object.assign(lines[1] ?? {}, { currentQuantity: 0 })
  await syncLater()
  Object.assign(parcel, { status: 'CANCELLED' })
  expect(await syncLater()).toMatchObject({ status: 'completed' })
  await reportParcels(app)
  expect(open).toMatchObject([{ remainingQuantity: 0 }, { remainingQuantity: 0 }, { remainingQuantity: 0 }])
})
