import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { json } from '../../../../../test/servers/main-site-server.ts'
import { SHOPIFY_TOKEN, type ShopifyShop, throttled } from '../../../../../test/servers/shopify-server.ts'
import type { TestApp } from '../../../../../test/support/build-test-app.ts'
import { aShopifyApp, ordersOf, shopifyOrder, sync } from '../../../../../test/support/shop-apps.ts'
import { SECOND_MS } from '../../../../platform/clock.ts'
import { createShopifySite } from './shopify-site.ts'

const money = (amount: string) => ({ shopMoney: { amount } })

/** Returns `count` order lines of one piece each. Line n has the SKU `S-n`. */
const manyLines = (count: number) => ({
  nodes: Array.from({ length: count }, (_, index) => ({
    sku: `S-${index}`,
    name: `Piece ${index}`,
    quantity: 1,
    currentQuantity: 1,
    originalUnitPriceSet: money('1.00'),
  })),
})

/** Adds an order to the shop whose pieces were all sent, in several parcels with some lines each. */
function addSentOrder(
  shop: ShopifyShop,
  id: string,
  { lines = 1, inParcel = lines, more = {} }: { lines?: number; inParcel?: number; more?: object } = {},
) {
  const pieces = Array.from({ length: lines }, (_, index) => ({ sku: `S-${index}`, quantity: 1 }))
  const parcels = Math.ceil(lines / inParcel)
  shop.orders.set(id, {
    node: shopifyOrder(id, {
      displayFulfillmentStatus: 'FULFILLED',
      lineItems: manyLines(lines),
      ...more,
    }),
    open: [],
    fulfillments: [],
    sent: Array.from({ length: parcels }, (_, index) => ({
      status: 'SUCCESS' as const,
      pieces: pieces.slice(index * inParcel, (index + 1) * inParcel),
    })),
  })
}

const nameOf = (body: unknown) => /^\w+ (\w+)/.exec(String((body as { query?: string }).query))?.[1]

/** Returns how often the shop got each query, not counting the first `since` requests. */
function callsOf(shop: ShopifyShop, since = 0): Record<string, number> {
  const calls: Record<string, number> = {}
  for (const { body } of shop.requests.slice(since)) {
    const name = nameOf(body) ?? ''
    calls[name] = (calls[name] ?? 0) + 1
  }
  return calls
}

/** Returns the number of pieces of each SKU that the shop counts as sent, by order number. */
async function sentOf({ database: { sql } }: TestApp): Promise<Map<string, number[]>> {
  const rows = await sql<{ order_number: string; sent: { quantity: number }[] }[]>`
    select order_number, source_told->'sent_pieces' as sent from orders`
  return new Map(rows.map((row) => [row.order_number, row.sent.map(({ quantity }) => quantity)]))
}

let shop: ShopifyShop
let app: TestApp
beforeEach(async () => {
  ;({ shop, app } = await aShopifyApp())
})
afterEach(() => {
  vi.useRealTimers()
})

it('a comparison asks for the parcels of many sent orders at once, and for nothing of unpaid orders', async () => {
  for (let id = 1; id <= 120; id += 1) addSentOrder(shop, String(id))
  for (let id = 121; id <= 150; id += 1)
    addSentOrder(shop, String(id), {
      more: { displayFinancialStatus: 'PENDING', displayFulfillmentStatus: 'PARTIALLY_FULFILLED' },
    })
  expect(await sync(app)).toMatchObject({ created: 120, failed: [] })
  // The orders come in 15 pages of 10. For each page with sent orders, one call reads the parcels, and one reads the
  // fees.
  expect(callsOf(shop)).toEqual({ Orders: 15, Fulfillments: 12, Fees: 12 })
  const asked = shop.requests
    .filter(({ body }) => nameOf(body) === 'Fulfillments')
    .flatMap(({ body }) => (body as { variables: { ids: string[] } }).variables.ids)
  expect(asked).toHaveLength(120)
  expect(new Set(asked).size).toBe(120)
  expect(await sentOf(app)).toEqual(
    new Map(Array.from({ length: 120 }, (_, index) => [String(index + 1), [1]])),
  )
})

it('the parcels of orders with many parcels or many lines are read completely, in a few more calls', async () => {
  addSentOrder(shop, '1', { lines: 5, inParcel: 1 })
  addSentOrder(shop, '2', { lines: 43 })
  for (let id = 3; id <= 12; id += 1) addSentOrder(shop, String(id), { lines: 7 })
  expect(await sync(app)).toMatchObject({ created: 12, failed: [] })
  const sent = await sentOf(app)
  const ones = (count: number) => Array.from({ length: count }, () => 1)
  expect(sent.get('1')).toEqual(ones(5))
  expect(sent.get('2')).toEqual(ones(43))
  for (let id = 3; id <= 12; id += 1) expect(sent.get(String(id))).toEqual(ones(7))
  expect(callsOf(shop)).toMatchObject({
    Fulfillments: 2,
    AllFulfillments: 1,
    LongFulfillments: 3,
    FulfillmentLines: 2,
  })
})

