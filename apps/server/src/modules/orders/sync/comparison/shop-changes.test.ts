import type { OrderEvent } from '@pegasus/contracts/orders/order-account'
import type { Order } from '@pegasus/contracts/orders/orders'
import { expect, it } from 'vitest'
import { json } from '../../../../../test/servers/main-site-server.ts'
import { aKey, auditOf, keyHeader } from '../../../../../test/support/accounts/api-keys.ts'
import type { TestApp } from '../../../../../test/support/build-test-app.ts'
import {
  act,
  aShopifyApp,
  aWooApp,
  ordersOf,
  reportParcels,
  shopifyLine,
  shopifyOrder,
  sync,
  wooOrder,
} from '../../../../../test/support/shop-apps.ts'
import { anItem, aPrintJob } from '../../../../../test/support/stock-factories.ts'
import { sendWebhook, wooHeaders } from '../../../../../test/support/webhooks.ts'
import { SECOND_MS, addMs } from '../../../../platform/clock.ts'

const send = async (app: TestApp, order: object) => {
  const text = JSON.stringify(order)
  return (await sendWebhook(app, 'woocommerce', text, wooHeaders(text))).body
}

const onlyOrder = async (app: TestApp) => {
  const [order, ...others] = await ordersOf(app)
  if (!order || others.length > 0) throw new Error('There is not exactly one order.')
  return order
}

/** Returns a time that the next comparison covers. */
const soon = (app: TestApp, seconds: number): string =>
  addMs(app.clock.now(), seconds * SECOND_MS).toISOString()

/** Returns an app with an order of a WooCommerce shop. One of its two pieces was shipped. */
async function aPartlyShippedOrder() {
  const { shop, app } = await aWooApp()
  await anItem(app, { sku: 'DRG', quantity: 2 })
  shop.orders.set(7, wooOrder(7))
  await sync(app)
  const { id, items } = await onlyOrder(app)
  await act(app, id, 'ship', { items: [{ line_id: items[0]?.id, quantity: 1 }] })
  return { shop, app, id }
}

it('a payment opens an order that the shop holds, with an alert, but not an order that a person holds', async () => {
  const { shop, app } = await aWooApp()
  await anItem(app, { sku: 'DRG', quantity: 2 })
  const placed = app.clock.now().toISOString().slice(0, 19)
  const order = wooOrder(7, { status: 'on-hold', date_created_gmt: placed })
  shop.orders.set(7, order)
  await sync(app)
  expect((await onlyOrder(app)).status).toBe('on_hold')
  const headers = await app.as('staff')
  const alerts = async () => {
    await app.alerts.run()
    return (await app.http.inject({ url: '/api/alerts', headers })).json<{ kind: string }[]>()
  }
  expect(await alerts()).toEqual([])
  const paid = { ...order, status: 'processing', date_modified_gmt: '2026-11-01T11:00:00' }
  expect((await send(app, paid)).outcome).toBe('updated')
  const { id } = await onlyOrder(app)
  expect(await onlyOrder(app)).toMatchObject({ status: 'pending', ready_to_pack: true })
  expect(await alerts()).toMatchObject([{ kind: 'new_order' }])
  await act(app, id, 'hold')
  const noted = { ...paid, customer_note: 'Ring once', date_modified_gmt: '2026-11-01T12:00:00' }
  expect((await send(app, noted)).outcome).toBe('updated')
  expect(await onlyOrder(app)).toMatchObject({ status: 'on_hold', notes: 'Ring once' })
})

