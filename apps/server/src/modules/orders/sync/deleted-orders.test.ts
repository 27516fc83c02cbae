import type { OrderEvent } from '@pegasus/contracts/orders/order-account'
import { expect, it } from 'vitest'
import { type SiteBehavior, aMainSite, answering, json } from '../../../../test/servers/main-site-server.ts'
import { buildTestApp, type TestApp } from '../../../../test/support/build-test-app.ts'
import {
  act,
  aShopifyApp,
  aWooApp,
  ordersOf,
  shopifyOrder,
  sync,
  wooOrder,
} from '../../../../test/support/shop-apps.ts'
import { anItem } from '../../../../test/support/stock-factories.ts'
import {
  WEBHOOK_SECRET,
  sendWebhook,
  shopifyHeaders,
  standardHeaders,
  wooHeaders,
} from '../../../../test/support/webhooks.ts'
import { HOUR_MS } from '../../../platform/clock.ts'

const statusesOf = async (app: TestApp): Promise<Record<string, string>> =>
  Object.fromEntries(
    (await ordersOf(app)).map(({ order_number: number, status }) => [number, status] as const),
  )

const orderOf = async (app: TestApp, number: string) => {
  const order = (await ordersOf(app)).find(({ order_number: its }) => its === number)
  if (!order) throw new Error('There is no such order.')
  return order
}

const lastEventOf = async (app: TestApp, number: string) => {
  const { id } = await orderOf(app, number)
  const url = `/api/orders/${id}/history`
  const [event] = (await app.http.inject({ url, headers: await app.as('viewer') })).json<OrderEvent[]>()
  return event
}

it('the hourly comparison cancels orders that WooCommerce has deleted, with the reason in the history', async () => {
  const { shop, app } = await aWooApp()
  await anItem(app, { sku: 'DRG', quantity: 9 })
  for (const id of [1, 2, 3, 4, 5]) shop.orders.set(id, wooOrder(id))
  await sync(app)
  await act(app, (await orderOf(app, '2')).id, 'reserve')
  await act(app, (await orderOf(app, '4')).id, 'ship')
  app.clock.advance(HOUR_MS)
  shop.orders.delete(2)
  shop.orders.get(3)!.status = 'trash'
  shop.orders.delete(4)
  // The list leaves out order 5, as if it had a status of a plugin. The order still exists.
  shop.behave((response, request) => {
    const answer = shop.take(request)
    const isList = request.path.includes('include=')
    return (
      isList
        ? json(
            200,
            [...shop.orders.keys()].filter((id) => id === 1).map((id) => ({ id })),
          )
        : answer
    )(response, request)
  })
  await app.shop.shopOrders.run()
  expect(await statusesOf(app)).toEqual({
    '1': 'pending',
    '2': 'cancelled',
    '3': 'cancelled',
    '4': 'completed',
    '5': 'pending',
  })
  expect((await orderOf(app, '2')).items[0]?.reserved_quantity).toBe(0)
  expect(await lastEventOf(app, '2')).toMatchObject({
    action: 'order.cancelled',
    reason: 'The shop no longer has this order.',
  })
  // The shop is asked for deleted orders at most once an hour.
  const calls = shop.requests.length
  await app.shop.shopOrders.run()
  expect(shop.requests.length - calls).toBe(1)
  // If the shop restores an order from its trash, the order is open again.
  shop.behave(null)
  app.clock.advance(HOUR_MS)
  const at = app.clock.now().toISOString().slice(0, 19)
  Object.assign(shop.orders.get(3)!, { status: 'processing', date_modified_gmt: at })
  await app.shop.shopOrders.run()
  expect((await statusesOf(app))['3']).toBe('pending')
})

