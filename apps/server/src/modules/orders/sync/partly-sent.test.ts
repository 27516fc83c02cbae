import type { OrderEvent } from '@pegasus/contracts/orders/order-account'
import { expect, it } from 'vitest'
import { aMainSite, json } from '../../../../test/servers/main-site-server.ts'
import { type TestApp, buildTestApp } from '../../../../test/support/build-test-app.ts'
import {
  act,
  aShopifyApp,
  orderOf,
  ordersOf,
  shopifyOrder,
  stockOf,
  sync,
  reportParcels,
} from '../../../../test/support/shop-apps.ts'
import { anItem } from '../../../../test/support/stock-factories.ts'
import { sendWebhook, shopifyHeaders } from '../../../../test/support/webhooks.ts'
import { MINUTE_MS, SECOND_MS, addMs } from '../../../platform/clock.ts'

const soon = (app: TestApp, seconds: number) => addMs(app.clock.now(), seconds * SECOND_MS).toISOString()

const money = (amount: string) => ({ shopMoney: { amount } })

/** Returns an order of five dragons. The shop's staff have sent `sent` of them. */
const partlySent = (app: TestApp, sent: number, seconds: number, more: object = {}) =>
  shopifyOrder('7', {
    createdAt: soon(app, 1),
    updatedAt: soon(app, seconds),
    displayFulfillmentStatus: sent > 0 ? 'PARTIALLY_FULFILLED' : 'UNFULFILLED',
    lineItems: {
      nodes: [
        {
          sku: 'DRG',
          name: 'Dragon',
          quantity: 5,
          currentQuantity: 5,
          unfulfilledQuantity: 5 - sent,
          originalUnitPriceSet: money('20.00'),
        },
      ],
    },
    ...more,
  })

/** Returns the fulfillments of an order after the shop's staff have sent this many dragons. */
const sentDragons = (quantity: number) =>
  quantity > 0 ? [{ status: 'SUCCESS' as const, pieces: [{ sku: 'DRG', quantity }] }] : []

/**
 * Starts a Shopify shop with an order of five dragons, which was placed after the first comparison. The shop's staff
 * have sent `sent` dragons, and `quantity` dragons are in stock here.
 */
async function aShopWithAnOrder(sent: number, quantity: number) {
  const { shop, app } = await aShopifyApp()
  const item = await anItem(app, { sku: 'DRG', quantity })
  await sync(app)
  app.clock.advance(MINUTE_MS)
  const change = (pieces: number, seconds: number, open = 5 - pieces) =>
    shop.orders.set('7', {
      node: partlySent(app, pieces, seconds),
      open: [{ id: 'line', sku: 'DRG', remainingQuantity: open }],
      fulfillments: [],
      sent: sentDragons(pieces),
    })
  change(sent, 2)
  expect(await sync(app)).toMatchObject({ created: 1, failed: [] })
  return { shop, app, item, change }
}

it('pieces that the staff of a Shopify shop sent are booked once, and cannot be shipped here again', async () => {
  const { app, item, change } = await aShopWithAnOrder(2, 9)
  const booked = { status: 'in_progress', shop_problem: null, items: [{ quantity: 5, shipped_quantity: 2 }] }
  expect(await orderOf(app)).toMatchObject(booked)
  expect(await stockOf(app, item)).toEqual({ quantity: 7, reserved: 0 })
  expect(await sync(app)).toMatchObject({ created: 0, updated: 0, failed: [] })
  const { id, items } = await orderOf(app)
  await act(app, id, 'reserve')
  // The staff of the shop send a piece that is reserved here.
  change(3, 4)
  for (const updated of [1, 0]) expect(await sync(app)).toMatchObject({ updated, failed: [] })
  expect(await orderOf(app)).toMatchObject({ items: [{ shipped_quantity: 3, reserved_quantity: 2 }] })
  expect(await stockOf(app, item)).toEqual({ quantity: 6, reserved: 2 })
  const tooMany = await act(app, id, 'ship', { items: [{ line_id: items[0]?.id, quantity: 3 }] })
  expect(tooMany).toMatchObject({ detail: expect.stringContaining('Only 2 pieces') })
  expect(await act(app, id, 'ship', { notify_shop: false })).toMatchObject({ status: 'completed' })
  expect(await stockOf(app, item)).toEqual({ quantity: 4, reserved: 0 })
  const history = await app.http.inject({ url: `/api/orders/${id}/history`, headers: await app.as('viewer') })
  const shipped = history.json<OrderEvent[]>().filter(({ action }) => action === 'order.shipped')
  expect(shipped).toHaveLength(3)
})