it('a throttled call for parcels is repeated, and after an incomplete response the next comparison reads the page again', async () => {
  for (let id = 1; id <= 30; id += 1) addSentOrder(shop, String(id))
  let refusals = 1
  shop.behave((response, request) => {
    const isRefused = nameOf(request.body) === 'Fulfillments' && refusals > 0
    if (isRefused) refusals -= 1
    const answer = isRefused ? throttled({ lacking: 5 }) : shop.take(request)
    answer(response, request)
  })
  expect(await sync(app)).toMatchObject({ created: 30, failed: [] })
  expect(callsOf(shop)).toMatchObject({ Fulfillments: 4 })

  addSentOrder(shop, '31', { more: { updatedAt: app.clock.now().toISOString() } })
  const node = { id: 'gid://shopify/Order/31' }
  for (const answer of [
    json(429, { errors: 'Exceeded limit' }),
    json(200, { data: { nodes: [node] }, errors: [{ message: 'Internal error' }] }),
    json(200, { data: { nodes: [null] } }),
    json(200, { data: { nodes: [node] } }),
  ]) {
    shop.behave((response, request) =>
      (nameOf(request.body) === 'Fulfillments' ? answer : shop.take(request))(response, request),
    )
    expect(await sync(app)).toMatchObject({ code: 'main_site_failed' })
    expect(await ordersOf(app)).toHaveLength(30)
  }
  shop.behave(null)
  expect(await sync(app)).toMatchObject({ created: 1, failed: [] })
})

/**
 * Lists the first page of orders. Each call for parcels or further lines seems to take this number of seconds, without
 * a real wait.
 */
async function listSlowly(seconds: number) {
  // Only the clock for time limits is replaced, so that a slow machine does not affect the result.
  vi.useFakeTimers({ toFake: ['performance'] })
  shop.behave((response, request) => {
    if (['AllFulfillments', 'FulfillmentLines'].includes(nameOf(request.body) ?? ''))
      vi.advanceTimersByTime(seconds * SECOND_MS)
    shop.take(request)(response, request)
  })
  const options = { url: shop.url, accessToken: SHOPIFY_TOKEN, webhookSecret: null }
  return createShopifySite(options).orders.list(new Date(0), null)
}

it('each call for a page of orders has a time limit of its own, so that a slow page is read completely', async () => {
  for (let id = 1; id <= 10; id += 1) addSentOrder(shop, String(id), { lines: 3, inParcel: 1 })
  const page = await listSlowly(14)
  expect(page).toMatchObject({ ok: true, orders: Array.from({ length: 10 }, () => ({})) })
  expect(callsOf(shop)).toMatchObject({ AllFulfillments: 10 })
})

it('the calls for a page of orders end after five minutes', async () => {
  // The first call reads 40 lines of the parcel. The later calls read two each here.
  addSentOrder(shop, '1', { lines: 100 })
  expect(await listSlowly(14)).toMatchObject({ ok: false, message: expect.stringContaining('5 minutes') })
  expect(callsOf(shop)).toMatchObject({ FulfillmentLines: 22 })
})

it('a page of orders that takes its whole time limit does not lose the fees', async () => {
  const fees = [{ amount: { amount: '1.73', currencyCode: 'USD' } }]
  const more = { transactions: [{ status: 'SUCCESS', fees }] }
  addSentOrder(shop, '1', { lines: 84, more })
  expect(await listSlowly(14)).toMatchObject({ ok: true, orders: [{ fee_amount: 1.73 }] })
  expect(callsOf(shop)).toMatchObject({ FulfillmentLines: 22 })
})

it.each([[null], [undefined], [{ count: null }]])(
  'all parcels of an order are read if the shop reports %j as their number',
  async (fulfillmentsCount) => {
    addSentOrder(shop, '1', { lines: 3, inParcel: 1 })
    const first = [0, 1].map((index) => ({
      id: `gid://shopify/Fulfillment/1-${index}`,
      status: 'SUCCESS',
      fulfillmentLineItems: {
        nodes: [{ quantity: 1, lineItem: { sku: `S-${index}` } }],
        pageInfo: { hasNextPage: false, endCursor: null },
      },
    }))
    const node = { id: 'gid://shopify/Order/1', fulfillmentsCount, fulfillments: first }
    shop.behave((response, request) =>
      (nameOf(request.body) === 'Fulfillments' ? json(200, { data: { nodes: [node] } }) : shop.take(request))(
        response,
        request,
      ),
    )
    expect(await sync(app)).toMatchObject({ created: 1, failed: [] })
    expect((await sentOf(app)).get('1')).toEqual([1, 1, 1])
  },
)
