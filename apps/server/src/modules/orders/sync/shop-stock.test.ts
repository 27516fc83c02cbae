import type { Product } from '@pegasus/contracts/products/products'
import { expect, it } from 'vitest'
import { type SiteBehavior, json } from '../../../../test/servers/main-site-server.ts'
import type { WooShop } from '../../../../test/servers/woo-server.ts'
import type { TestApp } from '../../../../test/support/build-test-app.ts'
import { aKey, keyHeader } from '../../../../test/support/accounts/api-keys.ts'
import {
  SOLD_PRODUCT,
  aSoldProduct,
  aShopifyApp,
  aWooApp,
  act,
  ordersOf,
  sync,
  wooOrder,
} from '../../../../test/support/shop-apps.ts'
import { sendWebhook, wooHeaders } from '../../../../test/support/webhooks.ts'
import { HOUR_MS, MINUTE_MS } from '../../../platform/clock.ts'

it("the stock at WooCommerce is the item's stock minus open orders and safety stock", async () => {
  const { shop, app } = await aWooApp()
  const { id, item, adjust } = await aSoldProduct(app, 9)
  const stockThere = () => [...shop.products.values()][0]?.['stock_quantity']
  /** Returns the offered stock that people see, which must be the same on the page and in the list of products. */
  const shown = async () => {
    const headers = await app.as('viewer')
    const [page, list] = await Promise.all(
      [`/api/products/${id}`, '/api/products'].map((url) => app.http.inject({ method: 'GET', url, headers })),
    )
    const product = page!.json<Product>()
    expect(list!.json<Product[]>()).toEqual([product])
    return [product.offered_stock, product.offered_from]
  }
  const from = { available_quantity: 9, needed_quantity: 0, held_quantity: 0, safety_stock: 0 }
  await app.shop.shopStock.run()
  expect(stockThere()).toBe(9)
  expect(await shown()).toEqual([9, from])
  const calls = shop.requests.length
  await app.shop.shopStock.run()
  expect(shop.requests).toHaveLength(calls)
  shop.orders.set(7, wooOrder(7))
  await sync(app)
  await app.shop.shopStock.run()
  expect(stockThere()).toBe(7)
  // An order on hold sets pieces aside in the shop.
  const held = JSON.stringify(wooOrder(8, { status: 'on-hold' }))
  await sendWebhook(app, 'woocommerce', held, wooHeaders(held))
  await app.shop.shopStock.run()
  expect(stockThere()).toBe(5)
  expect(await shown()).toEqual([5, { ...from, needed_quantity: 2, held_quantity: 2 }])
  const failed = JSON.stringify(wooOrder(8, { status: 'failed', date_modified_gmt: '2026-11-01T11:00:00' }))
  await sendWebhook(app, 'woocommerce', failed, wooHeaders(failed))
  await app.shop.shopStock.run()
  expect(stockThere()).toBe(7)
  const changed = await app.http.inject({
    method: 'PUT',
    url: `/api/inventory/${item}`,
    headers: { ...(await app.as('staff')), 'if-match': '*' },
    payload: { safety_stock: 3 },
  })
  expect(changed.json()).toMatchObject({ safety_stock: 3 })
  await adjust(-1)
  await app.shop.shopStock.run()
  expect(stockThere()).toBe(3)
  expect(await shown()).toEqual([
    3,
    { available_quantity: 8, needed_quantity: 2, held_quantity: 0, safety_stock: 3 },
  ])
  await adjust(-6)
  await app.shop.shopStock.run()
  expect(stockThere()).toBe(0)
  expect(await shown()).toEqual([
    0,
    { available_quantity: 2, needed_quantity: 2, held_quantity: 0, safety_stock: 3 },
  ])
  // Without an item, the server no longer sends a stock, and the shop keeps the last one.
  const unlinked = await app.http.inject({
    method: 'PUT',
    url: `/api/products/${id}`,
    headers: { ...(await app.as('staff')), 'if-match': '*' },
    payload: { inventory_item_id: null },
  })
  expect(unlinked.json()).toMatchObject({ offered_stock: null, offered_from: null })
  expect(await shown()).toEqual([null, null])
})