it('an order on hold is completed as soon as the staff of the shop have sent all its pieces', async () => {
  const { app, item, change } = await aShopWithAnOrder(0, 9)
  const { id } = await orderOf(app)
  expect(await act(app, id, 'hold')).toMatchObject({ status: 'on_hold' })
  change(4, 4)
  expect(await sync(app)).toMatchObject({ updated: 1, failed: [] })
  expect(await orderOf(app)).toMatchObject({ status: 'on_hold', items: [{ shipped_quantity: 4 }] })
  change(5, 6)
  expect(await sync(app)).toMatchObject({ updated: 1, failed: [] })
  expect(await orderOf(app)).toMatchObject({ status: 'completed', items: [{ shipped_quantity: 5 }] })
  expect(await stockOf(app, item)).toEqual({ quantity: 4, reserved: 0 })
})

it('a refund of a piece that the Shopify staff sent changes neither the sent pieces nor the stock', async () => {
  const { shop, app, item, change } = await aShopWithAnOrder(2, 9)
  const refund = (sent: number, left: number, seconds: number) => {
    change(sent, seconds)
    const { node } = shop.orders.get('7')!
    const { nodes } = node['lineItems'] as { nodes: { currentQuantity: number }[] }
    nodes[0]!.currentQuantity = left
  }
  // One of the two sent pieces is refunded.
  refund(2, 4, 4)
  expect(await sync(app)).toMatchObject({ updated: 1, failed: [] })
  expect(await orderOf(app)).toMatchObject({ items: [{ quantity: 4, shipped_quantity: 2 }] })
  // The staff of the shop send one more piece.
  refund(3, 4, 6)
  expect(await sync(app)).toMatchObject({ updated: 1, failed: [] })
  expect(await orderOf(app)).toMatchObject({ items: [{ quantity: 4, shipped_quantity: 3 }] })
  expect(await stockOf(app, item)).toEqual({ quantity: 6, reserved: 0 })
})

it('a webhook of Shopify reports pieces that its staff sent, and our own report is not booked again', async () => {
  const { shop, app, item, change } = await aShopWithAnOrder(0, 9)
  const { id, items } = await orderOf(app)
  await act(app, id, 'ship', { items: [{ line_id: items[0]?.id, quantity: 1 }] })
  await reportParcels(app)
  expect(shop.orders.get('7')?.open).toMatchObject([{ remainingQuantity: 4 }])
  change(1, 3)
  expect(await sync(app)).toMatchObject({ failed: [] })
  expect(await orderOf(app)).toMatchObject({ items: [{ shipped_quantity: 1 }] })
  const text = JSON.stringify({
    id: 7,
    admin_graphql_api_id: 'gid://shopify/Order/7',
    name: '#7',
    created_at: soon(app, 1),
    updated_at: soon(app, 5),
    financial_status: 'paid',
    fulfillment_status: 'partial',
    currency: 'USD',
    total_price: '43.90',
    fulfillments: [
      { status: 'success', line_items: [{ sku: 'DRG', quantity: 1 }] },
      { status: 'success', line_items: [{ sku: 'DRG', quantity: 2 }] },
      { status: 'cancelled', line_items: [{ sku: 'DRG', quantity: 1 }] },
    ],
    line_items: [
      {
        sku: 'DRG',
        name: 'Dragon',
        quantity: 5,
        current_quantity: 5,
        price: '20.00',
      },
    ],
  })
  for (const outcome of ['updated', 'unchanged'])
    expect((await sendWebhook(app, 'shopify', text, shopifyHeaders(text))).body).toMatchObject({ outcome })
  expect(await orderOf(app)).toMatchObject({ items: [{ shipped_quantity: 3 }] })
  // An event of the same second with fewer sent pieces may be the older event, so it takes no piece back.
  const older = text.replace(
    '"status":"success","line_items":[{"sku":"DRG","quantity":2}]',
    '"status":"pending"',
  )
  expect((await sendWebhook(app, 'shopify', older, shopifyHeaders(older))).status).toBe(200)
  expect(await orderOf(app)).toMatchObject({ items: [{ shipped_quantity: 3 }] })
  expect(await stockOf(app, item)).toEqual({ quantity: 6, reserved: 0 })
})

