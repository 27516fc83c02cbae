import { expect, it } from 'vitest'
import { json } from '../../../../../test/servers/main-site-server.ts'
import { aWooApp, ordersOf, sync, wooOrder } from '../../../../../test/support/shop-apps.ts'
import type { WooShop } from '../../../../../test/servers/woo-server.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS, addMs } from '../../../../platform/clock.ts'
import type { RefusedOrder } from '@pegasus/contracts/orders/refused-orders'

const inShopTime = (moment: Date): string => moment.toISOString().slice(0, 19)

const isChangeList = ({ path }: { path: string }): boolean => path.includes('modified_after=')

/** Returns the times since which the shop was asked for changes, latest request last. */
const sincesOf = (shop: WooShop): (string | null)[] =>
  shop.requests
    .filter(isChangeList)
    .map(({ path }) => new URL(path, shop.url).searchParams.get('modified_after'))

/** Makes the shop refuse to show refunds. */
const blockRefunds = (shop: WooShop): void =>
  shop.behave((response, request) => {
    const isMeant = request.path.includes('/refunds')
    return (isMeant ? json(403, { code: 'firewall', message: 'Blocked.' }) : shop.take(request))(
      response,
      request,
    )
  })

const ONE_PIECE = { amount: '19.50', lines: { 1: { quantity: 1, total: '18.00', tax: '1.50' } } }

it('after an update that reads orders in another way, only the first comparison covers the last 90 days again', async () => {
  const { shop, app } = await aWooApp()
  const now = app.clock.now()
  shop.orders.set(7, wooOrder(7, { date_modified_gmt: inShopTime(addMs(now, -40 * DAY_MS)) }))
  expect(await sync(app)).toMatchObject({ created: 1 })
  // Imitates an earlier version that ignored last week's refund, and a replica of it that is still running.
  shop.refund(7, { ...ONE_PIECE, at: inShopTime(addMs(now, -7 * DAY_MS)) })
  const { sql } = app.database
  await sql`update shop_readings set reader = reader - 1`
  await sql`insert into shop_syncs (url, known_until) values (${shop.url}, ${now})`
  expect(await sync(app)).toMatchObject({ updated: 1, failed: [] })
  expect(await ordersOf(app)).toMatchObject([{ total_amount: 24.4, items: [{ quantity: 1 }] }])
  app.clock.advance(HOUR_MS)
  await sync(app)
  expect(sincesOf(shop).at(-1)).toBe(inShopTime(addMs(now, -10 * MINUTE_MS)))
})

it('the comparison reads new orders first, then those of the last 90 days, and continues at a failed page', async () => {
  const { shop, app } = await aWooApp()
  const now = new Date(`${inShopTime(app.clock.now())}Z`)
  app.clock.advance(now.getTime() - app.clock.now().getTime())
  const known = addMs(now, -5 * MINUTE_MS)
  await app.database.sql`insert into shop_syncs (url, known_until) values (${shop.url}, ${known})`
  const changedAt = (id: number) => addMs(now, -40 * DAY_MS + id * MINUTE_MS)
  for (let id = 1; id <= 150; id += 1)
    shop.orders.set(id, wooOrder(id, { date_modified_gmt: inShopTime(changedAt(id)) }))
  shop.orders.set(900, wooOrder(900, { date_modified_gmt: inShopTime(now) }))
  let lists = 0
  shop.behave((response, request) => {
    if (isChangeList(request)) lists += 1
    return (lists === 3 ? json(503, { message: 'Down for a moment.' }) : shop.take(request))(
      response,
      request,
    )
  })
  const headers = await app.as('staff')
  const failed = await app.http.inject({ method: 'POST', url: '/api/orders/sync', headers })
  expect(failed.statusCode).toBe(502)
  const numbers = (await ordersOf(app)).map(({ order_number: number }) => Number(number))
  expect(numbers.toSorted((a, b) => a - b)).toEqual([...Array.from({ length: 100 }, (_, at) => at + 1), 900])
  expect(await sync(app)).toMatchObject({ created: 50, failed: [] })
  expect(sincesOf(shop)).toEqual(
    [
      addMs(known, -10 * MINUTE_MS),
      addMs(now, -90 * DAY_MS),
      addMs(changedAt(100), -1000),
      addMs(now, -10 * MINUTE_MS),
      // The list has already shown all orders before this one. Only orders that changed in the same second can be
      // missing.
      addMs(changedAt(100), -1000),
    ].map(inShopTime),
  )
  // Both positions are the same now, so one list is enough.
  await sync(app)
  expect(sincesOf(shop)).toHaveLength(6)
})

it('an order with a wrong time in the future does not hide the changes of other orders', async () => {
  const { shop, app } = await aWooApp()
  const now = app.clock.now()
  for (let id = 1; id <= 101; id += 1)
    shop.orders.set(
      id,
      wooOrder(id, { date_modified_gmt: id < 100 ? inShopTime(now) : `${1999 + id}-01-01T00:00:00` }),
    )
  expect(await sync(app)).toMatchObject({ created: 101 })
  app.clock.advance(HOUR_MS)
  const before = shop.requests.length
  await sync(app)
  const [first] = sincesOf({ ...shop, requests: shop.requests.slice(before) })
  expect(first).toBe(inShopTime(addMs(now, -10 * MINUTE_MS)))
})

