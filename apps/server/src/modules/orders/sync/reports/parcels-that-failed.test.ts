import { expect, it } from 'vitest'
import { answering, json } from '../../../../../test/servers/main-site-server.ts'
import type { ShopifyOrder } from '../../../../../test/servers/shopify-parcels.ts'
import {
  aShopifyApp,
  aWooApp,
  act,
  orderOf,
  reportParcels,
  shopifyOrder,
  sync,
  wooOrder,
} from '../../../../../test/support/shop-apps.ts'
import { anItem } from '../../../../../test/support/stock-factories.ts'
import { MINUTE_MS } from '../../../../platform/clock.ts'

/** Pause after which a failed parcel is reported again if a later parcel of its order was reported first. */
const OVERTAKEN_MS = 10 * MINUTE_MS

/** Imports an order with one piece of each SKU from Shopify, and ships each piece in a separate parcel. */
async function shipEach(skus: readonly string[], parcels: NonNullable<ShopifyOrder['parcels']> = {}) {
  const { shop, app } = await aShopifyApp()
  const line = { quantity: 1, currentQuantity: 1, originalUnitPriceSet: { shopMoney: { amount: '5.00' } } }
  const order: ShopifyOrder = {
    node: shopifyOrder('7', { lineItems: { nodes: skus.map((sku) => ({ ...line, sku, name: sku })) } }),
    open: skus.map((sku, index) => ({
      id: `line-${index}`,
      sku,
      remainingQuantity: 1,
      parcel: `parcel-${index}`,
    })),
    parcels,
    fulfillments: [],
  }
  for (const sku of new Set(skus)) await anItem(app, { sku, quantity: 5 })
  shop.orders.set('7', order)
  await sync(app)
  const { id, items } = await orderOf(app)
  for (const [index, sku] of skus.entries()) {
    const ofSku = items.filter((each) => each.sku === sku)
    const earlier = skus.slice(0, index).filter((each) => each === sku).length
    await act(app, id, 'ship', {
      items: [{ line_id: (ofSku[earlier] ?? ofSku[0])?.id, quantity: 1 }],
      tracking_number: `JD0${index + 1}`,
    })
  }
  return {
    shop,
    app,
    order,
    left: () => order.open.map(({ remainingQuantity: pieces }) => pieces),
    /** Returns the tracking numbers in the sequence in which the shop received them. */
    sent: () =>
      order.fulfillments.map(
        ({ trackingInfo }) => (trackingInfo as { number?: string } | undefined)?.number ?? null,
      ),
    reported: async () =>
      (await orderOf(app)).shipments
        .toSorted((a, b) => a.number - b.number)
        .map(({ told_at: at }) => at !== null),
  }
}

it('a parcel whose pieces a Shopify shop holds back does not stop the later parcels of its order', async () => {
  const { app, order, left, sent, reported } = await shipEach(['DRG', 'TIP'], {
    'parcel-0': { status: 'ON_HOLD' },
  })
  await reportParcels(app)
  await app.shop.shipments.run()
  expect([left(), sent(), await reported()]).toEqual([[1, 0], ['JD02'], [false, true]])
  order.parcels = {}
  // Within this pause, a replica of the previous version could still be running and must not report the parcel.
  app.clock.advance(OVERTAKEN_MS - MINUTE_MS)
  await app.shop.shipments.run()
  expect(sent()).toEqual(['JD02'])
  app.clock.advance(OVERTAKEN_MS)
  await app.shop.shipments.run()
  expect([left(), sent(), await reported()]).toEqual([
    [0, 0],
    ['JD02', 'JD01'],
    [true, true],
  ])
})

it('a later parcel with the same SKU is reported with its own pieces only, and the earlier parcel after it', async () => {
  const { shop, app, left, sent, reported } = await shipEach(['DRG', 'DRG', 'DRG'])
  let isRefused = false
  shop.behave((response, request) => {
    const isFulfil = JSON.stringify(request.body).includes('mutation Fulfil')
    const answer = isFulfil && !isRefused ? json(503, { errors: 'Down' }) : shop.take(request)
    isRefused ||= isFulfil
    answer(response, request)
  })
  await reportParcels(app)
  expect([sent(), await reported()]).toEqual([[], [false, false, false]])
  await app.shop.shipments.run()
  expect([sent(), await reported()]).toEqual([
    ['JD02', 'JD03'],
    [false, true, true],
  ])
  expect(left().reduce((sum, pieces) => sum + pieces)).toBe(1)
  app.clock.advance(OVERTAKEN_MS)
  await app.shop.shipments.run()
  expect([left(), sent(), await reported()]).toEqual([
    [0, 0, 0],
    ['JD02', 'JD03', 'JD01'],
    [true, true, true],
  ])
})

it('if the shop may have the pieces of an earlier parcel, a later parcel with the same SKU is reported after it', async () => {
  const { shop, app, left, sent, reported } = await shipEach(['DRG', 'DRG', 'TIP'])
  let isLost = false
  shop.behave((response, request) => {
    const answer = shop.take(request)
    const isFulfil = JSON.stringify(request.body).includes('mutation Fulfil')
    if (isFulfil && !isLost) {
      isLost = true
      json(503, { errors: 'Down' })(response, request)
    } else answer(response, request)
  })
  await reportParcels(app)
  // Parcel 2 fails, and parcel 3 waits for the next run.
  await app.shop.shipments.run()
  await app.shop.shipments.run()
  expect([sent(), await reported()]).toEqual([
    ['JD01', 'JD03'],
    [false, false, true],
  ])
  const second = (await orderOf(app)).shipments.find(({ number }) => number === 2)
  expect(second?.tell_problem).toContain('The shop may already count pieces of an earlier parcel')
  app.clock.advance(OVERTAKEN_MS)
  await app.shop.shipments.run()
  expect([left(), sent(), await reported()]).toEqual([
    [0, 0, 0],
    ['JD01', 'JD03', 'JD02'],
    [true, true, true],
  ])
})

it('the parcel that WooCommerce is told last completes the order, even if it is an earlier one', async () => {
  const { shop, app } = await aWooApp()
  await anItem(app, { sku: 'DRG', quantity: 5 })
  shop.orders.set(7, wooOrder(7))
  await sync(app)
  const { id, items } = await orderOf(app)
  for (const number of ['JD01', 'JD02'])
    await act(app, id, 'ship', { items: [{ line_id: items[0]?.id, quantity: 1 }], tracking_number: number })
  shop.behave((response, request) => {
    const isFirst = JSON.stringify(request.body).includes('JD01')
    const answer = isFirst ? answering(403, 'Forbidden') : shop.take(request)
    answer(response, request)
  })
  await reportParcels(app)
  await app.shop.shipments.run()
  const kept = () => {
    const { status, notes } = shop.orders.get(7) ?? { status: '', notes: [] }
    return [status, notes.map(({ note }) => note)]
  }
  expect(kept()).toEqual(['processing', [expect.stringContaining('Parcel 2:')]])
  shop.behave(null)
  app.clock.advance(OVERTAKEN_MS)
  await app.shop.shipments.run()
  expect(kept()).toEqual([
    'completed',
    [expect.stringContaining('Parcel 2:'), expect.stringContaining('Parcel 1:')],
  ])
})
