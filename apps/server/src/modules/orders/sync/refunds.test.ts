import type { OrderEvent } from '@pegasus/contracts/orders/order-account'
import { expect, it } from 'vitest'
import { answering, json } from '../../../../test/servers/main-site-server.ts'
import { aKey, keyHeader } from '../../../../test/support/accounts/api-keys.ts'
import { type TestApp, buildTestApp } from '../../../../test/support/build-test-app.ts'
import {
  act,
  aShopifyApp,
  aWooApp,
  ordersOf,
  shopifyOrder,
  sync,
  wooOrder,
} from '../../../../test/support/shop-apps.ts'
import { anItem, anOrder } from '../../../../test/support/stock-factories.ts'
import { sendWebhook, shopifyHeaders, wooHeaders } from '../../../../test/support/webhooks.ts'
import { SECOND_MS, addMs } from '../../../platform/clock.ts'

const onlyOrder = async (app: TestApp) => {
  const [order] = await ordersOf(app)
  if (!order) throw new Error('There is no order.')
  return order
}

const historyOf = async (app: TestApp, id: string) =>
  (await app.http.inject({ url: `/api/orders/${id}/history`, headers: await app.as('viewer') })).json<
    OrderEvent[]
  >()

const send = (app: TestApp, order: object) => {
  const text = JSON.stringify(order)
  return sendWebhook(app, 'woocommerce', text, wooHeaders(text))
}

/** Returns a time that the next comparison covers. */
const soon = (app: TestApp, seconds: number): string =>
  addMs(app.clock.now(), seconds * SECOND_MS)
    .toISOString()
    .slice(0, 19)

const EGG = { id: 2, sku: 'EGG', name: 'Egg', quantity: 1, subtotal: '5.00', total: '5.00' }
const DRAGON = { id: 1, sku: 'DRG', name: 'Dragon', quantity: 2, subtotal: '40.00', total: '36.00' }
/** An order with the total 48.90: lines 45.00, shipping 4.90, tax 3.00, discount 4.00. */
const twoLines = () => wooOrder(7, { total: '48.90', line_items: [DRAGON, EGG] })
/** One dragon costs 18.00 after the discount, and its tax is 1.50. */
const oneDragon = { amount: '19.50', lines: { 1: { quantity: 1, total: '18.00', tax: '1.50' } } }

it('a refund at WooCommerce lowers the quantity, the reservation and the amounts of an order only once', async () => {
  const { shop, app } = await aWooApp()
  await anItem(app, { sku: 'DRG', quantity: 2 })
  await anItem(app, { sku: 'EGG', quantity: 1 })
  shop.orders.set(7, twoLines())
  await sync(app)
  const { id } = await onlyOrder(app)
  await act(app, id, 'reserve')
  const first = structuredClone(shop.refund(7, { ...oneDragon, at: '2026-11-01T11:00:00' }))
  const second = structuredClone(
    shop.refund(7, {
      amount: '7.45',
      lines: { 2: { quantity: 1, total: '5.00' } },
      shipping: '2.45',
      at: '2026-11-01T12:00:00',
    }),
  )
  // The event of the first refund arrives after the second refund. It contains only the first refund.
  expect((await send(app, first)).body).toEqual({ outcome: 'updated', detail: null })
  const lowered = {
    status: 'in_progress',
    total_amount: 29.4,
    tax_amount: 1.5,
    discount_amount: 2,
    shipping_amount: 4.9,
    shop_problem: null,
    items: [
      { sku: 'DRG', quantity: 1, reserved_quantity: 1, unit_price: 20, refunded_quantity: 0 },
      { sku: 'EGG', quantity: 1, reserved_quantity: 1 },
    ],
  }
  expect(await onlyOrder(app)).toMatchObject(lowered)
  for (let twice = 0; twice < 2; twice += 1) expect((await send(app, first)).body.outcome).toBe('unchanged')
  expect(await onlyOrder(app)).toMatchObject(lowered)
  expect((await historyOf(app, id))[0]).toMatchObject({
    action: 'order.updated',
    changed_fields: expect.arrayContaining(['items', 'total_minor', 'tax_minor', 'discount_minor']),
  })
  expect((await send(app, second)).body.outcome).toBe('updated')
  const left = { total_amount: 21.95, shipping_amount: 2.45, tax_amount: 1.5, discount_amount: 2 }
  const order = await onlyOrder(app)
  expect(order).toMatchObject({ ...left, items: [{ sku: 'DRG', quantity: 1 }] })
  expect(order.items).toHaveLength(1)
  // Late events, repeated events and a comparison change nothing.
  expect((await send(app, first)).body.outcome).toBe('unchanged')
  expect(await sync(app)).toMatchObject({ created: 0, updated: 0, failed: [] })
  expect(await onlyOrder(app)).toEqual(order)
  const stock = await app.http.inject({ url: '/api/inventory?search=EGG', headers: await app.as('viewer') })
  expect(stock.json()).toMatchObject([{ quantity: 1, reserved_quantity: 0 }])
})

