import type { PublishedProduct } from '@pegasus/contracts/products/publishing'
import { expect, it } from 'vitest'
import { MINUTE_MS } from '../../src/platform/clock.ts'
import { type SiteBehavior, answering, json } from '../servers/main-site-server.ts'
import { buildTestApp } from '../support/build-test-app.ts'
import { act, ordersOf } from '../support/shop-apps.ts'
import { anItem } from '../support/stock-factories.ts'
import { SKU, type SimulatedShop, orderNumberOf } from './simulated-orders.ts'
import { SIMULATED_SHOPS } from './simulated-shops.ts'

/**
 * The ways in which a shop fails: with an error, with a page and status 200 (as during maintenance), and by closing the
 * connection.
 */
const OUTAGES: readonly SiteBehavior[] = [
  json(503, { error: 'Unavailable' }),
  answering(200, '<!doctype html><h1>Back soon</h1>', { 'content-type': 'text/html' }),
  (response) => void response.destroy(),
]

it.each(Object.keys(SIMULATED_SHOPS) as SimulatedShop['kind'][])(
  'after an outage of an hour, the orders, parcels and stock of a %s shop agree with ours',
  async (kind) => {
    const shop = await SIMULATED_SHOPS[kind]()
    const app = await buildTestApp({ variables: shop.variables })
    const staff = await app.as('staff')
    const item = await anItem(app, { sku: SKU, quantity: 9 })
    const published = await app.http.inject({
      method: 'POST',
      url: '/api/admin/products',
      headers: staff,
      payload: {
        name: 'Dragon',
        slug: 'dragon',
        category: 'miniatures',
        price: 20,
        stock: 5,
        description: 'Breathes fire',
        images: ['https://cdn.example/dragon.jpg'],
        license: 'cc0',
        inventory_item_id: item,
      },
    })
    expect(published.json<PublishedProduct>().status).toBe('published')
    const place = (id: number, quantity: number, isCancelled = false) =>
      shop.put({
        id,
        lines: [{ sku: SKU, quantity, refunded: 0 }],
        shipping: 0,
        surcharge: 0,
        discount: 0,
        isCancelled,
        placedAt: app.clock.now(),
        changedAt: app.clock.now(),
      })
    const work = async () => {
      await app.shop.shopOrders.run().catch(() => undefined)
      await app.shop.shipments.run()
      await app.shop.shopStock.run()
    }
    place(1, 2)
    place(2, 2)
    await work()
    const idOf = async (id: number) =>
      (await ordersOf(app)).find((order) => order.order_number === orderNumberOf(id))?.id
    expect([(await ordersOf(app)).length, shop.stock()]).toEqual([2, 5])

    await act(app, await idOf(1), 'ship', { carrier: 'DHL', tracking_number: 'JD01' })
    app.clock.advance(MINUTE_MS)
    place(2, 2, true)
    place(3, 3)
    for (let minutes = 0; minutes < 60; minutes += 10) {
      shop.behave(OUTAGES[(minutes / 10) % OUTAGES.length]!)
      await work()
      app.clock.advance(10 * MINUTE_MS)
    }
    expect((await ordersOf(app)).map(({ status }) => status)).toEqual(['pending', 'completed'])
    expect((await ordersOf(app))[1]?.shipments).toMatchObject([
      { told_at: null, tell_problem: expect.any(String) },
    ])

    shop.behave(null)
    // The pauses between attempts have grown, but they are never longer than an hour.
    for (let round = 0; round < 2; round += 1) {
      app.clock.advance(60 * MINUTE_MS)
      await work()
    }
    const orders = (await ordersOf(app)).toSorted((a, b) => (a.order_number < b.order_number ? -1 : 1))
    expect(orders.map(({ status }) => status)).toEqual(['completed', 'cancelled', 'pending'])
    expect(orders[0]?.shipments).toMatchObject([{ told_at: expect.any(String), tell_problem: null }])
    expect(shop.parcelsOf(1)).toBe(1)
    // Nine pieces, minus two that were shipped, minus three for the open order.
    expect(shop.stock()).toBe(4)
  },
)