it('adding a line to a completed order opens it again, and removing all unshipped pieces completes an order', async () => {
  const { shop, app } = await aShopifyApp()
  for (const sku of ['A', 'B']) await anItem(app, { sku, quantity: 9 })
  const set = (updatedAt: string, displayFulfillmentStatus: string, ...nodes: object[]) =>
    shop.orders.set('7', {
      node: shopifyOrder('7', { updatedAt, displayFulfillmentStatus, lineItems: { nodes } }),
      open: [],
      fulfillments: [],
    })
  set(soon(app, 0), 'UNFULFILLED', shopifyLine('A', 1, '1.00'))
  await sync(app)
  const { id } = await onlyOrder(app)
  await act(app, id, 'ship')
  expect((await onlyOrder(app)).status).toBe('completed')
  set(soon(app, 1), 'PARTIALLY_FULFILLED', shopifyLine('A', 1, '1.00'), shopifyLine('B', 3, '1.00'))
  expect(await sync(app)).toMatchObject({ updated: 1 })
  const opened = await onlyOrder(app)
  expect(opened).toMatchObject({
    status: 'in_progress',
    ready_to_pack: true,
    items: [{ shipped_quantity: 1 }, { allocated_quantity: 3 }],
  })
  await act(app, id, 'ship', { items: [{ line_id: opened.items[1]?.id, quantity: 1 }] })
  set(soon(app, 2), 'PARTIALLY_FULFILLED', shopifyLine('A', 1, '1.00'), shopifyLine('B', 1, '1.00'))
  expect(await sync(app)).toMatchObject({ updated: 1 })
  expect(await onlyOrder(app)).toMatchObject({ status: 'completed', ready_to_pack: false })
  // A person can add a line too.
  const items = ['A', 'B'].map((sku) => ({ sku, name: sku, quantity: 2, unit_price: 1 }))
  const edited = await app.http.inject({
    method: 'PUT',
    url: `/api/orders/${id}`,
    headers: { ...(await app.as('staff')), 'if-match': '*' },
    payload: { items },
  })
  expect(edited.json()).toMatchObject({ status: 'in_progress', ready_to_pack: true })
})

it('an order whose number changes in the shop keeps its identity, so that later changes arrive', async () => {
  const { app } = await aWooApp()
  await send(app, wooOrder(7))
  const { id } = await onlyOrder(app)
  const numbered = wooOrder(7, { number: 'SHOP-0007', date_modified_gmt: '2026-11-01T11:00:00' })
  expect(await send(app, numbered)).toEqual({ outcome: 'updated', detail: null })
  expect(await onlyOrder(app)).toMatchObject({ id, order_number: 'SHOP-0007' })
  expect((await send(app, numbered)).outcome).toBe('unchanged')
  expect((await send(app, wooOrder(7))).outcome).toBe('unchanged')
  const cancelled = { ...numbered, status: 'cancelled', date_modified_gmt: '2026-11-01T12:00:00' }
  expect((await send(app, cancelled)).outcome).toBe('updated')
  expect(await onlyOrder(app)).toMatchObject({ id, order_number: 'SHOP-0007', status: 'cancelled' })
})

it('after the shop cancels an order, the order lists the print jobs that still wait for it, until a person cancels them', async () => {
  const { app } = await aWooApp()
  const itemId = await anItem(app, { sku: 'DRG' })
  await send(app, wooOrder(7))
  const { id, proposed_cancellations: none } = await onlyOrder(app)
  const job = () => aPrintJob(app, { itemId, orderId: id, quantity: 1 })
  const step = async (jobId: string, what: string) => {
    const url = `/api/print-queue/${jobId}/${what}`
    const payload = what === 'cancel' ? { only_if_not_started: true } : {}
    return app.http.inject({ method: 'POST', url, headers: await app.as('staff'), payload })
  }
  const [waiting, running, held] = [await job(), await job(), await job()]
  for (const jobId of [running, held]) expect((await step(jobId, 'start')).statusCode).toBe(200)
  await step(held, 'hold')
  expect([none, (await onlyOrder(app)).proposed_cancellations]).toEqual([[], []])

  const cancelled = wooOrder(7, { status: 'cancelled', date_modified_gmt: '2026-11-01T11:00:00' })
  expect((await send(app, cancelled)).outcome).toBe('updated')
  expect(await onlyOrder(app)).toMatchObject({ status: 'cancelled', proposed_cancellations: [waiting] })
  const url = `/api/orders/${id}`
  const read = await app.http.inject({ url, headers: await app.as('viewer') })
  expect(read.json<Order>().proposed_cancellations).toEqual([waiting])

  expect((await step(waiting, 'cancel')).statusCode).toBe(200)
  expect((await onlyOrder(app)).proposed_cancellations).toEqual([])
  expect((await step(running, 'cancel')).statusCode).toBe(409)
})

