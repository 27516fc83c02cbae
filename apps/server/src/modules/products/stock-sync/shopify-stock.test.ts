import type { Product } from '@pegasus/contracts/products/products'
import { beforeEach, expect, it } from 'vitest'
import { json } from '../../../../test/servers/main-site-server.ts'
import type { ShopifyShop } from '../../../../test/servers/shopify-server.ts'
import type { TestApp } from '../../../../test/support/build-test-app.ts'
import {
  aShopifyApp,
  aSoldProduct,
  ordersOf,
  shopifyOrder,
  stockOf,
} from '../../../../test/support/shop-apps.ts'
import { HOUR_MS, MINUTE_MS, SECOND_MS, addMs } from '../../../platform/clock.ts'

let shop: ShopifyShop
let app: TestApp
let id: string
let item: string
let adjust: (delta: number) => Promise<unknown>

const send = async (path: string, payload: object = {}, headers: object = {}) => {
  const answer = await app.http.inject({
    method: 'POST',
    url: `/api/products/${id}/${path}`,
    headers: { ...(await app.as('staff')), ...headers },
    payload,
  })
  expect(answer.statusCode, answer.body).toBe(200)
  return answer.json<Product>()
}
const check = async () => (await send('check')).site_check
const stored = () => [...shop.products.values()][0]!
const stockThere = () => shop.stock.get(`${stored().id}/stock`)
const setStockThere = (pieces: number) => shop.stock.set(`${stored().id}/stock`, pieces)
const nameOf = (body: unknown) => /^\w+ (\w+)/.exec(String((body as { query?: string }).query))?.[1]

/**
 * Adds an order for dragons to the shop, placed some seconds from now. The shop subtracts its pieces from its stock.
 */
function buy(number: string, pieces: number, { seconds = 1, lines = 1, more = {} } = {}) {
  const at = addMs(app.clock.now(), seconds * SECOND_MS).toISOString()
  const line = {
    sku: 'DRG',
    name: 'Dragon',
    quantity: pieces,
    currentQuantity: pieces,
    originalUnitPriceSet: { shopMoney: { amount: '20.00' } },
    product: { id: stored().id },
  }
  const others = Array.from({ length: lines - 1 }, (_, index) => ({
    ...line,
    sku: `O-${index}`,
    product: { id: 'gid://shopify/Product/1' },
  }))
  const node = shopifyOrder(number, {
    createdAt: at,
    updatedAt: at,
    lineItems: { nodes: [...others, line] },
    ...more,
  })
  shop.orders.set(number, { node, open: [], fulfillments: [] })
  setStockThere((stockThere() ?? 0) - pieces)
}
const UNPAID = { displayFinancialStatus: 'PENDING' }

beforeEach(async () => {
  ;({ shop, app } = await aShopifyApp())
  ;({ id, item, adjust } = await aSoldProduct(app, 9))
  shop.stockElsewhere = 40
  await app.shop.shopStock.run()
})

it('a check compares the stock at the location whose stock is set, and a person can accept that stock or publish ours', async () => {
  expect(await check()).toMatchObject({ outcome: 'same', differences: [] })
  setStockThere(50)
  app.clock.advance(25 * HOUR_MS)
  await app.siteChecks.run()
  const headers = await app.as('staff')
  const differing = (await app.http.inject({ url: `/api/products/${id}`, headers })).json<Product>()
  expect(differing.site_check).toMatchObject({
    outcome: 'differs',
    differences: [{ field: 'stock', ours: 9, theirs: 50 }],
  })
  await send('accept', { stock: 50 }, { 'if-match': `"${differing.revision}"` })
  const adjusted = await app.http.inject({ url: `/api/inventory/${item}`, headers })
  expect(adjusted.json()).toMatchObject({ quantity: 50 })
  expect(await check()).toMatchObject({ outcome: 'same', differences: [] })

  setStockThere(3)
  expect(await check()).toMatchObject({ differences: [{ field: 'stock', ours: 50, theirs: 3 }] })
  app.clock.advance(MINUTE_MS)
  await send('publish', { again: true })
  await app.shop.shopStock.run()
  expect([stockThere(), (await check())?.outcome]).toEqual([50, 'same'])

  // The shop gets another primary location. Its stock is set from now on.
  shop.primary.id = 'gid://shopify/Location/2'
  expect(await check()).toMatchObject({ outcome: 'same', differences: [] })
})

