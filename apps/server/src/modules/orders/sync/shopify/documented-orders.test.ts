import { expect, it } from 'vitest'
import {
  act,
  aShopifyApp,
  orderOf,
  ordersOf,
  reportParcels,
  shopifyEvent,
  shopifyLine,
  shopifyOrder,
  sync,
} from '../../../../../test/support/shop-apps.ts'
import { anItem } from '../../../../../test/support/stock-factories.ts'
import { sendWebhook, shopifyHeaders } from '../../../../../test/support/webhooks.ts'
import { SECOND_MS, addMs } from '../../../../platform/clock.ts'

const money = (amount: string) => ({ shopMoney: { amount } })

it('the customer of an order without a shipping address has the name of the billing address, otherwise the email address', async () => {
  const { shop, app } = await aShopifyApp()
  const withoutAddress = { shippingAddress: null, email: 'ada@example.com' }
  shop.orders.set('7', { node: shopifyOrder('7', withoutAddress), open: [], fulfillments: [] })
  shop.orders.set('8', {
    node: shopifyOrder('8', { ...withoutAddress, billingAddress: null }),
    open: [],
    fulfillments: [],
  })
  expect(await sync(app)).toMatchObject({ created: 2, failed: [] })
  const names = async () =>
    Object.fromEntries((await ordersOf(app)).map((order) => [order.order_number, order.customer_name]))
  expect(await names()).toEqual({ 7: 'Ada Lovelace', 8: 'ada@example.com' })
  const updated_at = addMs(app.clock.now(), SECOND_MS).toISOString()
  const billing = { billing_address: { name: 'Ada Lovelace' }, customer: { first_name: 'Countess' } }
  const text = shopifyEvent({ updated_at, shipping_address: null, ...billing })
  await sendWebhook(app, 'shopify', text, shopifyHeaders(text))
  expect(await names()).toEqual({ 7: 'Ada Lovelace', 8: 'ada@example.com' })
})

it('a tip is part of the surcharge, and not a piece to pack, but gift wrap is', async () => {
  const { shop, app } = await aShopifyApp()
  await anItem(app, { sku: 'DRG', quantity: 2 })
  const line = (id: string, name: string, price: string) => ({
    ...shopifyLine('', 1, price),
    id: `gid://shopify/LineItem/${id}`,
    sku: null,
    name,
    requiresShipping: false,
  })
  const dragon = { ...shopifyLine('DRG', 2, '20.00'), id: 'gid://shopify/LineItem/1', requiresShipping: true }
  const tipped = { totalTipReceivedSet: money('5.00') }
  const total = { currentTotalPriceSet: money('52.90') }
  const lines = [dragon, line('2', 'Gift wrap', '4.00'), line('3', 'Tip', '5.00')]
  shop.orders.set('7', {
    node: shopifyOrder('7', { ...tipped, ...total, lineItems: { nodes: lines } }),
    open: [],
    fulfillments: [],
  })
  // Two tips, for example one that was given after the purchase, have one sum.
  const twoTips = [dragon, line('2', 'Tip', '2.00'), line('3', 'Tip', '3.00')]
  shop.orders.set('8', {
    node: shopifyOrder('8', {
      ...tipped,
      currentTotalPriceSet: money('48.90'),
      lineItems: { nodes: twoTips },
    }),
    open: [],
    fulfillments: [],
  })
  expect(await sync(app)).toMatchObject({ created: 2, failed: [] })
  const orders = Object.fromEntries((await ordersOf(app)).map((order) => [order.order_number, order]))
  expect(orders['8']).toMatchObject({ surcharge_amount: 5, items: [{ sku: 'DRG', quantity: 2 }] })
  expect(orders['8']?.items).toHaveLength(1)
  const known = { surcharge_amount: 5, items: [{ sku: 'DRG' }, { sku: 'shopify:gift wrap', unit_price: 4 }] }
  expect(orders['7']).toMatchObject(known)
  expect(orders['7']?.items).toHaveLength(2)
  const asEvent = (id: number, name: string, price: string) => ({
    id,
    sku: null,
    name,
    quantity: 1,
    current_quantity: 1,
    price,
    variant_id: null,
    product_id: null,
    requires_shipping: false,
  })
  const text = shopifyEvent({
    updated_at: addMs(app.clock.now(), SECOND_MS).toISOString(),
    note: 'Hurry',
    current_total_price: '52.90',
    current_total_discounts: '4.00',
    total_tip_received: '5.00',
    current_shipping_price_set: { shop_money: { amount: '4.90' } },
    line_items: [
      { id: 1, sku: 'DRG', name: 'DRG', quantity: 2, current_quantity: 2, price: '20.00' },
      asEvent(2, 'Gift wrap', '4.00'),
      asEvent(3, 'Tip', '5.00'),
    ],
  })
  expect((await sendWebhook(app, 'shopify', text, shopifyHeaders(text))).body.outcome).toBe('updated')
  const after = (await ordersOf(app)).find((order) => order.order_number === '7')
  expect(after).toMatchObject({ ...known, notes: 'Hurry' })
  expect(after?.items).toHaveLength(2)
})

it('a shipment of more lines than a fulfillment can have is reported as several fulfillments', async () => {
  const { shop, app } = await aShopifyApp()
  const lines = Array.from({ length: 600 }, (_, index) => ({
    ...shopifyLine('DRG', 1, '1.00'),
    id: `gid://shopify/LineItem/${index}`,
  }))
  await anItem(app, { sku: 'DRG', quantity: 600 })
  const at = app.clock.now().toISOString()
  await sync(app)
  shop.orders.set('7', {
    node: shopifyOrder('7', { createdAt: at, updatedAt: at, lineItems: { nodes: lines } }),
    open: lines.map((line) => ({ id: line.id, sku: 'DRG', remainingQuantity: 1, lineItem: line })),
    fulfillments: [],
  })
  await sync(app)
  await act(app, (await orderOf(app)).id, 'ship')
  await reportParcels(app)
  expect(await orderOf(app)).toMatchObject({
    shipments: [{ told_at: expect.any(String), tell_problem: null }],
  })
  const sizes = shop.orders
    .get('7')
    ?.fulfillments.map((given) => JSON.stringify(given).split('"quantity"').length - 1)
  expect(sizes).toEqual([512, 88])
})

it.each([null, 'restocked'])(
  'an event about a full refund cancels an order of which nothing was sent (%s), and its lines keep their amounts',
  async (fulfillment_status) => {
    const { shop, app } = await aShopifyApp()
    shop.orders.set('7', { node: shopifyOrder('7'), open: [], fulfillments: [] })
    await sync(app)
    const text = shopifyEvent({
      updated_at: addMs(app.clock.now(), SECOND_MS).toISOString(),
      financial_status: 'refunded',
      fulfillment_status,
      current_total_price: '43.90',
      current_total_discounts: '4.00',
      current_shipping_price_set: { shop_money: { amount: '4.90' } },
      refunds: [
        { order_adjustments: [{ kind: 'refund_discrepancy', amount: '-43.90', tax_amount: '0.00' }] },
      ],
    })
    expect((await sendWebhook(app, 'shopify', text, shopifyHeaders(text))).body.outcome).toBe('updated')
    expect(await orderOf(app)).toMatchObject({ status: 'cancelled', total_amount: 43.9, discount_amount: 4 })
  },
)
