import { expect, it } from 'vitest'
import {
  act,
  aShopifyApp,
  orderOf,
  reportParcels,
  shopifyLine,
  shopifyOrder,
  stockOf,
  sync,
} from '../../../../../test/support/shop-apps.ts'
import { anItem } from '../../../../../test/support/stock-factories.ts'
import { MINUTE_MS } from '../../../../platform/clock.ts'

/** Imports an order of one dragon, which is in stock, and two cards, whose SKU is unknown here. */
async function aDragonWithCards() {
  const { shop, app } = await aShopifyApp()
  const dragon = await anItem(app, { sku: 'DRG', quantity: 5 })
  const card = await anItem(app, { sku: 'PAPER', quantity: 5 })
  await sync(app)
  app.clock.advance(MINUTE_MS)
  const lines = [shopifyLine('DRG', 1), shopifyLine('CARD', 2)]
  const open = lines.map(({ sku, quantity }) => ({ id: `line-${sku}`, sku, remainingQuantity: quantity }))
  const node = shopifyOrder('7', {
    createdAt: app.clock.now().toISOString(),
    updatedAt: app.clock.now().toISOString(),
    lineItems: { nodes: lines },
  })
  shop.orders.set('7', { node, open, fulfillments: [], sent: [] })
  expect(await sync(app)).toMatchObject({ created: 1, failed: [] })
  const decide = async (what: 'ignore' | 'map', more: object = {}) => {
    const url = `/api/orders/unknown-skus/${what}`
    const payload = { sku: 'CARD', ...more }
    expect(
      (await app.http.inject({ method: 'POST', url, headers: await app.as('staff'), payload })).statusCode,
    ).toBe(200)
  }
  const { id, items } = await orderOf(app)
  const shipDragon = () => act(app, id, 'ship', { items: [{ line_id: items[0]?.id, quantity: 1 }] })
  /** Changes the order in the shop, runs a comparison, and returns the order. */
  const change = async (more: object = {}) => {
    app.clock.advance(MINUTE_MS)
    Object.assign(node, { updatedAt: app.clock.now().toISOString(), ...more })
    expect(await sync(app)).toMatchObject({ failed: [] })
    return orderOf(app)
  }
  const mapCard = () => decide('map', { items: [{ inventory_item_id: card, quantity: 1 }] })
  const sendThere = (sku: string, quantity: number) => {
    shop.orders.get('7')?.sent?.push({ status: 'SUCCESS', pieces: [{ sku, quantity }] })
    const line = open.find((each) => each.sku === sku)
    if (line) line.remainingQuantity -= quantity
  }
  const ignoreCard = () => decide('ignore')
  return { shop, app, id, dragon, card, lines, open, shipDragon, change, ignoreCard, mapCard, sendThere }
}

const FULFILLED = { displayFulfillmentStatus: 'FULFILLED' }
const PARTLY = { displayFulfillmentStatus: 'PARTIALLY_FULFILLED' }

/**
 * Ships the dragon. The report also marks the cards as sent in the shop, because their SKU is ignored. Then the shop
 * adds a dragon, so that the order is open again.
 */
async function anOpenOrderWithCardsSentByReport() {
  const order = await aDragonWithCards()
  const { app, lines, open, shipDragon, ignoreCard, change } = order
  await ignoreCard()
  await shipDragon()
  await reportParcels(app)
  expect(open).toMatchObject([{ remainingQuantity: 0 }, { remainingQuantity: 0 }])
  expect(await change(FULFILLED)).toMatchObject({ status: 'completed' })
  Object.assign(lines[0] ?? {}, { quantity: 2, currentQuantity: 2 })
  Object.assign(open[0] ?? {}, { remainingQuantity: 1 })
  expect(await change(PARTLY)).toMatchObject({ status: 'in_progress' })
  return order
}

