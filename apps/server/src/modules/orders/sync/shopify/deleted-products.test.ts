import { expect, it } from 'vitest'
import {
  aShopifyApp,
  act,
  orderOf,
  reportParcels,
  shopifyOrder,
  sync,
} from '../../../../../test/support/shop-apps.ts'
import { anItem } from '../../../../../test/support/stock-factories.ts'
import { sendWebhook, shopifyHeaders } from '../../../../../test/support/webhooks.ts'
import { type TestApp } from '../../../../../test/support/build-test-app.ts'
import { MINUTE_MS, SECOND_MS, addMs } from '../../../../platform/clock.ts'

const money = { shopMoney: { amount: '5.00' } }
const soon = (app: TestApp, seconds: number) => addMs(app.clock.now(), seconds * SECOND_MS).toISOString()

/** Returns a line of three dragons without a SKU. With `isDeleted`, the shop has deleted their product. */
const dragons = (isDeleted: boolean) => ({
  id: 'gid://shopify/LineItem/71',
  sku: null,
  name: 'Dragon',
  quantity: 3,
  currentQuantity: 3,
  originalUnitPriceSet: money,
  variant: isDeleted ? null : { id: 'gid://shopify/ProductVariant/42' },
  product: isDeleted ? null : { id: 'gid://shopify/Product/7' },
})
const GIFT = {
  id: 'gid://shopify/LineItem/72',
  sku: 'GIFT',
  name: 'Gift',
  quantity: 1,
  currentQuantity: 1,
  originalUnitPriceSet: money,
}

/** Imports an order of three dragons without a SKU, and maps their derived SKU to an item. */
async function aMappedOrder() {
  const { shop, app } = await aShopifyApp()
  const item = await anItem(app, { sku: 'DRG', quantity: 9 })
  await anItem(app, { sku: 'GIFT', quantity: 9 })
  await sync(app)
  app.clock.advance(MINUTE_MS)
  const open = [
    { id: 'line', sku: '', remainingQuantity: 3, lineItem: dragons(false) },
    { id: 'gift', sku: 'GIFT', remainingQuantity: 1 },
  ]
  const change = (isDeleted: boolean, seconds: number, more: object = {}) => {
    const known = shop.orders.get('7')
    const dragon = { ...dragons(isDeleted), ...more }
    for (const line of open.slice(0, 1)) Object.assign(line, { lineItem: dragon })
    const node = shopifyOrder('7', {
      createdAt: soon(app, 1),
      updatedAt: soon(app, seconds),
      displayFulfillmentStatus: known?.fulfillments.length ? 'PARTIALLY_FULFILLED' : 'UNFULFILLED',
      lineItems: { nodes: [dragon, GIFT] },
    })
    shop.orders.set('7', { node, open, fulfillments: known?.fulfillments ?? [] })
  }
  change(false, 2)
  expect(await sync(app)).toMatchObject({ created: 1, failed: [] })
  const answer = await app.http.inject({
    method: 'POST',
    url: '/api/orders/unknown-skus/map',
    headers: await app.as('staff'),
    payload: { sku: 'shopify:42', items: [{ inventory_item_id: item, quantity: 1 }] },
  })
  expect(answer.statusCode, answer.body).toBe(200)
  return { shop, app, item, open, change }
}

const shipDragons = async (app: TestApp, quantity: number) => {
  const { id, items } = await orderOf(app)
  await act(app, id, 'ship', { items: [{ line_id: items[0]?.id, quantity }] })
  await reportParcels(app)
}

