import { beforeEach, expect, it } from 'vitest'
import { json } from '../../../../../test/servers/main-site-server.ts'
import type { ShopifyOrder } from '../../../../../test/servers/shopify-parcels.ts'
import type { ShopifyShop } from '../../../../../test/servers/shopify-server.ts'
import type { TestApp } from '../../../../../test/support/build-test-app.ts'
import {
  aShopifyApp,
  act,
  orderOf,
  reportParcels,
  shopifyOrder,
  sync,
} from '../../../../../test/support/shop-apps.ts'
import { anItem } from '../../../../../test/support/stock-factories.ts'
import { MINUTE_MS } from '../../../../platform/clock.ts'

let shop: ShopifyShop
let app: TestApp
let order: ShopifyOrder

/** Imports an order of two pieces, which Shopify divides into two parcels, ships it, and reports it. */
async function shipFrom(parcels: NonNullable<ShopifyOrder['parcels']>) {
  order = {
    node: shopifyOrder('7'),
    open: [
      { id: 'line-1', sku: 'DRG', remainingQuantity: 1, parcel: 'first' },
      { id: 'line-2', sku: 'DRG', remainingQuantity: 1, parcel: 'second' },
    ],
    parcels,
    fulfillments: [],
  }
  shop.orders.set('7', order)
  await sync(app)
  await act(app, (await orderOf(app)).id, 'ship')
  await reportParcels(app)
}

/** Waits until the pause after a failure is over, and reports again. */
async function reportAgain() {
  app.clock.advance(MINUTE_MS)
  await app.shop.shipments.run()
}

const shipmentOf = async () => (await orderOf(app)).shipments[0]
const left = () => order.open.map(({ remainingQuantity: pieces }) => pieces)

beforeEach(async () => {
  ;({ shop, app } = await aShopifyApp())
  await anItem(app, { sku: 'DRG', quantity: 5 })
})

it.each(['ON_HOLD', 'SCHEDULED'])(
  'pieces that a Shopify shop holds back (%s) are reported after it releases them',
  async (status) => {
    await shipFrom({ second: { status } })
    expect(left()).toEqual([0, 1])
    expect(await shipmentOf()).toMatchObject({
      told_at: null,
      tell_problem: expect.stringContaining('The shop holds back pieces of this parcel.'),
    })
    await reportAgain()
    expect([left(), order.fulfillments.length]).toEqual([[0, 1], 1])
    order.parcels = {}
    await reportAgain()
    expect([left(), order.fulfillments.length]).toEqual([[0, 0], 2])
    expect(await shipmentOf()).toMatchObject({ told_at: expect.any(String), tell_problem: null })
  },
)

it('a parcel across two locations of a Shopify shop is reported with one call for each of them', async () => {
  await shipFrom({ second: { location: 'gid://shopify/Location/2' } })
  expect([left(), order.fulfillments.length]).toEqual([[0, 0], 2])
  expect(await shipmentOf()).toMatchObject({ told_at: expect.any(String), tell_problem: null })
})

it('after the call for the second location failed, only its pieces are reported again', async () => {
  let calls = 0
  shop.behave((response, request) => {
    const isFulfil = String((request.body as { query?: string } | null)?.query).startsWith('mutation Fulfil')
    if (isFulfil) calls += 1
    const answer = isFulfil && calls === 2 ? json(503, { errors: 'Down' }) : shop.take(request)
    answer(response, request)
  })
  await shipFrom({ second: { location: 'gid://shopify/Location/2' } })
  expect(left()).toEqual([0, 1])
  expect(await shipmentOf()).toMatchObject({ told_at: null, tell_problem: expect.any(String) })
  await reportAgain()
  expect([left(), order.fulfillments.length, calls]).toEqual([[0, 0], 2, 3])
  expect(await shipmentOf()).toMatchObject({ told_at: expect.any(String), tell_problem: null })
})