it('an order with shipped pieces that the shop has cancelled is open again when the shop opens it', async () => {
  const { shop, app, id } = await aPartlyShippedOrder()
  for (const [status, expected] of [
    ['cancelled', 'cancelled'],
    ['processing', 'in_progress'],
  ]) {
    app.clock.advance(5 * SECOND_MS)
    Object.assign(shop.orders.get(7)!, { status, date_modified_gmt: soon(app, 1).slice(0, 19) })
    await sync(app)
    expect(await onlyOrder(app)).toMatchObject({ status: expected, shop_problem: null })
  }
  // If a person has cancelled the order, it stays cancelled when the shop changes it.
  await act(app, id, 'cancel')
  app.clock.advance(5 * SECOND_MS)
  Object.assign(shop.orders.get(7)!, { customer_note: 'Hurry', date_modified_gmt: soon(app, 1).slice(0, 19) })
  await sync(app)
  expect(await onlyOrder(app)).toMatchObject({ status: 'cancelled', notes: 'Hurry' })
})

it.each([
  { case: 'its last piece was sent', pieces: 2, returned: 0, quantity: 1, status: 'completed' },
  { case: 'it is on hold first', pieces: 2, returned: 0, quantity: 1, status: 'completed', isHeld: true },
  { case: 'a piece is added', pieces: 1, returned: 1, quantity: 2, status: 'in_progress' },
  { case: 'all its pieces are back', pieces: 1, returned: 1, quantity: 1, status: 'cancelled' },
])(
  'an order that the shop opens again with other pieces gets the status $status if $case',
  async ({ pieces, returned, quantity, status, isHeld = false }) => {
    const { app } = await aWooApp()
    await anItem(app, { sku: 'DRG', quantity: 2 })
    const linesOf = (count: number) => [
      {
        id: 1,
        sku: 'DRG',
        name: 'Dragon',
        quantity: count,
        subtotal: `${count * 20}.00`,
        total: `${count * 20}.00`,
      },
    ]
    const order = wooOrder(7, { line_items: linesOf(pieces) })
    await send(app, order)
    const { id, items } = await onlyOrder(app)
    const one = { line_id: items[0]?.id, quantity: 1 }
    await act(app, id, 'ship', { items: [one] })
    const at = (minute: number) => ({ date_modified_gmt: `2026-11-01T11:0${minute}:00` })
    if (returned > 0) await act(app, id, 'return', { items: [{ ...one, to: 'stock' }] })
    const cancelled = { ...order, status: 'cancelled', ...at(1) }
    expect((await send(app, cancelled)).outcome).toBe('updated')
    const opened = { ...order, line_items: linesOf(quantity) }
    // An event of the same second may be older than the cancellation, so it does not open the order.
    await send(app, { ...order, ...at(1) })
    expect(await onlyOrder(app)).toMatchObject({ status: 'cancelled' })
    if (isHeld) await send(app, { ...opened, status: 'on-hold', ...at(2) })
    await send(app, { ...opened, ...at(3) })
    expect(await onlyOrder(app)).toMatchObject({ status, items: [{ quantity, shipped_quantity: 1 }] })
    // If the order stayed cancelled, it is open as soon as the shop adds pieces.
    await send(app, { ...order, line_items: linesOf(3), ...at(4) })
    expect(await onlyOrder(app)).toMatchObject({ status: 'in_progress' })
  },
)

it('a cancellation that was refused because pieces were already shipped is applied as soon as all pieces are back', async () => {
  const { shop, app } = await aWooApp()
  await anItem(app, { sku: 'DRG', quantity: 2 })
  shop.orders.set(7, wooOrder(7))
  await sync(app)
  const { id, items } = await onlyOrder(app)
  await act(app, id, 'ship')
  const cancelled = wooOrder(7, { status: 'cancelled', date_modified_gmt: '2026-11-01T11:00:00' })
  expect((await send(app, cancelled)).outcome).toBe('failed')
  const takeBack = () =>
    act(app, id, 'return', { items: [{ line_id: items[0]?.id, quantity: 1, to: 'stock' }] })
  expect(await takeBack()).toMatchObject({
    status: 'completed',
    shop_problem: expect.stringContaining('cancelled'),
  })
  expect(await takeBack()).toMatchObject({ status: 'cancelled', shop_problem: null })
  const url = `/api/orders/${id}/history`
  const [event] = (await app.http.inject({ url, headers: await app.as('viewer') })).json<OrderEvent[]>()
  expect(event).toMatchObject({
    action: 'order.cancelled',
    reason: 'The shop had cancelled this order before its pieces were returned.',
  })
  expect((await send(app, cancelled)).outcome).toBe('unchanged')
})