it('a shipment that was undone here is not shipped again although the shop still counts its pieces', async () => {
  const { shop, app, item, change } = await aShopWithAnOrder(0, 9)
  const { id, items } = await orderOf(app)
  for (const quantity of [2, 1]) {
    await act(app, id, 'ship', { items: [{ line_id: items[0]?.id, quantity }] })
    await reportParcels(app)
    app.clock.advance(SECOND_MS)
  }
  expect(shop.orders.get('7')?.open).toMatchObject([{ remainingQuantity: 2 }])
  const first = (await orderOf(app)).shipments.find(({ number }) => number === 1)
  await act(app, id, 'undo-shipment', { shipment_id: first?.id })
  app.clock.advance(SECOND_MS)
  change(3, 6)
  expect(await sync(app)).toMatchObject({ failed: [] })
  expect(await orderOf(app)).toMatchObject({ items: [{ shipped_quantity: 1 }] })
  expect(await stockOf(app, item)).toEqual({ quantity: 8, reserved: 0 })
  // The shop already counts the pieces that are shipped here after the undo.
  await act(app, id, 'ship', { items: [{ line_id: items[0]?.id, quantity: 2 }] })
  app.clock.advance(SECOND_MS)
  change(4, 9)
  expect(await sync(app)).toMatchObject({ failed: [] })
  expect(await orderOf(app)).toMatchObject({ items: [{ shipped_quantity: 4 }] })
})

it('pieces that the shop sent without stock here count as shipped, and the order says so', async () => {
  const { app, item, change } = await aShopWithAnOrder(3, 1)
  const note = /not in stock here: 2 of “Dragon” \(DRG\)/
  for (const [sent, seconds] of [
    [3, 2],
    [4, 4],
  ] as const) {
    change(sent, seconds)
    await sync(app)
    expect(await orderOf(app)).toMatchObject({
      items: [{ shipped_quantity: sent }],
      shop_problem: expect.stringMatching(sent === 3 ? note : /3 of “Dragon”/),
    })
    expect(await stockOf(app, item)).toEqual({ quantity: 0, reserved: 0 })
  }
  const { id, shipments } = await orderOf(app)
  const last = shipments.find(({ number }) => number === 3)
  const undone = await act(app, id, 'undo-shipment', { shipment_id: last?.id })
  expect(undone.shop_problem).toMatch(note)
  expect(await act(app, id, 'complete', { close_short: true })).toMatchObject({
    status: 'completed',
    shop_problem: null,
  })
})

it('pieces of an unknown SKU that the shop sent are booked when the SKU is mapped', async () => {
  const { shop, app } = await aShopifyApp()
  await sync(app)
  app.clock.advance(MINUTE_MS)
  shop.orders.set('7', { node: partlySent(app, 2, 2), open: [], fulfillments: [], sent: sentDragons(2) })
  await sync(app)
  const unknown = {
    items: [{ shipped_quantity: 0 }],
    shop_problem: expect.stringContaining('SKU is unknown'),
  }
  expect(await orderOf(app)).toMatchObject(unknown)
  const item = await anItem(app, { sku: 'DRAGON', quantity: 9 })
  await app.http.inject({
    method: 'POST',
    url: '/api/orders/unknown-skus/map',
    headers: await app.as('staff'),
    payload: { sku: 'DRG', items: [{ inventory_item_id: item, quantity: 1 }] },
  })
  expect(await orderOf(app)).toMatchObject({ items: [{ shipped_quantity: 2 }], shop_problem: null })
  expect(await stockOf(app, item)).toEqual({ quantity: 7, reserved: 0 })
})

it('sent pieces of an unknown SKU are booked once an item has the SKU, also in a restored order', async () => {
  const { shop, app } = await aShopifyApp()
  await sync(app)
  app.clock.advance(MINUTE_MS)
  const eight = partlySent(app, 1, 2, { id: 'gid://shopify/Order/8', name: '#8' })
  shop.orders.set('7', { node: partlySent(app, 2, 2), open: [], fulfillments: [], sent: sentDragons(2) })
  shop.orders.set('8', { node: eight, open: [], fulfillments: [], sent: sentDragons(1) })
  expect(await sync(app)).toMatchObject({ created: 2 })
  shop.orders.clear()
  const deleted = (await ordersOf(app)).find((order) => order.order_number === '8')
  await app.http.inject({
    method: 'DELETE',
    url: `/api/orders/${deleted?.id}`,
    headers: await app.as('staff'),
  })
  const item = await anItem(app, { sku: 'DRG', quantity: 9 })
  await app.shop.shopOrders.run()
  expect(await orderOf(app)).toMatchObject({ items: [{ shipped_quantity: 2 }], shop_problem: null })
  expect(await stockOf(app, item)).toEqual({ quantity: 7, reserved: 0 })
  const restored = { items: [{ shipped_quantity: 1 }], shop_problem: null }
  expect(await act(app, deleted?.id, 'restore')).toMatchObject(restored)
  expect(await stockOf(app, item)).toEqual({ quantity: 6, reserved: 0 })
})