it('after a shop fails to accept a stock update, the next attempt waits and sends the newest level', async () => {
  const { shop, app } = await aShopifyApp()
  const { adjust } = await aSoldProduct(app, 9)
  shop.behave(json(503, { errors: 'Unavailable' }))
  await app.shop.shopStock.run()
  const calls = shop.requests.length
  await adjust(-1)
  await app.shop.shopStock.run()
  expect(shop.requests).toHaveLength(calls)
  shop.behave(null)
  await adjust(-2)
  app.clock.advance(MINUTE_MS)
  await app.shop.shopStock.run()
  expect([...shop.stock.values()]).toEqual([6])
})

it('a product whose stock the shop refuses does not stop the stock updates of other products', async () => {
  const { shop, app } = await aWooApp()
  await aSoldProduct(app, 9)
  await aSoldProduct(app, 9, { sku: 'EGG', slug: 'egg' })
  const { adjust } = await aSoldProduct(app, 9, { sku: 'NEST', slug: 'nest' })
  // Somebody has deleted this product in the shop.
  const [gone] = [...shop.products.values()].filter(({ sku }) => sku === 'egg')
  shop.products.delete(gone!.id)
  await app.shop.shopStock.run()
  const stocks = () => [...shop.products.values()].map((product) => product['stock_quantity'])
  expect(stocks()).toEqual([9, 9])
  const calls = shop.requests.length
  await app.shop.shopStock.run()
  expect(shop.requests).toHaveLength(calls)
  await adjust(-5)
  await app.shop.shopStock.run()
  expect(stocks()).toEqual([9, 4])
  // The stock of the refused product is sent again an hour later.
  shop.products.set(gone!.id, gone!)
  app.clock.advance(HOUR_MS)
  await app.shop.shopStock.run()
  expect(gone?.['stock_quantity']).toBe(9)
})

/** Places an order for two pieces in the shop, which lowers its own stock. */
function buyTwo(shop: WooShop, id: number) {
  const order = wooOrder(id)
  shop.orders.set(id, order)
  const [product] = shop.products.values()
  product!['stock_quantity'] = Number(product!['stock_quantity']) - 2
  return order
}

const stockOf = (shop: WooShop) => [...shop.products.values()][0]?.['stock_quantity']

const send = async (app: TestApp, path: string, payload: object = {}, headers: object = {}) => {
  const answer = await app.http.inject({
    method: 'POST',
    url: `/api/products${path}`,
    headers: { ...(await app.as('staff')), ...headers },
    payload,
  })
  expect(answer.statusCode, answer.body).toBe(200)
  return answer.json<Product>()
}

it('the stock is sent again after each order of the shop, even if new pieces have replaced the sold ones', async () => {
  const { shop, app } = await aWooApp()
  const { adjust } = await aSoldProduct(app, 9)
  await app.shop.shopStock.run()
  const order = JSON.stringify(buyTwo(shop, 7))
  await sendWebhook(app, 'woocommerce', order, wooHeaders(order))
  await adjust(2)
  expect(stockOf(shop)).toBe(7)
  await app.shop.shopStock.run()
  expect(stockOf(shop)).toBe(9)
  const calls = shop.requests.length
  await sendWebhook(app, 'woocommerce', order, wooHeaders(order))
  await app.shop.shopStock.run()
  expect(shop.requests).toHaveLength(calls)
  // The shop cancels the order and adds its two pieces to its stock again.
  const cancelled = wooOrder(7, { status: 'cancelled', date_modified_gmt: '2026-11-01T11:00:00' })
  shop.orders.set(7, cancelled)
  await adjust(-2)
  await sendWebhook(app, 'woocommerce', JSON.stringify(cancelled), wooHeaders(JSON.stringify(cancelled)))
  shop.products.values().next().value!['stock_quantity'] = 11
  await app.shop.shopStock.run()
  expect(stockOf(shop)).toBe(9)
})

it('the stock is sent again if an order arrives while it is being sent', async () => {
  const { shop, app } = await aWooApp()
  const { adjust } = await aSoldProduct(app, 9)
  await app.shop.shopStock.run()
  await adjust(1)
  const order = JSON.stringify(wooOrder(7))
  /** The shop reads the new stock, sells two pieces, and sends the order, all before it responds. */
  const sellDuring: SiteBehavior = (response, request) => {
    shop.behave(null)
    void sendWebhook(app, 'woocommerce', order, wooHeaders(order))
      .then(() => adjust(2))
      .then(() => {
        shop.take(request)(response, request)
        shop.products.values().next().value!['stock_quantity'] = 8
      })
  }
  shop.behave(sellDuring)
  await app.shop.shopStock.run()
  await app.shop.shopStock.run()
  expect(stockOf(shop)).toBe(10)
})