it('an order whose refunds WooCommerce refuses to show is read again until it shows them', async () => {
  const { shop, app } = await aWooApp()
  const at = inShopTime(app.clock.now())
  for (const id of [7, 8]) shop.orders.set(id, wooOrder(id, { date_modified_gmt: at }))
  await sync(app)
  for (const id of [7, 8]) shop.refund(id, { ...ONE_PIECE, at })
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
  // The third comparison does not cover the time of the change. It reads only order 7 again, because the shop has no
  // order 8.
  for (const failed of [2, 2, 1]) {
    expect((await sync(app)).failed).toHaveLength(failed)
    expect(await problems()).toEqual(refused)
    app.clock.advance(HOUR_MS)
  }
  expect(sincesOf(shop).at(-1)).toBe(inShopTime(addMs(app.clock.now(), -2 * HOUR_MS - 10 * MINUTE_MS)))
  shop.behave(null)
  expect(await sync(app)).toMatchObject({ updated: 1, failed: [] })
  expect(await problems()).toEqual({ '7': [24.4, null], '8': refused['8'] })
  app.clock.advance(HOUR_MS)
  expect(await sync(app)).toMatchObject({ unchanged: 0, updated: 0 })
})

it("an order whose refund is missing from WooCommerce's list stays unchanged, and is read again until the list contains it", async () => {
  const { shop, app } = await aWooApp()
  shop.orders.set(7, wooOrder(7, { date_modified_gmt: inShopTime(app.clock.now()) }))
  await sync(app)
  shop.refund(7, { ...ONE_PIECE, at: inShopTime(app.clock.now()) })
  const refunds = shop.refunds.get(7)!
  shop.refunds.set(7, [])
  const stateOf = async () =>
    (await ordersOf(app)).map((order) => [order.total_amount, order.items[0]?.quantity, order.shop_problem])
  for (let rounds = 0; rounds < 2; rounds += 1) {
    expect((await sync(app)).failed).toHaveLength(1)
    expect(await stateOf()).toEqual([[43.9, 2, expect.stringContaining('does not contain all refunds')]])
    app.clock.advance(HOUR_MS)
  }
  shop.refunds.set(7, refunds)
  expect(await sync(app)).toMatchObject({ updated: 1, failed: [] })
  expect(await stateOf()).toEqual([[24.4, 1, null]])
})

it('a comparison does not read an order again if the shop reports that the order does not exist', async () => {
  const { shop, app } = await aWooApp()
  const at = inShopTime(app.clock.now())
  shop.orders.set(7, wooOrder(7, { date_modified_gmt: at, refunds: [{ id: 1, reason: '', total: '-1.00' }] }))
  shop.behave((response, request) => {
    const isMeant = request.path.includes('/refunds')
    return (isMeant ? json(404, { message: 'Invalid ID.' }) : shop.take(request))(response, request)
  })
  // The second comparison still covers the time at which the order was changed.
  for (const failed of [1, 1, 0]) {
    expect((await sync(app)).failed).toHaveLength(failed)
    app.clock.advance(HOUR_MS)
  }
})

it('a shop that refuses all refunds gets 20 refund requests in each comparison until it allows them', async () => {
  const { shop, app } = await aWooApp()
  const at = inShopTime(app.clock.now())
  const ids = Array.from({ length: 45 }, (_, index) => index + 1)
  for (const id of ids) shop.orders.set(id, wooOrder(id, { date_modified_gmt: at }))
  await sync(app)
  for (const id of ids) shop.refund(id, { ...ONE_PIECE, at })
  blockRefunds(shop)
  expect((await sync(app)).failed).toHaveLength(45)
  app.clock.advance(HOUR_MS)
  expect((await sync(app)).failed).toHaveLength(45)
  const asked: string[] = []
  for (let rounds = 0; rounds < 2; rounds += 1) {
    app.clock.advance(HOUR_MS)
    const before = shop.requests.length
    expect((await sync(app)).failed).toHaveLength(20)
    const calls = shop.requests.slice(before).filter(({ path }) => path.includes('/refunds'))
    expect(calls).toHaveLength(20)
    asked.push(...calls.map(({ path }) => path))
  }
  expect(new Set(asked).size).toBe(40)
  shop.behave(null)
  app.clock.advance(HOUR_MS)
  expect(await sync(app)).toMatchObject({ updated: 45, failed: [] })
  const orders = await ordersOf(app)
  expect(orders.filter((order) => order.shop_problem !== null || order.total_amount !== 24.4)).toEqual([])
  app.clock.advance(HOUR_MS)
  expect(await sync(app)).toMatchObject({ updated: 0, unchanged: 0, failed: [] })
})

it('a refused order that a person dismisses is not read again, unless the shop changes it', async () => {
  const { shop, app } = await aWooApp()
  const listed = async () =>
    (await app.http.inject({ url: '/api/orders/refused', headers: await app.as('staff') }))
      .json<RefusedOrder[]>()
      .map(({ order_number: number }) => number)
  const at = inShopTime(app.clock.now())
  shop.orders.set(7, wooOrder(7))
  shop.refund(7, { ...ONE_PIECE, at })
  blockRefunds(shop)
  for (let rounds = 0; rounds < 3; rounds += 1) {
    expect((await sync(app)).failed).toHaveLength(1)
    expect(await listed()).toEqual(['7'])
    app.clock.advance(HOUR_MS)
  }
  const dismissed = await app.http.inject({
    method: 'POST',
    url: '/api/orders/refused/dismiss',
    headers: await app.as('staff'),
    payload: { order_number: '7' },
  })
  expect(dismissed.statusCode).toBe(200)
  expect((await sync(app)).failed).toEqual([])
  expect(await listed()).toEqual([])
  shop.behave(null)
  shop.orders.get(7)!.date_modified_gmt = inShopTime(app.clock.now())
  expect(await sync(app)).toMatchObject({ created: 1, failed: [] })
})