it('comparing orders with WooCommerce finds refunds, and a refund without pieces lowers the total but no quantity', async () => {
  const { shop, app } = await aWooApp()
  shop.orders.set(7, twoLines())
  shop.refund(7, { ...oneDragon, at: soon(app, 1) })
  // The shop refunds 10.00 for a dragon that the customer keeps.
  shop.refund(7, {
    amount: '10.00',
    lines: { 1: { quantity: 0, total: '10.00' } },
    at: soon(app, 3),
  })
  // With these small refunds, the list of refunds has three pages.
  for (let more = 0; more < 212; more += 1) shop.refund(7, { amount: '0.01', at: soon(app, 4) })
  expect(await sync(app)).toMatchObject({ created: 1, failed: [] })
  expect(await onlyOrder(app)).toMatchObject({
    total_amount: 17.28,
    discount_amount: 14.12,
    items: [
      { sku: 'DRG', quantity: 1 },
      { sku: 'EGG', quantity: 1 },
    ],
  })
  // All pieces are refunded, but not the shipping, so no pieces are left to ship.
  shop.refund(7, {
    amount: '13.00',
    lines: { 1: { quantity: 1, total: '8.00' }, 2: { quantity: 1, total: '5.00' } },
    at: soon(app, 5),
  })
  expect(shop.orders.get(7)?.status).toBe('processing')
  expect(await sync(app)).toMatchObject({ updated: 1, failed: [] })
  expect(await onlyOrder(app)).toMatchObject({
    status: 'cancelled',
    items: [{ quantity: 2 }, { quantity: 1 }],
  })
})

it('refunded pieces that were shipped stay in their line, and the order shows them until their return is booked', async () => {
  const { shop, app } = await aWooApp()
  await anItem(app, { sku: 'DRG', quantity: 5 })
  await anItem(app, { sku: 'EGG', quantity: 2 })
  for (const id of [7, 8]) shop.orders.set(id, { ...twoLines(), id, number: String(id) })
  await sync(app)
  const orderOf = async (number: string) => {
    const order = (await ordersOf(app)).find(({ order_number: its }) => its === number)
    if (!order) throw new Error('There is no such order.')
    return order
  }
  for (const number of ['7', '8']) {
    const { id, items } = await orderOf(number)
    const one = items.map((line) => ({ line_id: line.id, quantity: 1 }))
    await act(app, id, 'reserve')
    await act(app, id, 'ship', { items: one })
    shop.refund(Number(number), {
      amount: '24.50',
      lines: { 1: { quantity: 1, total: '18.00', tax: '1.50' }, 2: { quantity: 1, total: '5.00' } },
      at: soon(app, 1),
    })
  }
  expect(await sync(app)).toMatchObject({ updated: 2, failed: [] })
  const dragon = { sku: 'DRG', quantity: 1, shipped_quantity: 1, reserved_quantity: 0, refunded_quantity: 0 }
  const egg = { sku: 'EGG', quantity: 1, shipped_quantity: 1, refunded_quantity: 1 }
  const sentence =
    'The shop has refunded pieces that were shipped: 1 × Egg. Book the return when they come back.'
  // The remaining dragon was shipped, so no pieces are left to ship.
  const asked = { status: 'completed', total_amount: 24.4, items: [dragon, egg], shop_problem: sentence }
  expect(await orderOf('7')).toMatchObject(asked)
  expect((await send(app, shop.orders.get(7)!)).body.outcome).toBe('unchanged')
  expect(await orderOf('7')).toMatchObject(asked)
  // The refund returns no pieces to the stock, and neither does a later change by the shop.
  const stockOf = async (sku: string) =>
    (await app.http.inject({ url: `/api/inventory?search=${sku}`, headers: await app.as('viewer') })).json<
      { quantity: number; reserved_quantity: number }[]
    >()
  expect(await stockOf('EGG')).toMatchObject([{ quantity: 0, reserved_quantity: 0 }])
  const renamed = {
    ...shop.orders.get(7),
    date_modified_gmt: soon(app, 3),
    line_items: [{ ...DRAGON, name: 'Green dragon' }, EGG],
  }
  expect((await send(app, renamed)).body.outcome).toBe('updated')
  const seven = await orderOf('7')
  expect(seven).toMatchObject({
    ...asked,
    items: [{ ...dragon, name: 'Green dragon' }, egg],
  })
  await act(app, seven.id, 'return', {
    items: [{ line_id: seven.items[1]?.id, quantity: 1, to: 'stock' }],
  })
  expect(await orderOf('7')).toMatchObject({ shop_problem: null, items: [dragon, { returned_quantity: 1 }] })
  // The customer paid 18.00 for the dragon, after its discount. The egg was sold and returned, so it counts as 0.
  const report = await app.http.inject({
    url: '/api/reports/sales/lines?figure=revenue',
    headers: await app.as('staff'),
  })
  const sold = report.json<{ order_number: string; revenue: number }[]>()
  const revenue = sold.reduce((sum, row) => sum + (row.order_number === '7' ? row.revenue : 0), 0)
  expect(revenue, report.body).toBeCloseTo(18)
  // When the parcel is undone, the refunded piece is no longer ordered.
  const eight = await orderOf('8')
  await act(app, eight.id, 'undo-shipment', { shipment_id: eight.shipments[0]?.id })
  const undone = await orderOf('8')
  expect(undone).toMatchObject({
    status: 'in_progress',
    shop_problem: null,
    items: [{ sku: 'DRG', quantity: 1, shipped_quantity: 0, refunded_quantity: 0 }],
  })
  expect(undone.items).toHaveLength(1)
  expect(await stockOf('EGG')).toMatchObject([{ quantity: 2, reserved_quantity: 0 }])
  await act(app, eight.id, 'ship')
  expect((await orderOf('8')).status).toBe('completed')
})