it('a check reports the stock in the shop as different only if no sale explains it, and a person can accept it', async () => {
  const { shop, app } = await aWooApp()
  const { id, item } = await aSoldProduct(app, 9)
  const check = () => send(app, `/${id}/check`)
  await check()
  await app.shop.shopStock.run()
  // The event about this order is lost, but the check fetches the order.
  buyTwo(shop, 7)
  expect((await check()).site_check).toMatchObject({ outcome: 'same', differences: [] })
  await app.shop.shopStock.run()
  expect((await check()).site_check).toMatchObject({ outcome: 'same', differences: [] })

  shop.products.values().next().value!['stock_quantity'] = 50
  const since = app.clock.now().toISOString()
  const other = await check()
  expect(other.site_check).toMatchObject({
    outcome: 'differs',
    differences: [{ field: 'stock', ours: 7, theirs: 50, since }],
  })
  const accepted = await send(app, `/${id}/accept`, { stock: 50 }, { 'if-match': `"${other.revision}"` })
  expect(accepted).toMatchObject({
    stock: SOLD_PRODUCT.stock,
    site_check: { outcome: 'same', differences: [] },
  })
  const adjusted = await app.http.inject({ url: `/api/inventory/${item}`, headers: await app.as('viewer') })
  expect(adjusted.json()).toMatchObject({ quantity: 52, available_quantity: 52 })
  const calls = shop.requests.length
  await app.shop.shopStock.run()
  expect(shop.requests).toHaveLength(calls)

  shop.products.values().next().value!['stock_quantity'] = 3
  expect((await check()).site_check).toMatchObject({ differences: [{ ours: 50, theirs: 3 }] })
  app.clock.advance(MINUTE_MS)
  await send(app, `/${id}/publish`, { again: true })
  await app.shop.shopStock.run()
  expect([stockOf(shop), (await check()).site_check?.outcome]).toEqual([50, 'same'])
})

it('a known stock difference stays listed while its cause is unclear, and can be accepted only until our stock changes', async () => {
  const { shop, app } = await aWooApp()
  const { id, item, adjust } = await aSoldProduct(app, 9)
  const check = () => send(app, `/${id}/check`)
  await app.shop.shopStock.run()
  const product = shop.products.values().next().value!
  product['stock_quantity'] = 50
  const difference = { field: 'stock', ours: 9, theirs: 50 }
  expect((await check()).site_check).toMatchObject({ differences: [difference] })
  // The orders of the shop cannot be read, so an unknown sale could explain the new number.
  product['stock_quantity'] = 48
  shop.behave((response, request) => {
    const answer = request.path.includes('/orders') ? json(503, { message: 'Busy' }) : shop.take(request)
    answer(response, request)
  })
  const unclear = await check()
  expect(unclear.site_check).toMatchObject({ outcome: 'differs', differences: [difference] })
  shop.behave(null)
  await adjust(1)
  const headers = { ...(await app.as('staff')), 'if-match': `"${unclear.revision}"` }
  const accept = {
    method: 'POST',
    url: `/api/products/${id}/accept`,
    headers,
    payload: { stock: 50 },
  } as const
  expect((await app.http.inject(accept)).json()).toMatchObject({ code: 'site_says_otherwise' })
  const kept = await app.http.inject({ url: `/api/inventory/${item}`, headers })
  expect(kept.json()).toMatchObject({ quantity: 10 })
  await app.shop.shopStock.run()
  const shown = await app.http.inject({ url: `/api/products/${id}`, headers })
  expect(shown.json<Product>().site_check).toMatchObject({ outcome: 'same', differences: [] })
})