it('pieces of paid and unpaid orders of the shop do not count as a difference of the stock', async () => {
  // The event about this order is lost.
  buy('1', 2)
  expect(await check()).toMatchObject({ outcome: 'same', differences: [] })
  expect(await ordersOf(app)).toHaveLength(1)
  app.clock.advance(MINUTE_MS)
  await app.shop.shopStock.run()
  expect(stockThere()).toBe(7)
  // Unpaid orders are not imported. Here, they fill more than one page, and one of them has more than one page of
  // lines.
  await adjust(23)
  await app.shop.shopStock.run()
  for (let number = 2; number <= 24; number += 1) buy(String(number), 1, { more: UNPAID })
  buy('25', 3, { more: UNPAID, lines: 24 })
  expect(stockThere()).toBe(4)
  expect(await check()).toMatchObject({ outcome: 'same', differences: [] })
  expect(await ordersOf(app)).toHaveLength(1)
  // The shop offers the pieces of a cancelled order again. An order that was placed before our stock was sent is
  // already contained in that stock.
  shop.orders.get('25')!.node['cancelledAt'] = app.clock.now().toISOString()
  buy('26', 2, { seconds: -60, more: UNPAID })
  setStockThere(7)
  expect(await check()).toMatchObject({ outcome: 'same', differences: [] })
  // One piece less is still explained by the order that was cancelled. Later, nothing explains a difference. The clock
  // of the shop may be ten minutes behind, so the test waits for eleven.
  setStockThere(6)
  expect(await check()).toMatchObject({ outcome: 'same', differences: [] })
  app.clock.advance(11 * MINUTE_MS)
  await app.shop.shopStock.run()
  setStockThere(29)
  buy('27', 3, { more: UNPAID })
  expect(await check()).toMatchObject({ differences: [{ field: 'stock', ours: 30, theirs: 29 }] })
})

it('an accepted stock causes no difference while an unpaid order is open, or after it is paid', async () => {
  buy('1', 4, { more: UNPAID })
  setStockThere(46)
  app.clock.advance(MINUTE_MS)
  const { site_check: found, revision } = await send('check')
  expect(found).toMatchObject({ differences: [{ field: 'stock', ours: 9, theirs: 50 }] })
  await send('accept', { stock: 50 }, { 'if-match': `"${revision}"` })
  expect(await stockOf(app, item)).toMatchObject({ quantity: 50 })
  app.clock.advance(MINUTE_MS)
  expect(await check()).toMatchObject({ outcome: 'same', differences: [] })
  // An unpaid order that was placed after the acceptance counts, too.
  buy('2', 1, { more: UNPAID })
  expect(await check()).toMatchObject({ outcome: 'same', differences: [] })
  setStockThere(44)
  expect(await check()).toMatchObject({ differences: [{ field: 'stock', ours: 50, theirs: 49 }] })
  setStockThere(45)
  expect(await check()).toMatchObject({ outcome: 'same', differences: [] })
  const { node } = shop.orders.get('1')!
  node['displayFinancialStatus'] = 'PAID'
  node.updatedAt = app.clock.now().toISOString()
  expect(await check()).toMatchObject({ outcome: 'same', differences: [] })
  expect(await ordersOf(app)).toHaveLength(1)
  await adjust(1)
  app.clock.advance(MINUTE_MS)
  await app.shop.shopStock.run()
  expect(stockThere()).toBe(47)
})

it('a shop that has sold more than its stock in unpaid orders causes no stock difference', async () => {
  buy('1', 12, { more: UNPAID })
  expect(stockThere()).toBe(-3)
  expect(await check()).toMatchObject({ outcome: 'same', differences: [] })
})

it('a known difference stays listed during an outage, and none is added while orders or the stock cannot be read', async () => {
  const failing = (query: string, answer: ReturnType<typeof json>) =>
    shop.behave((response, request) =>
      (nameOf(request.body) === query ? answer : shop.take(request))(response, request),
    )
  const partly = json(200, {
    data: { product: null, location: shop.primary, orders: null },
    errors: [{ message: 'Access denied for inventoryLevel field.' }],
  })
  setStockThere(5)
  for (const answer of [json(503, { errors: 'Unavailable' }), partly]) {
    failing('Unpaid', answer)
    expect(await check()).toMatchObject({ outcome: 'same', differences: [] })
    failing('Orders', answer)
    expect(await check()).toMatchObject({ outcome: 'same', differences: [] })
  }
  failing('FindWithStock', partly)
  expect(await check()).toMatchObject({ problem: expect.stringContaining('Access denied'), differences: [] })
  shop.behave(null)
  const difference = { field: 'stock', ours: 9, theirs: 5 }
  expect(await check()).toMatchObject({ outcome: 'differs', problem: null, differences: [difference] })
  for (const [query, answer] of [
    ['FindWithStock', json(503, { errors: 'Unavailable' })],
    ['FindWithStock', partly],
    ['Unpaid', partly],
  ] as const) {
    failing(query, answer)
    expect(await check()).toMatchObject({ differences: [difference] })
  }
  // A response without quantities shows no stock.
  failing('FindWithStock', (response, request) => {
    const stock = { nodes: [{ inventoryItem: { inventoryLevel: { quantities: [] } } }] }
    const { input, handle, title, files, variants } = stored()
    const product = {
      id: stored().id,
      handle,
      title,
      onlineStoreUrl: null,
      variants: { nodes: variants },
      media: { nodes: files },
      own: { value: input['handle'] },
      sentMedia: { value: stored().metafields.get('media') },
      stock,
    }
    json(200, { data: { product, location: shop.primary } })(response, request)
  })
  expect(await check()).toMatchObject({ outcome: 'same', differences: [] })
})

it('a location that does not stock the product offers no pieces, until the product is published again', async () => {
  shop.unstocked.add(stored().id)
  expect(await check()).toMatchObject({ differences: [{ field: 'stock', ours: 9, theirs: 0 }] })
  app.clock.advance(MINUTE_MS)
  await send('publish', { again: true })
  await app.shop.shopStock.run()
  expect([stockThere(), (await check())?.outcome]).toEqual([9, 'same'])
})
