import { expect, it } from 'vitest'
import { json } from '../../../../../test/servers/main-site-server.ts'
import type { ShopifyOrder } from '../../../../../test/servers/shopify-parcels.ts'
import {
  act,
  aShopifyApp,
  orderOf,
  reportParcels,
  shopifyLine,
  shopifyOrder,
  sync,
} from '../../../../../test/support/shop-apps.ts'
import { anItem } from '../../../../../test/support/stock-factories.ts'
import { HOUR_MS, MINUTE_MS } from '../../../../platform/clock.ts'

const TRACKED = { carrier: 'DHL', tracking_number: 'JD01' }

/**
 * Starts a Shopify shop with an order of two dragons, which were shipped here with a tracking number. The shop has
 * added the fulfillment, but its response was lost. With `parcels`, the dragons are at two locations, and the response
 * for the first one is lost. With `cards`, the order also has cards, whose SKU is ignored here.
 */
async function aLostReport({
  parcels = null,
  cards = 0,
}: {
  parcels?: ShopifyOrder['parcels'] | null
  cards?: number
} = {}) {
  const { shop, app } = await aShopifyApp()
  await anItem(app, { sku: 'DRG', quantity: 5 })
  const lineItem = { ...shopifyLine('DRG', 2, '20.00'), id: 'gid://shopify/LineItem/1' }
  const places = parcels ? Object.keys(parcels) : ['parcel']
  const card = { ...shopifyLine('CARD', cards), id: 'gid://shopify/LineItem/2' }
  const order: ShopifyOrder = {
    node: shopifyOrder('7', { lineItems: { nodes: cards > 0 ? [lineItem, card] : [lineItem] } }),
    open: [
      ...places.map((parcel) => ({
        id: `line-${parcel}`,
        sku: 'DRG',
        remainingQuantity: 2 / places.length,
        parcel,
        lineItem,
      })),
      ...(cards > 0 ? [{ id: 'line-card', sku: 'CARD', remainingQuantity: cards, lineItem: card }] : []),
    ],
    parcels: parcels ?? {},
    fulfillments: [],
  }
  shop.orders.set('7', order)
  const compare = async () => {
    app.clock.advance(MINUTE_MS)
    order.node.updatedAt = app.clock.now().toISOString()
    expect(await sync(app)).toMatchObject({ failed: [] })
    return orderOf(app)
  }
  await compare()
  const { id, items } = await orderOf(app)
  if (cards > 0) {
    const ignore = {
      method: 'POST',
      url: '/api/orders/unknown-skus/ignore',
      payload: { sku: 'CARD' },
    } as const
    expect((await app.http.inject({ ...ignore, headers: await app.as('staff') })).statusCode).toBe(200)
  }
  const dragons = [{ line_id: items[0]?.id, quantity: 2 }]
  const { shipments } = await act(app, id, 'ship', { ...TRACKED, items: dragons })
  let isLost = false
  shop.behave((response, request) => {
    const answer = shop.take(request)
    const isFirst = !isLost && JSON.stringify(request.body).includes('mutation Fulfil')
    isLost ||= isFirst
    ;(isFirst ? json(503, { errors: 'Down' }) : answer)(response, request)
  })
  await reportParcels(app)
  const tryAgain = async () => {
    app.clock.advance(HOUR_MS)
    await app.shop.shipments.run()
  }
  const undo = () => act(app, id, 'undo-shipment', { shipment_id: shipments[0]?.id })
  const statuses = () => shop.fulfillmentsOf(order).map(({ status }) => status)
  return { app, order, compare, tryAgain, undo, statuses }
}

it('an undone shipment is cancelled in the shop although the response to its report was lost', async () => {
  const { compare, tryAgain, undo, statuses } = await aLostReport()
  await undo()
  expect(await compare()).toMatchObject({ shipments: [] })
  await tryAgain()
  expect(statuses()).toEqual(['CANCELLED'])
  expect(await compare()).toMatchObject({ status: 'in_progress', shop_problem: null })
})

it('a report that is repeated after a lost response adds no second fulfillment, and its undone shipment is cancelled', async () => {
  const { compare, tryAgain, undo, statuses } = await aLostReport()
  await tryAgain()
  expect(statuses()).toEqual(['SUCCESS'])
  expect(await compare()).toMatchObject({ shipments: [{ told_at: expect.any(String), tell_problem: null }] })
  await undo()
  await tryAgain()
  expect(statuses()).toEqual(['CANCELLED'])
  expect(await compare()).toMatchObject({ status: 'in_progress', shipments: [], shop_problem: null })
})

it('if only the response for one of two locations was lost, the fulfillments of both are cancelled', async () => {
  const { compare, tryAgain, undo, statuses } = await aLostReport({
    parcels: {
      here: { location: 'gid://shopify/Location/1' },
      there: { location: 'gid://shopify/Location/2' },
    },
  })
  await tryAgain()
  expect(statuses()).toEqual(['SUCCESS', 'SUCCESS'])
  await compare()
  await undo()
  await tryAgain()
  expect(statuses()).toEqual(['CANCELLED', 'CANCELLED'])
})

it('a last parcel that also contained pieces of an ignored SKU is cancelled, too', async () => {
  const { order, compare, tryAgain, undo, statuses } = await aLostReport({ cards: 3 })
  expect(order.open.map(({ remainingQuantity: left }) => left)).toEqual([0, 0])
  await undo()
  await compare()
  await tryAgain()
  expect(statuses()).toEqual(['CANCELLED'])
  expect(await compare()).toMatchObject({ status: 'in_progress', shop_problem: null })
})

it('a fulfillment with more pieces of an ignored SKU than were ordered is not cancelled', async () => {
  const { order, compare, tryAgain, undo, statuses } = await aLostReport({ cards: 3 })
  const pieces = [2, 4].map((quantity, at) => ({
    sku: at === 0 ? 'DRG' : 'CARD',
    quantity,
    lineItem: order.open[at]?.lineItem,
  }))
  order.fulfillments = []
  order.sent = [{ status: 'SUCCESS', trackingNumber: 'JD01', pieces }]
  await compare()
  await undo()
  await tryAgain()
  expect(statuses()).toEqual(['SUCCESS'])
})

it.each([
  ['another tracking number', { trackingNumber: 'JD02' }],
  ['other pieces', { pieces: [{ sku: 'DRG', quantity: 1 }] }],
  ['no tracking number', { trackingNumber: undefined }],
])('a fulfillment that the staff of the shop made with %s is not cancelled', async (_, differing) => {
  const { app, order, compare, tryAgain, undo, statuses } = await aLostReport()
  const pieces = [{ sku: 'DRG', quantity: 2, lineItem: order.open[0]?.lineItem }]
  order.fulfillments = []
  order.sent = [{ status: 'SUCCESS', trackingNumber: 'JD01', pieces, ...differing }]
  await compare()
  await undo()
  await tryAgain()
  await tryAgain()
  expect(statuses()).toEqual(['SUCCESS'])
  expect(await orderOf(app)).toMatchObject({ shipments: [] })
})