it('an order stays completed if somebody undoes a parcel that contained only refunded pieces', async () => {
  const { shop, app } = await aWooApp()
  await anItem(app, { sku: 'DRG', quantity: 2 })
  await anItem(app, { sku: 'EGG', quantity: 1 })
  shop.orders.set(7, twoLines())
  await sync(app)
  const { id, items } = await onlyOrder(app)
  for (const { id: lineId, quantity } of items)
    await act(app, id, 'ship', { items: [{ line_id: lineId, quantity }] })
  shop.refund(7, { amount: '5.00', lines: { 2: { quantity: 1, total: '5.00' } }, at: soon(app, 1) })
  await sync(app)
  const { shipments } = await onlyOrder(app)
  const eggs = shipments.find((sent) => sent.items.some((part) => part.line_id === items[1]?.id))
  await act(app, id, 'undo-shipment', { shipment_id: eggs?.id })
  expect(await onlyOrder(app)).toMatchObject({
    status: 'completed',
    items: [{ sku: 'DRG', quantity: 2, shipped_quantity: 2 }],
  })
})

it('if the refunds of an order cannot be read from its shop, the order stays unchanged until they can be read', async () => {
  const { shop, app } = await aWooApp()
  shop.orders.set(7, twoLines())
  await sync(app)
  const refunded = shop.refund(7, { ...oneDragon, at: soon(app, 1) })
  const failing = (answer: ReturnType<typeof json>) =>
    shop.behave((response, request) =>
      (request.path.includes('/refunds') ? answer : shop.take(request))(response, request),
    )
  const unchanged = { total_amount: 48.9, items: [{ quantity: 2 }, { quantity: 1 }] }
  for (const answer of [
    answering(503, '<html>Maintenance</html>'),
    answering(200, '<html>Maintenance</html>'),
    json(200, {}),
  ]) {
    failing(answer)
    expect((await send(app, refunded)).body).toMatchObject({
      outcome: 'failed',
      detail: expect.stringContaining('The refunds of this order could not be read'),
    })
    const failed = await app.http.inject({
      method: 'POST',
      url: '/api/orders/sync',
      headers: await app.as('staff'),
    })
    expect(failed.statusCode).toBe(502)
    expect(await onlyOrder(app)).toMatchObject(unchanged)
  }
  // Even if the shop refuses to list refunds, orders without refunds are imported.
  shop.orders.set(8, wooOrder(8, { date_modified_gmt: soon(app, 2) }))
  failing(json(403, { code: 'woocommerce_rest_cannot_view', message: 'Sorry, you cannot list resources.' }))
  expect(await sync(app)).toMatchObject({ created: 1, failed: [{ order_number: '7' }] })
  const sevenNow = async () => (await ordersOf(app)).find(({ order_number: number }) => number === '7')
  expect(await sevenNow()).toMatchObject({
    ...unchanged,
    shop_problem: expect.stringContaining('Sorry, you cannot list resources.'),
  })
  shop.behave(null)
  expect(await sync(app)).toMatchObject({ updated: 1, failed: [] })
  expect(await sevenNow()).toMatchObject({
    total_amount: 29.4,
    shop_problem: null,
    items: [{ quantity: 1 }, {}],
  })
})