it('the stock is sent again after an order from the integration API and after a refused change from the shop', async () => {
  const { shop, app } = await aWooApp()
  const { adjust } = await aSoldProduct(app, 9)
  await app.shop.shopStock.run()
  const product = shop.products.values().next().value!
  const { key } = await aKey(app, { scope: ['integration'] })
  product['stock_quantity'] = 7
  const received = await app.http.inject({
    method: 'POST',
    url: '/api/integration/orders',
    headers: keyHeader(key),
    payload: {
      order_number: 'W-1',
      customer_name: 'Ada',
      total_amount: 40,
      items: [{ sku: 'DRG', name: 'Dragon', quantity: 2, unit_price: 20 }],
    },
  })
  expect(received.statusCode, received.body).toBe(201)
  await adjust(2)
  await app.shop.shopStock.run()
  expect(stockOf(shop)).toBe(9)

  shop.orders.set(7, wooOrder(7))
  await sync(app)
  const order = (await ordersOf(app)).find(({ order_number: number }) => number === '7')
  await act(app, order?.id ?? '', 'ship')
  await app.shop.shopStock.run()
  expect(stockOf(shop)).toBe(7)
  // The shop cancels the shipped order, and adds its pieces to its stock again. The change is refused here.
  product['stock_quantity'] = 9
  const now = app.clock.now().toISOString().slice(0, -1)
  shop.orders.set(7, wooOrder(7, { status: 'cancelled', date_modified_gmt: now }))
  expect(await sync(app)).toMatchObject({ failed: [{ order_number: '7' }] })
  await app.shop.shopStock.run()
  expect(stockOf(shop)).toBe(7)
})

it('the stock is sent again after each change from the shop to an order, even if the order stays the same here', async () => {
  const { shop, app } = await aWooApp()
  await aSoldProduct(app, 9)
  await app.shop.shopStock.run()
  const product = shop.products.values().next().value!
  const sendOrder = async (order: object) => {
    const event = JSON.stringify(order)
    await sendWebhook(app, 'woocommerce', event, wooHeaders(event))
  }
  /**
   * Cancels an order in the shop, which adds its pieces to its stock again. Returns the shop's stock after the next
   * run.
   */
  const cancelThere = async (id: number) => {
    product['stock_quantity'] = Number(product['stock_quantity']) + 2
    app.clock.advance(MINUTE_MS)
    const at = app.clock.now().toISOString().slice(0, -1)
    const cancelled = wooOrder(id, { status: 'cancelled', date_modified_gmt: at })
    await sendOrder(cancelled)
    await app.shop.shopStock.run()
    const calls = shop.requests.length
    await sendOrder(cancelled)
    await app.shop.shopStock.run()
    expect(shop.requests.slice(calls).map(({ method, path }) => `${method} ${path}`)).toEqual([])
    return stockOf(shop)
  }
  await sendOrder(buyTwo(shop, 7))
  const [first] = await ordersOf(app)
  await act(app, first?.id, 'cancel')
  await app.shop.shopStock.run()
  expect(stockOf(shop)).toBe(9)
  expect(await cancelThere(7)).toBe(9)

  await sendOrder(buyTwo(shop, 8))
  const second = (await ordersOf(app)).find(({ order_number: number }) => number === '8')
  await act(app, second?.id, 'ship')
  await app.shop.shopStock.run()
  // The shop changes the cancelled order twice. Both changes are refused here for the same reason.
  expect(await cancelThere(8)).toBe(7)
  expect(await cancelThere(8)).toBe(7)
})

it('a check does not report a stock difference that ended while the shop was being asked', async () => {
  const { shop, app } = await aWooApp()
  const { id, adjust } = await aSoldProduct(app, 9)
  const check = async () => (await send(app, `/${id}/check`)).site_check
  await app.shop.shopStock.run()
  const product = shop.products.values().next().value!
  product['stock_quantity'] = 50
  expect(await check()).toMatchObject({ differences: [{ field: 'stock', ours: 9, theirs: 50 }] })
  // The shop has loaded the product for its response. Before it responds, our new stock reaches it.
  shop.behave((response, request) => {
    shop.behave(null)
    void adjust(1)
      .then(() => app.shop.shopStock.run())
      .then(() => {
        product['stock_quantity'] = 50
        shop.take(request)(response, request)
        product['stock_quantity'] = 10
      })
  })
  expect(await check()).toMatchObject({ outcome: 'same', differences: [] })
})

it('the regular comparison of all products finds a stock that was changed in the shop', async () => {
  const { shop, app } = await aWooApp()
  const { id } = await aSoldProduct(app, 9)
  await app.shop.shopStock.run()
  shop.products.values().next().value!['stock_quantity'] = 50
  app.clock.advance(HOUR_MS * 24)
  await app.siteChecks.run()
  const shown = await app.http.inject({ url: `/api/products/${id}`, headers: await app.as('viewer') })
  expect(shown.json<Product>().site_check).toMatchObject({ differences: [{ field: 'stock', theirs: 50 }] })
})