it('no order is cancelled as deleted after an outage, a web page as the response, a missing permission or an empty list', async () => {
  const { shop, app } = await aWooApp()
  for (const id of [1, 2]) shop.orders.set(id, wooOrder(id))
  await sync(app)
  shop.orders.delete(2)
  const about = (path: string) => path.includes('include=')
  const single = (path: string) => /\/orders\/\d+\?/.test(path)
  const cases: [(path: string) => boolean, SiteBehavior][] = [
    [about, answering(503, 'Down')],
    [about, answering(200, '<html>Maintenance</html>')],
    [about, json(200, {})],
    [single, answering(503, 'Down')],
    [single, answering(200, '<html>Maintenance</html>')],
    [single, answering(404, '<html>Not found</html>')],
    [single, json(404, { code: 'rest_no_route', message: 'No route was found.' })],
    [single, json(401, { code: 'woocommerce_rest_cannot_view', message: 'Sorry.' })],
    [single, json(200, {})],
  ]
  for (const [isMeant, answer] of cases) {
    app.clock.advance(HOUR_MS)
    shop.behave((response, request) =>
      (isMeant(request.path) ? answer : shop.take(request))(response, request),
    )
    await app.shop.shopOrders.run()
    expect(await statusesOf(app)).toEqual({ '1': 'pending', '2': 'pending' })
  }
  // A shop with none of the known orders is probably another shop, or was not fully restored.
  shop.orders.clear()
  shop.behave(null)
  app.clock.advance(HOUR_MS)
  await app.shop.shopOrders.run()
  expect(await statusesOf(app)).toEqual({ '1': 'pending', '2': 'pending' })
  shop.orders.set(1, wooOrder(1))
  app.clock.advance(HOUR_MS)
  await app.shop.shopOrders.run()
  expect(await statusesOf(app)).toEqual({ '1': 'pending', '2': 'cancelled' })
})

it('no order is cancelled if another shop at the same address has other orders under the same ids', async () => {
  const { shop, app } = await aWooApp()
  for (const id of [1, 2, 3]) shop.orders.set(id, wooOrder(id))
  await sync(app)
  const open = { '1': 'pending', '2': 'pending', '3': 'pending' }
  // This is another shop. It has an order with a known id, which was changed too long ago to be listed.
  shop.orders.clear()
  shop.orders.set(2, wooOrder(2, { date_created_gmt: '2026-10-01T10:00:01' }))
  app.clock.advance(HOUR_MS)
  await app.shop.shopOrders.run()
  expect(await statusesOf(app)).toEqual(open)
  // The order is missing from the list as if it had a status of a plugin. Reading it by its id also shows that it is
  // another order.
  shop.behave((response, request) =>
    (request.path.includes('include=') ? json(200, []) : shop.take(request))(response, request),
  )
  app.clock.advance(HOUR_MS)
  await app.shop.shopOrders.run()
  expect(await statusesOf(app)).toEqual(open)
  // This is the first shop again. A person has changed the placing time of an order here.
  shop.behave(null)
  shop.orders.set(2, wooOrder(2))
  const changed = await app.http.inject({
    method: 'PUT',
    url: `/api/orders/${(await orderOf(app, '2')).id}`,
    headers: { ...(await app.as('staff')), 'if-match': '*' },
    payload: { placed_at: '2026-10-30T10:00:00Z' },
  })
  expect(changed.statusCode).toBe(200)
  app.clock.advance(HOUR_MS)
  await app.shop.shopOrders.run()
  expect(await statusesOf(app)).toEqual({ '1': 'cancelled', '2': 'pending', '3': 'cancelled' })
})

it('no order is cancelled as deleted if the shop has changed the time at which it was placed', async () => {
  const { shop, app } = await aWooApp()
  for (const id of [1, 2, 3, 4]) shop.orders.set(id, wooOrder(id))
  await sync(app)
  // The shop has corrected the placing times of two orders. One of them is in its trash.
  for (const id of [3, 4]) shop.orders.get(id)!['date_created_gmt'] = '2026-10-30T10:00:00'
  shop.orders.get(4)!.status = 'trash'
  shop.orders.delete(2)
  app.clock.advance(HOUR_MS)
  await app.shop.shopOrders.run()
  expect(await statusesOf(app)).toEqual({ '1': 'pending', '2': 'cancelled', '3': 'pending', '4': 'pending' })
})

