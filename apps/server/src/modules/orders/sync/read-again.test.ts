import { expect, it } from 'vitest'
import { json } from '../../../../test/servers/main-site-server.ts'
import { aWooApp, ordersOf, sync, wooOrder } from '../../../../test/support/shop-apps.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS, addMs } from '../../../platform/clock.ts'

const inShopTime = (moment: Date): string => moment.toISOString().slice(0, 19)

it('after an update that reads orders in another way, the comparison covers the last 90 days again, once', async () => {
  const { shop, app } = await aWooApp()
  const now = app.clock.now()
  shop.orders.set(7, wooOrder(7, { date_modified_gmt: inShopTime(addMs(now, -40 * DAY_MS)) }))
  expect(await sync(app)).toMatchObject({ created: 1 })
  // The previous version read the refund of last week as an order with all its pieces, and its replica still runs.
  const refund = { amount: '19.50', lines: { 1: { quantity: 1, total: '18.00', tax: '1.50' } } }
  shop.refund(7, { ...refund, at: inShopTime(addMs(now, -7 * DAY_MS)) })
  const { sql } = app.database
  await sql`update shop_readings set reader = reader - 1`
  await sql`insert into shop_syncs (url, known_until) values (${shop.url}, ${now})`
  expect(await sync(app)).toMatchObject({ updated: 1, failed: [] })
  expect(await ordersOf(app)).toMatchObject([{ total_amount: 24.4, items: [{ quantity: 1 }] }])
  app.clock.advance(HOUR_MS)
  await sync(app)
  const lists = shop.requests.filter(({ path }) => path.includes('modified_after='))
  const since = new URL(lists.at(-1)?.path ?? '', shop.url).searchParams.get('modified_after')
  expect(since).toBe(addMs(now, -10 * MINUTE_MS).toISOString())
})

it('an order whose refunds WooCommerce has refused is read again until they can be read', async () => {
  const { shop, app } = await aWooApp()
  const at = inShopTime(app.clock.now())
  for (const id of [7, 8]) shop.orders.set(id, wooOrder(id, { date_modified_gmt: at }))
  await sync(app)
  for (const id of [7, 8])
    shop.refund(id, { amount: '19.50', lines: { 1: { quantity: 1, total: '18.00', tax: '1.50' } }, at })
  const gone = { code: 'woocommerce_rest_shop_order_invalid_id', message: 'Invalid ID.' }
  shop.behave((response, request) => {
    const [, id] = /orders\/(\d)\/refunds/.exec(request.path) ?? []
    const refusals = { 7: json(403, { code: 'firewall', message: 'Blocked.' }), 8: json(404, gone) }
    return (refusals[id as '7' | '8'] ?? shop.take(request))(response, request)
  })
  const problems = async () =>
    Object.fromEntries(
      (await ordersOf(app)).map((order) => [order.order_number, [order.total_amount, order.shop_problem]]),
    )
  const refused = {
    '7': [43.9, expect.stringContaining('Blocked.')],
    '8': [43.9, expect.stringContaining('Invalid ID.')],
  }
  // The comparisons after the first one would not cover the orders, whose last change is too long ago.
  for (let hours = 0; hours < 3; hours += 1) {
    expect((await sync(app)).failed).toHaveLength(2)
    expect(await problems()).toEqual(refused)
    app.clock.advance(HOUR_MS)
  }
  shop.behave(null)
  expect(await sync(app)).toMatchObject({ updated: 2, failed: [] })
  expect(await problems()).toEqual({ '7': [24.4, null], '8': [24.4, null] })
  app.clock.advance(HOUR_MS)
  expect(await sync(app)).toMatchObject({ unchanged: 0, updated: 0 })
})

it('a comparison does not return to an order of which the shop says that it does not exist', async () => {
  const { shop, app } = await aWooApp()
  const at = inShopTime(app.clock.now())
  shop.orders.set(7, wooOrder(7, { date_modified_gmt: at, refunds: [{ id: 1, reason: '', total: '-1.00' }] }))
  shop.behave((response, request) => {
    const isMeant = request.path.includes('/refunds')
    return (isMeant ? json(404, { message: 'Invalid ID.' }) : shop.take(request))(response, request)
  })
  // The second comparison still covers the time of the order's change.
  for (const failed of [1, 1, 0]) {
    expect((await sync(app)).failed).toHaveLength(failed)
    app.clock.advance(HOUR_MS)
  }
})