it('a refund at Shopify lowers the lines and amounts of an order, but keeps a shipped line', async () => {
  const { shop, app } = await aShopifyApp()
  await anItem(app, { sku: 'DRG', quantity: 2 })
  await anItem(app, { sku: 'EGG', quantity: 1 })
  const money = (amount: string) => ({ shopMoney: { amount } })
  const node = (dragons: number, eggs: number, more: object = {}) =>
    shopifyOrder('7', {
      lineItems: {
        nodes: [
          {
            sku: 'DRG',
            name: 'Dragon',
            quantity: 2,
            currentQuantity: dragons,
            originalUnitPriceSet: money('20.00'),
          },
          {
            sku: 'EGG',
            name: 'Egg',
            quantity: 1,
            currentQuantity: eggs,
            originalUnitPriceSet: money('5.00'),
          },
        ],
      },
      ...more,
    })
  shop.orders.set('7', { node: node(2, 1), open: [], fulfillments: [] })
  await sync(app)
  const { id, items } = await onlyOrder(app)
  await act(app, id, 'ship', { items: [{ line_id: items[1]?.id, quantity: 1 }] })
  const text = JSON.stringify({
    id: 7,
    admin_graphql_api_id: 'gid://shopify/Order/7',
    name: '#7',
    email: 'ada@example.com',
    created_at: '2026-11-01T10:00:00Z',
    updated_at: '2026-11-01T11:00:00Z',
    financial_status: 'partially_refunded',
    fulfillment_status: 'partial',
    currency: 'USD',
    total_price: '43.90',
    current_total_price: '20.40',
    total_tax: '3.00',
    current_total_tax: '1.50',
    total_discounts: '4.00',
    current_total_discounts: '2.00',
    total_shipping_price_set: { shop_money: { amount: '4.90' } },
    current_shipping_price_set: { shop_money: { amount: '0.90' } },
    line_items: [
      { sku: 'DRG', name: 'Dragon', quantity: 2, current_quantity: 1, price: '20.00' },
      { sku: 'EGG', name: 'Egg', quantity: 1, current_quantity: 0, price: '5.00' },
    ],
  })
  expect((await sendWebhook(app, 'shopify', text, shopifyHeaders(text))).body).toEqual({
    outcome: 'updated',
    detail: null,
  })
  const left = {
    total_amount: 20.4,
    tax_amount: 1.5,
    discount_amount: 2,
    shipping_amount: 0.9,
    items: [
      { sku: 'DRG', quantity: 1 },
      { sku: 'EGG', quantity: 1, shipped_quantity: 1, refunded_quantity: 1 },
    ],
    shop_problem: expect.stringContaining('1 × Egg'),
  }
  expect(await onlyOrder(app)).toMatchObject(left)
  const amounts = {
    currentTotalPriceSet: money('20.40'),
    currentTotalTaxSet: money('1.50'),
    currentTotalDiscountsSet: money('2.00'),
    currentShippingPriceSet: money('0.90'),
  }
  shop.orders.get('7')!.node = node(1, 0, { updatedAt: '2026-11-01T11:00:00Z', ...amounts })
  expect(await sync(app)).toMatchObject({ updated: 0, failed: [] })
  expect(await onlyOrder(app)).toMatchObject(left)
})

it('neither the integration nor people can reduce a line below its number of shipped pieces', async () => {
  const app = await buildTestApp()
  await anItem(app, { sku: 'DRG', quantity: 5 })
  const lines = [{ sku: 'DRG', name: 'Dragon', quantity: 3, unitPriceMinor: 2000 }]
  const id = await anOrder(app, { orderNumber: 'A-1', source: 'integration', lines })
  const { items } = await onlyOrder(app)
  await act(app, id, 'ship', { items: [{ line_id: items[0]?.id, quantity: 2 }] })
  const one = [{ sku: 'DRG', name: 'Dragon', quantity: 1, unit_price: 20 }]
  const edited = await app.http.inject({
    method: 'PUT',
    url: `/api/orders/${id}`,
    headers: { ...(await app.as('staff')), 'if-match': '*' },
    payload: { items: one },
  })
  expect([edited.statusCode, edited.json<{ detail: string }>().detail]).toEqual([
    409,
    'Dragon: 2 shipped already, so 1 is not enough.',
  ])
  const { key } = await aKey(app, { scope: ['integration'] })
  const sent = await app.http.inject({
    method: 'POST',
    url: '/api/integration/orders',
    headers: keyHeader(key),
    payload: { order_number: 'A-1', total_amount: 20, items: one },
  })
  expect(sent.statusCode, sent.body).toBe(200)
  expect(await onlyOrder(app)).toMatchObject({
    status: 'completed',
    items: [{ quantity: 2, shipped_quantity: 2, refunded_quantity: 1 }],
  })
})