it('a price that the shop changes after the pieces were shipped is shown and not applied, until the shop takes it back', async () => {
  const { shop, app } = await aPartlyShippedOrder()
  const priced = (subtotal: string, hour: number) => {
    const line = { id: 1, sku: 'DRG', name: 'Dragon', quantity: 2, price: 18, subtotal, total: '36.00' }
    const change = { line_items: [line], date_modified_gmt: `2026-11-01T${hour}:00:00` }
    return wooOrder(7, { ...change, customer_note: `At ${hour}` })
  }
  expect((await send(app, priced('50.00', 11))).outcome).toBe('updated')
  const kept = {
    items: [{ unit_price: 20 }],
    shop_problem: expect.stringContaining('Dragon from 20.00 USD to 25.00 USD'),
  }
  expect(await onlyOrder(app)).toMatchObject({ ...kept, notes: 'At 11' })
  // Neither an event about other fields nor a comparison removes the message about the price.
  expect((await send(app, priced('50.00', 12))).outcome).toBe('updated')
  shop.orders.set(7, priced('50.00', 12))
  await sync(app)
  expect(await onlyOrder(app)).toMatchObject({ ...kept, notes: 'At 12' })
  await send(app, priced('40.00', 13))
  expect(await onlyOrder(app)).toMatchObject({ items: [{ unit_price: 20 }], shop_problem: null })
})

it('parcels of an order from another program are not reported to WooCommerce, even if an order there has the same number', async () => {
  const { shop, app } = await aWooApp()
  await anItem(app, { sku: 'DRG', quantity: 2 })
  shop.orders.set(1042, wooOrder(1042))
  const { key } = await aKey(app, { scope: ['integration'] })
  const sent = await app.http.inject({
    method: 'POST',
    url: '/api/integration/orders',
    headers: keyHeader(key),
    payload: {
      order_number: '1042',
      total_amount: 40,
      items: [{ sku: 'DRG', name: 'Dragon', quantity: 2, unit_price: 20 }],
    },
  })
  await act(app, sent.json<{ id: string }>().id, 'ship')
  await reportParcels(app)
  expect(shop.orders.get(1042)).toMatchObject({ status: 'processing', notes: [] })
  expect(shop.requests).toEqual([])
})

it('an order of another program with shipped pieces stays cancelled if a late message says that it is pending', async () => {
  const { app } = await aWooApp()
  await anItem(app, { sku: 'DRG', quantity: 2 })
  const { key } = await aKey(app, { scope: ['integration'] })
  const tell = async (more: object) => {
    const payload = { order_number: '1042', total_amount: 40, ...more }
    const url = '/api/integration/orders'
    await app.http.inject({ method: 'POST', url, headers: keyHeader(key), payload })
    return onlyOrder(app)
  }
  const { id, items } = await tell({
    status: 'pending',
    items: [{ sku: 'DRG', name: 'Dragon', quantity: 2, unit_price: 20 }],
  })
  await act(app, id, 'ship', { items: [{ line_id: items[0]?.id, quantity: 1 }] })
  for (const status of ['cancelled', 'pending'])
    expect(await tell({ status })).toMatchObject({ status: 'cancelled' })
})

it('a page of orders may be larger than other responses of a shop', async () => {
  const { shop, app } = await aWooApp()
  const taxes = Array.from({ length: 100 }, (_, id) => ({ id, total: '1.00', text: 'x'.repeat(100) }))
  for (let id = 1; id <= 100; id += 1) {
    const order = wooOrder(id)
    shop.orders.set(id, { ...order, line_items: order.line_items.map((line) => ({ ...line, taxes })) })
  }
  expect(await sync(app)).toMatchObject({ created: 100, failed: [] })
})

