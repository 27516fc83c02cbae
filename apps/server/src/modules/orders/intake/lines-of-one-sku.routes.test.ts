import type { Order } from '@pegasus/contracts/orders/orders'
import { expect, it } from 'vitest'
import { type TestApp, buildTestApp } from '../../../../test/support/build-test-app.ts'
import {
  act,
  aShopifyApp,
  aWooApp,
  orderOf,
  shopifyOrder,
  sync,
  wooOrder,
} from '../../../../test/support/shop-apps.ts'
import { anItem } from '../../../../test/support/stock-factories.ts'
import { MINUTE_MS } from '../../../platform/clock.ts'

const money = (amount: string) => ({ shopMoney: { amount } })
const AMOUNTS = { shipping_total: '0.00', total_tax: '0.00', discount_total: '0.00' }

/** Advances the clock by a minute and returns the time, which the next comparison covers. */
function nextMinute(app: TestApp): string {
  app.clock.advance(MINUTE_MS)
  return app.clock.now().toISOString()
}

async function shipFirst(app: TestApp): Promise<void> {
  const { id, items } = await orderOf(app)
  await act(app, id, 'ship', { items: [{ line_id: items[0]?.id, quantity: 1 }] })
}

/** The order after the shop has refunded Alice's shipped dragon. Bob's dragon is still to be shipped. */
const BOB_WAITS = {
  status: 'in_progress',
  items: [
    { name: 'Bob', unit_price: 12, quantity: 1, shipped_quantity: 0, refunded_quantity: 0 },
    { name: 'Alice', unit_price: 10, quantity: 1, shipped_quantity: 1, refunded_quantity: 1 },
  ],
  shop_problem: expect.stringMatching(/^(?!.*price).*1 × Alice/),
}

it('if Shopify refunds the shipped one of two lines with the same SKU, the other line is still to be shipped', async () => {
  const { shop, app } = await aShopifyApp()
  await anItem(app, { sku: 'DRG', quantity: 9 })
  const line = (id: number, name: string, price: string, left: number) => ({
    id: `gid://shopify/LineItem/${id}`,
    sku: 'DRG',
    name,
    quantity: 1,
    currentQuantity: left,
    originalUnitPriceSet: money(price),
  })
  const order = (total: string, alice: number) => ({
    open: [],
    fulfillments: [],
    node: shopifyOrder('1', {
      updatedAt: nextMinute(app),
      currentTotalPriceSet: money(total),
      currentTotalTaxSet: money('0.00'),
      currentTotalDiscountsSet: money('0.00'),
      currentShippingPriceSet: money('0.00'),
      lineItems: { nodes: [line(11, 'Alice', '10.00', alice), line(12, 'Bob', '12.00', 1)] },
    }),
  })
  shop.orders.set('1', order('22.00', 1))
  await sync(app)
  await shipFirst(app)
  shop.orders.set('1', order('12.00', 0))
  await sync(app)
  expect(await orderOf(app)).toMatchObject(BOB_WAITS)
})

it('if WooCommerce refunds the shipped one of two lines with the same SKU, the other line is still to be shipped', async () => {
  const { shop, app } = await aWooApp()
  await anItem(app, { sku: 'DRG', quantity: 9 })
  const line = (id: number, name: string, price: number) => ({
    id,
    sku: 'DRG',
    name,
    quantity: 1,
    price,
    subtotal: price.toFixed(2),
    total: price.toFixed(2),
  })
  const lines = [line(1, 'Alice', 10), line(2, 'Bob', 12)]
  const order = (more: object = {}) =>
    wooOrder(7, {
      ...AMOUNTS,
      total: '22.00',
      line_items: lines,
      date_modified_gmt: nextMinute(app).slice(0, -1),
      ...more,
    })
  shop.orders.set(7, order())
  await sync(app)
  await shipFirst(app)
  shop.orders.set(7, order({ refunds: [{ id: 5, reason: '', total: '-10.00' }] }))
  const refunded = {
    id: 3,
    sku: 'DRG',
    quantity: -1,
    total: '-10.00',
    total_tax: '0.00',
    meta_data: [{ id: 4, key: '_refunded_item_id', value: '1' }],
  }
  shop.refunds.set(7, [{ id: 5, reason: '', amount: '10.00', line_items: [refunded] }])
  await sync(app)
  expect(await orderOf(app)).toMatchObject(BOB_WAITS)
})

it('a line that a shop adds for a refunded line with the same SKU is a new line, which is still to be shipped', async () => {
  const { shop, app } = await aShopifyApp()
  await anItem(app, { sku: 'DRG', quantity: 9 })
  const line = (id: number, left: number) => ({
    id: `gid://shopify/LineItem/${id}`,
    sku: 'DRG',
    name: 'Dragon',
    quantity: 1,
    currentQuantity: left,
    originalUnitPriceSet: money('43.90'),
  })
  const order = (...nodes: object[]) => ({
    open: [],
    fulfillments: [],
    node: shopifyOrder('1', { updatedAt: nextMinute(app), lineItems: { nodes } }),
  })
  shop.orders.set('1', order(line(11, 1)))
  await sync(app)
  await shipFirst(app)
  shop.orders.set('1', order(line(11, 0), line(13, 1)))
  await sync(app)
  expect(await orderOf(app)).toMatchObject({
    status: 'in_progress',
    items: [
      { quantity: 1, shipped_quantity: 0 },
      { quantity: 1, shipped_quantity: 1, refunded_quantity: 1 },
    ],
  })
})

it('a person can remove or reprice an unshipped line beside a shipped line with the same SKU', async () => {
  const app = await buildTestApp()
  await anItem(app, { sku: 'DRG', quantity: 9 })
  const headers = await app.as('staff')
  const alice = { sku: 'DRG', name: 'Alice', quantity: 1, unit_price: 10 }
  const bob = { sku: 'DRG', name: 'Bob', quantity: 1, unit_price: 12 }
  const entered = await app.http.inject({
    method: 'POST',
    url: '/api/orders',
    headers,
    payload: { customer_name: 'Ada', items: [alice, bob] },
  })
  const { id, items } = entered.json<Order>()
  await act(app, id, 'ship', { items: [{ line_id: items[1]?.id, quantity: 1 }] })
  const edit = async (lines: object[]) => {
    const url = `/api/orders/${id}`
    const edited = await app.http.inject({
      method: 'PUT',
      url,
      headers: { ...headers, 'if-match': '*' },
      payload: { items: lines },
    })
    expect(edited.statusCode, edited.body).toBe(200)
    return edited.json<Order>().items
  }
  expect(await edit([bob, { ...alice, unit_price: 11 }])).toMatchObject([
    { id: items[1]?.id, shipped_quantity: 1 },
    { id: items[0]?.id, unit_price: 11 },
  ])
  expect(await edit([bob])).toMatchObject([{ id: items[1]?.id, name: 'Bob', shipped_quantity: 1 }])
})