it('pieces that were sent before an update from an earlier version do not change the stock, but later ones do', async () => {
  const { app, item, change } = await aShopWithAnOrder(0, 9)
  // Imitates an order that an earlier version added without reading the pieces that the shop counts as sent.
  await app.database.sql`update orders set source_told = source_told - 'sent_pieces'`
  change(2, 4)
  expect(await sync(app)).toMatchObject({ failed: [] })
  expect(await orderOf(app)).toMatchObject({ items: [{ shipped_quantity: 2 }], shop_problem: null })
  expect(await stockOf(app, item)).toEqual({ quantity: 9, reserved: 0 })
  change(3, 6)
  expect(await sync(app)).toMatchObject({ failed: [] })
  expect(await orderOf(app)).toMatchObject({ items: [{ shipped_quantity: 3 }] })
  expect(await stockOf(app, item)).toEqual({ quantity: 8, reserved: 0 })
})

it('after an update from an earlier version, an order without sent pieces is read once, so that later pieces leave the stock', async () => {
  const { app, item, change } = await aShopWithAnOrder(0, 9)
  await app.database.sql`update orders set source_told = source_told - 'sent_pieces'`
  await sync(app)
  change(2, 4)
  await sync(app)
  expect(await stockOf(app, item)).toEqual({ quantity: 7, reserved: 0 })
})

it('pieces that were sent before the first comparison do not change the stock', async () => {
  const { shop, app } = await aShopifyApp()
  const item = await anItem(app, { sku: 'DRG', quantity: 9 })
  const node = partlySent(app, 2, -60, { createdAt: soon(app, -120) })
  shop.orders.set('7', { node, open: [], fulfillments: [], sent: sentDragons(2) })
  expect(await sync(app)).toMatchObject({ created: 1, failed: [] })
  expect(await orderOf(app)).toMatchObject({ items: [{ shipped_quantity: 2 }], shop_problem: null })
  expect(await stockOf(app, item)).toEqual({ quantity: 9, reserved: 0 })
})

it('a main site reports the sent pieces of a line in sent_quantity', async () => {
  const site = await aMainSite()
  const variables = { MAIN_SITE_URL: site.url, MAIN_SITE_ADMIN_KEY: 'the-admin-key' }
  const app = await buildTestApp({ variables })
  const item = await anItem(app, { sku: 'DRG', quantity: 9 })
  const answer = (sent: unknown) => {
    const line = { sku: 'DRG', name: 'Dragon', quantity: 5, unit_price: 2, sent_quantity: sent }
    site.behave(json(200, { orders: [{ order_number: 'W-1', total_amount: 10, items: [line] }] }))
    return sync(app)
  }
  const list = async (sent?: number) => {
    expect(await answer(sent)).toMatchObject({ failed: [] })
    return orderOf(app)
  }
  await list(0)
  expect(await list(2)).toMatchObject({ items: [{ shipped_quantity: 2 }] })
  expect(await list(2)).toMatchObject({ items: [{ shipped_quantity: 2 }] })
  expect(await stockOf(app, item)).toEqual({ quantity: 7, reserved: 0 })
  // The site lowers its number of sent pieces.
  expect(await list(0)).toMatchObject({ items: [{ shipped_quantity: 0 }], shipments: [] })
  expect(await stockOf(app, item)).toEqual({ quantity: 9, reserved: 0 })
  expect([...(await app.database.sql`select source_told->'sent_pieces' as sent from orders`)]).toEqual([
    { sent: [{ sku: 'DRG', quantity: 0 }] },
  ])
  // A site that leaves the number out counts no pieces as sent.
  expect(await list(2)).toMatchObject({ items: [{ shipped_quantity: 2 }] })
  expect(await list()).toMatchObject({ items: [{ shipped_quantity: 0 }], shipments: [] })
  expect(await stockOf(app, item)).toEqual({ quantity: 9, reserved: 0 })
  const detail = expect.stringMatching(/The sent quantity of line 1 must be a whole number/)
  for (const wrong of ['2', 1.5, -1]) expect(await answer(wrong)).toMatchObject({ failed: [{ detail }] })
})