it('a Shopify order whose lines do not fit on one page is read completely', async () => {
  const { shop, app } = await aShopifyApp()
  const nodes = Array.from({ length: 600 }, (_, index) => shopifyLine(`SKU-${index}`, 1, '1.00'))
  shop.orders.set('7', { node: shopifyOrder('7', { lineItems: { nodes } }), open: [], fulfillments: [] })
  expect(await sync(app)).toMatchObject({ created: 1, failed: [] })
  const { items } = await onlyOrder(app)
  expect(items.map(({ sku }) => sku)).toEqual(nodes.map(({ sku }) => sku))
  // If a page cannot be read, the order stays unchanged.
  shop.orders.get('7')!.node.updatedAt = soon(app, 1)
  shop.behave((response, request) => {
    const isMore = JSON.stringify(request.body).includes('query Lines')
    return (isMore ? json(500, { errors: 'Internal' }) : shop.take(request))(response, request)
  })
  const failed = await app.http.inject({
    method: 'POST',
    url: '/api/orders/sync',
    headers: await app.as('staff'),
  })
  expect(failed.statusCode).toBe(502)
  expect((await onlyOrder(app)).items).toHaveLength(600)
})

it('the order page shows why a change from the shop was refused, while later orders are still imported', async () => {
  const { shop, app } = await aWooApp()
  shop.orders.set(7, wooOrder(7))
  await sync(app)
  const tooLong = 'x'.repeat(10_001)
  shop.orders.set(7, wooOrder(7, { customer_note: tooLong, date_modified_gmt: soon(app, 1).slice(0, 19) }))
  expect(await sync(app)).toMatchObject({ failed: [{ order_number: '7', detail: expect.any(String) }] })
  expect((await onlyOrder(app)).shop_problem).toContain('notes')
  shop.orders.set(7, wooOrder(7, { customer_note: 'Short', date_modified_gmt: soon(app, 2).slice(0, 19) }))
  expect(await sync(app)).toMatchObject({ updated: 1, failed: [] })
  expect(await onlyOrder(app)).toMatchObject({ notes: 'Short', shop_problem: null })
})

it('an order that could not be imported at all is listed with the reason until it is imported or dismissed', async () => {
  const { shop, app } = await aWooApp()
  const longSku = [{ id: 1, sku: 'S'.repeat(65), name: 'X', quantity: 1, subtotal: '1.00', total: '1.00' }]
  shop.orders.set(7, wooOrder(7, { line_items: longSku }))
  shop.orders.set(8, wooOrder(8, { currency: 'EUR' }))
  // The regular comparison returns its result to nobody.
  await app.shop.shopOrders.run()
  const call = async (method: 'GET' | 'POST', url: string, payload?: object) =>
    app.http.inject({ method, url, headers: await app.as('staff'), ...(payload && { payload }) })
  const refused = async () => (await call('GET', '/api/orders/refused')).json<{ order_number: string }[]>()
  expect((await refused()).toSorted((a, b) => (a.order_number < b.order_number ? -1 : 1))).toMatchObject([
    { order_number: '7', detail: expect.stringContaining('The SKU of line') },
    { order_number: '8', detail: 'Orders must use the currency USD' },
  ])
  for (let twice = 0; twice < 2; twice += 1) {
    const dismissed = await call('POST', '/api/orders/refused/dismiss', { order_number: '8' })
    expect([dismissed.statusCode, dismissed.json()]).toEqual([200, { order_number: '8' }])
  }
  expect(await refused()).toMatchObject([{ order_number: '7' }])
  const entries = await auditOf(app, 'order')
  expect(entries.filter(({ action }) => action === 'order.refusal_dismissed')).toHaveLength(1)
  expect((await send(app, wooOrder(7))).outcome).toBe('created')
  expect(await refused()).toEqual([])
  const viewer = await app.as('viewer')
  expect((await app.http.inject({ url: '/api/orders/refused', headers: viewer })).statusCode).toBe(403)
  expect((await call('POST', '/api/orders/refused/dismiss', { order_number: '' })).statusCode).toBe(422)
})