it('the comparison cancels orders that Shopify has deleted, except orders that are too old for Shopify to show', async () => {
  const { shop, app } = await aShopifyApp()
  const recent = app.clock.now().toISOString()
  for (const [id, createdAt] of [
    ['1', recent],
    ['2', recent],
    ['3', '2020-01-01T10:00:00Z'],
  ] as const)
    shop.orders.set(id, {
      node: shopifyOrder(id, { createdAt, updatedAt: recent }),
      open: [],
      fulfillments: [],
    })
  await sync(app)
  app.clock.advance(HOUR_MS)
  shop.orders.delete('2')
  shop.orders.delete('3')
  const answers = [json(200, { data: { nodes: [] } }), json(200, { errors: [{ message: 'Access denied' }] })]
  for (const answer of answers) {
    shop.behave((response, request) => {
      const isAsked = JSON.stringify(request.body).includes('query Known')
      return (isAsked ? answer : shop.take(request))(response, request)
    })
    await app.shop.shopOrders.run()
    expect(await statusesOf(app)).toEqual({ '1': 'pending', '2': 'pending', '3': 'pending' })
  }
  shop.behave(null)
  await app.shop.shopOrders.run()
  expect(await statusesOf(app)).toEqual({ '1': 'pending', '2': 'cancelled', '3': 'pending' })
})

it('an event that was sent before a deletion and arrives after it does not reopen the order', async () => {
  const woo = await aWooApp()
  const shopify = await aShopifyApp()
  woo.shop.orders.set(7, wooOrder(7))
  shopify.shop.orders.set('7', { node: shopifyOrder('7'), open: [], fulfillments: [] })
  await sync(woo.app)
  await sync(shopify.app)
  const body = JSON.stringify({ id: 7 })
  await sendWebhook(woo.app, 'woocommerce', body, wooHeaders(body, 'order.deleted'))
  await sendWebhook(shopify.app, 'shopify', body, shopifyHeaders(body, 'orders/delete'))
  const at = woo.app.clock.now().getTime() - 60_000
  const late = JSON.stringify(
    wooOrder(7, { customer_note: 'Late', date_modified_gmt: new Date(at).toISOString().slice(0, 19) }),
  )
  expect((await sendWebhook(woo.app, 'woocommerce', late, wooHeaders(late))).body.outcome).toBe('unchanged')
  for (const { app } of [woo, shopify]) {
    expect(await orderOf(app, '7')).toMatchObject({ status: 'cancelled', notes: 'Ring twice' })
    expect(await lastEventOf(app, '7')).toMatchObject({ reason: 'The order was deleted in the shop.' })
  }
})

it("a shop's order that a person deleted stays deleted, even if the shop sends it again", async () => {
  const site = await aMainSite()
  const variables = { MAIN_SITE_URL: site.url, MAIN_SITE_WEBHOOK_SECRET: WEBHOOK_SECRET }
  const app = await buildTestApp({ variables })
  const sendOrder = async (order: object) => {
    const body = JSON.stringify({ type: 'order.updated', order })
    const headers = standardHeaders(body, { at: app.clock.now() })
    return (await sendWebhook(app, 'pegasus', body, headers)).body.outcome
  }
  const item = { sku: 'X', name: 'X', quantity: 1, unit_price: 1 }
  const order = { order_number: 'W-1', external_id: '1', total_amount: 1, items: [item] }
  await sendOrder({ ...order, updated_at: '2026-11-01T10:00:00Z' })
  const { id } = await orderOf(app, 'W-1')
  const headers = { ...(await app.as('staff')), 'if-match': '*' }
  await app.http.inject({ method: 'DELETE', url: `/api/orders/${id}`, headers })
  for (const more of [{}, { notes: 'news', updated_at: '2026-11-01T11:00:00Z' }])
    expect(await sendOrder({ ...order, ...more })).toBe('unchanged')
  expect(await ordersOf(app)).toEqual([])
  const restored = await app.http.inject({ method: 'POST', url: `/api/orders/${id}/restore`, headers })
  expect(restored.statusCode, restored.body).toBe(200)
  expect(await sendOrder({ ...order, notes: 'later', updated_at: '2026-11-01T12:00:00Z' })).toBe('updated')
  expect(await ordersOf(app)).toMatchObject([{ id, notes: 'later' }])
})