/** Makes the shop refuse some of the calls that send pieces. `refused` contains their numbers, from 1. */
function refuseCalls(...refused: number[]): void {
  let calls = 0
  shop.behave((response, request) => {
    const isFulfil = String((request.body as { query?: string } | null)?.query).startsWith('mutation Fulfil')
    if (isFulfil) calls += 1
    const answer = isFulfil && refused.includes(calls) ? json(503, { errors: 'Down' }) : shop.take(request)
    answer(response, request)
  })
}

const takeBack = async () => {
  const { id, shipments } = await orderOf(app)
  return act(app, id, 'undo-shipment', { shipment_id: shipments[0]?.id })
}

it('after a report reached only one of two locations, taking the parcel back says what the shop still shows', async () => {
  refuseCalls(2)
  await shipFrom({ second: { location: 'gid://shopify/Location/2' } })
  expect(await shipmentOf()).toMatchObject({ told_at: null, is_partly_told: true })
  expect(await takeBack()).toMatchObject({
    shipments: [],
    shop_problem:
      'The shop was told of a part of parcel 1, which was undone here, and still shows that part as sent. Ship the pieces again, or change the order in the shop.',
  })
  shop.behave(null)
  await sync(app)
  const { id, shop_problem: problem } = await orderOf(app)
  expect(problem).toContain('a part of parcel 1')
  // The shop now expects only the second piece.
  expect(await act(app, id, 'ship')).toMatchObject({ shop_problem: null })
  await reportAgain()
  expect([left(), order.fulfillments.length]).toEqual([[0, 0], 2])
  expect(await shipmentOf()).toMatchObject({ told_at: expect.any(String), is_partly_told: false })
})

it('a parcel is partly reported if the shop holds back some of its pieces, not if nothing reached it', async () => {
  refuseCalls(1)
  await shipFrom({ second: { status: 'ON_HOLD' } })
  expect(await shipmentOf()).toMatchObject({ tell_problem: expect.any(String), is_partly_told: false })
  await reportAgain()
  expect(await shipmentOf()).toMatchObject({ told_at: null, is_partly_told: true })
  // Later reports add nothing, but the parcel stays partly reported.
  await reportAgain()
  expect(await shipmentOf()).toMatchObject({ told_at: null, is_partly_told: true })
})

it('taking back a parcel after a report that did not reach the shop leaves no problem', async () => {
  refuseCalls(1)
  await shipFrom({ second: { location: 'gid://shopify/Location/2' } })
  expect(await takeBack()).toMatchObject({ shipments: [], shop_problem: null })
})

it('a parcel is reported although a Shopify shop holds back a line that is not in it', async () => {
  const line = { quantity: 1, currentQuantity: 1, originalUnitPriceSet: { shopMoney: { amount: '5.00' } } }
  const nodes = [
    { ...line, sku: 'DRG', name: 'Dragon' },
    { ...line, sku: 'TIP', name: 'Tip' },
  ]
  order = {
    node: shopifyOrder('7', { lineItems: { nodes } }),
    open: [
      { id: 'line-1', sku: 'DRG', remainingQuantity: 1, parcel: 'first' },
      { id: 'line-2', sku: 'TIP', remainingQuantity: 1, parcel: 'second' },
    ],
    parcels: { second: { status: 'ON_HOLD' } },
    fulfillments: [],
  }
  shop.orders.set('7', order)
  await sync(app)
  const headers = await app.as('staff')
  const ignore = { method: 'POST', url: '/api/orders/unknown-skus/ignore', payload: { sku: 'TIP' } } as const
  expect((await app.http.inject({ ...ignore, headers })).statusCode).toBeLessThan(300)
  const { id, items } = await orderOf(app)
  const dragons = items.filter(({ sku }) => sku === 'DRG').map((each) => ({ line_id: each.id, quantity: 1 }))
  await act(app, id, 'ship', { items: dragons })
  await reportParcels(app)
  expect([left(), order.fulfillments.length]).toEqual([[0, 1], 1])
  expect(await shipmentOf()).toMatchObject({ told_at: expect.any(String), tell_problem: null })
})