it('a Shopify line without a SKU keeps its stored SKU, its mapping and its shipped pieces after its product is deleted', async () => {
  const { app, item, open, change } = await aMappedOrder()
  await shipDragons(app, 1)
  const before = await orderOf(app)
  change(true, 4)
  expect(await sync(app)).toMatchObject({ failed: [] })
  const line = {
    id: before.items[0]?.id,
    sku: 'shopify:42',
    inventory_item_id: item,
    quantity: 3,
    shipped_quantity: 1,
  }
  expect(await orderOf(app)).toMatchObject({ items: [line, { sku: 'GIFT' }], shop_problem: null })
  expect((await orderOf(app)).items).toHaveLength(2)
  // Repeating the comparison changes nothing.
  expect(await sync(app)).toMatchObject({ created: 0, updated: 0, failed: [] })
  // The next parcel is reported for the line, although its product is deleted.
  await shipDragons(app, 1)
  expect(open).toMatchObject([{ remainingQuantity: 1 }, { remainingQuantity: 1 }])
  change(true, 8)
  expect(await sync(app)).toMatchObject({ failed: [] })
  expect((await orderOf(app)).shipments).toMatchObject([{ tell_problem: null }, { tell_problem: null }])
  expect(await orderOf(app)).toMatchObject({
    items: [{ ...line, shipped_quantity: 2 }, {}],
    shop_problem: null,
  })
  // The shop refunds all pieces of the line. The shipped pieces stay.
  change(true, 12, { currentQuantity: 0 })
  expect(await sync(app)).toMatchObject({ failed: [] })
  const { items } = await orderOf(app)
  expect(items.find(({ id }) => id === line.id)).toMatchObject({
    quantity: 2,
    refunded_quantity: 2,
    shipped_quantity: 2,
  })
})

it('an event about a Shopify line without a SKU keeps its stored SKU after its product is deleted', async () => {
  const { app } = await aMappedOrder()
  const event = JSON.stringify({
    id: 7,
    admin_graphql_api_id: 'gid://shopify/Order/7',
    name: '#7',
    created_at: soon(app, 1),
    updated_at: soon(app, 6),
    financial_status: 'paid',
    currency: 'USD',
    line_items: [
      {
        id: 71,
        sku: null,
        name: 'Dragon',
        variant_id: null,
        product_id: null,
        quantity: 3,
        current_quantity: 3,
        price: '5.00',
      },
      { id: 72, sku: 'GIFT', name: 'Gift', quantity: 1, current_quantity: 1, price: '5.00' },
    ],
    fulfillments: [
      {
        status: 'success',
        line_items: [{ id: 71, sku: null, name: 'Dragon', variant_id: null, product_id: null, quantity: 2 }],
      },
    ],
  })
  expect((await sendWebhook(app, 'shopify', event, shopifyHeaders(event))).body).toMatchObject({
    outcome: 'updated',
  })
  const { items } = await orderOf(app)
  expect(items.map(({ sku, shipped_quantity: shipped }) => [sku, shipped])).toEqual([
    ['shopify:42', 2],
    ['GIFT', 0],
  ])
})

it('a line from an earlier version is found by its name and keeps its SKU, even if its product was deleted before the update', async () => {
  const { app, change } = await aMappedOrder()
  await app.database.sql`update orders set source_told = source_told - 'line_skus'`
  await app.database.sql`update shop_readings set reader = reader - 1`
  change(true, 4)
  expect(await sync(app)).toMatchObject({ failed: [] })
  expect((await orderOf(app)).items.map(({ sku }) => sku)).toEqual(['shopify:42', 'GIFT'])
})

it('a parcel whose line the shop does not have is not marked as reported, and the order says so', async () => {
  const { shop, app, open } = await aMappedOrder()
  // An app has replaced the line in the shop's parcels by a line with another id.
  Object.assign(open[0]!, { lineItem: { id: 'gid://shopify/LineItem/99', sku: 'OTHER', name: 'Other' } })
  await shipDragons(app, 1)
  expect(shop.orders.get('7')?.fulfillments).toEqual([])
  expect((await orderOf(app)).shipments).toMatchObject([
    {
      told_at: null,
      tell_problem: 'The shop has no line for 1 of “Dragon”. Please mark these pieces as sent there.',
    },
  ])
})