it('ignored pieces that our report sent in Shopify never count as sent by its staff, even once their SKU is mapped', async () => {
  const { app, id, card, open, change, mapCard } = await anOpenOrderWithCardsSentByReport()
  const unsent = [
    { sku: 'DRG', shipped_quantity: 1 },
    { sku: 'CARD', shipped_quantity: 0 },
  ]
  expect(await orderOf(app)).toMatchObject({ items: unsent, shipments: [{ number: 1 }] })
  await mapCard()
  expect(await orderOf(app)).toMatchObject({ status: 'in_progress', items: unsent })
  expect(await stockOf(app, card)).toEqual({ quantity: 5, reserved: 0 })
  expect(await change()).toMatchObject({ status: 'in_progress', items: unsent })
  // The shop already counts these pieces, which are now shipped here.
  expect(await act(app, id, 'ship')).toMatchObject({ status: 'completed' })
  await reportParcels(app)
  expect(await change(FULFILLED)).toMatchObject({ status: 'completed', shop_problem: null })
  expect(await stockOf(app, card)).toEqual({ quantity: 3, reserved: 0 })
  expect(open).toMatchObject([{ remainingQuantity: 0 }, { remainingQuantity: 0 }])
})

it('an order that is open again because its SKU is no longer ignored still has its pieces to ship', async () => {
  const { app, dragon, card, open, shipDragon, change, ignoreCard, mapCard } = await aDragonWithCards()
  await shipDragon()
  await reportParcels(app)
  await ignoreCard()
  await reportParcels(app)
  expect(open).toMatchObject([{ remainingQuantity: 0 }, { remainingQuantity: 0 }])
  await change(FULFILLED)
  await mapCard()
  const unsent = { status: 'in_progress', items: [{ shipped_quantity: 1 }, { shipped_quantity: 0 }] }
  expect(await orderOf(app)).toMatchObject(unsent)
  expect(await change()).toMatchObject(unsent)
  expect(await stockOf(app, dragon)).toEqual({ quantity: 4, reserved: 0 })
  expect(await stockOf(app, card)).toEqual({ quantity: 5, reserved: 0 })
})

it('pieces that the staff of the shop send after our report was cancelled there are booked as theirs', async () => {
  const { shop, app, card, open, change, mapCard, sendThere } = await anOpenOrderWithCardsSentByReport()
  await mapCard()
  // The shop's staff cancel the part of our parcel with the cards.
  const ours = shop.orders.get('7')?.fulfillments[0] as {
    lineItemsByFulfillmentOrder: { fulfillmentOrderLineItems: { id: string }[] }[]
  }
  for (const parcel of ours.lineItemsByFulfillmentOrder)
    parcel.fulfillmentOrderLineItems = parcel.fulfillmentOrderLineItems.filter(({ id }) => id !== 'line-CARD')
  Object.assign(open[1] ?? {}, { remainingQuantity: 2 })
  expect(await change()).toMatchObject({ items: [{ shipped_quantity: 1 }, { shipped_quantity: 0 }] })
  sendThere('CARD', 1)
  expect(await change()).toMatchObject({ items: [{ shipped_quantity: 1 }, { shipped_quantity: 1 }] })
  expect(await stockOf(app, card)).toEqual({ quantity: 4, reserved: 0 })
})

it('ignored pieces that the staff of the shop sent before our report still count as theirs', async () => {
  const { app, card, open, shipDragon, change, ignoreCard, mapCard, sendThere } = await aDragonWithCards()
  await shipDragon()
  await reportParcels(app)
  sendThere('CARD', 1)
  await ignoreCard()
  await reportParcels(app)
  expect(open).toMatchObject([{ remainingQuantity: 0 }, { remainingQuantity: 0 }])
  await change(FULFILLED)
  await mapCard()
  expect((await orderOf(app)).status).toBe('in_progress')
  expect(await stockOf(app, card)).toEqual({ quantity: 4, reserved: 0 })
})

it('ignored pieces are marked as sent in Shopify, too, after its staff sent the other pieces of the order', async () => {
  const { shop, app, open, change, ignoreCard, sendThere } = await aDragonWithCards()
  await ignoreCard()
  sendThere('DRG', 1)
  expect(await change(PARTLY)).toMatchObject({ status: 'completed' })
  await reportParcels(app)
  expect(open).toMatchObject([{ remainingQuantity: 0 }, { remainingQuantity: 0 }])
  expect(shop.orders.get('7')?.fulfillments).toHaveLength(1)
  // The shop now counts the cards as sent, but they are not booked as shipped here.
  expect(await change(FULFILLED)).toMatchObject({
    status: 'completed',
    shop_problem: null,
    items: [{ shipped_quantity: 1 }, { shipped_quantity: 0 }],
  })
})
