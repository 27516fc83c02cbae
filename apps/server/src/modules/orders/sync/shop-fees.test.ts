import { expect, it } from 'vitest'
import { json } from '../../../../test/servers/main-site-server.ts'
import {
  act,
  aShopifyApp,
  aWooApp,
  ordersOf,
  shopifyOrder,
  sync,
  wooOrder,
} from '../../../../test/support/shop-apps.ts'
import type { TestApp } from '../../../../test/support/build-test-app.ts'
import { anItem } from '../../../../test/support/stock-factories.ts'
import { sendWebhook, shopifyHeaders } from '../../../../test/support/webhooks.ts'
import { SECOND_MS, addMs } from '../../../platform/clock.ts'

/** Returns the difference between the total and the sum of lines, shipping, surcharges, tax and discount. */
const unexplained = async (app: TestApp) => {
  const order = (await ordersOf(app))[0]!
  const lines = order.items.reduce((sum, line) => sum + line.quantity * line.unit_price, 0)
  const { shipping_amount: shipping, surcharge_amount: surcharges, tax_amount: tax } = order
  const sum = lines + (shipping ?? 0) + (surcharges ?? 0) + (tax ?? 0) - (order.discount_amount ?? 0)
  return Math.round((order.total_amount - sum) * 100) / 100
}

const stripe = (fee: string, currency = 'USD') => [
  { id: 1, key: '_stripe_fee', value: fee },
  { id: 2, key: '_stripe_currency', value: currency },
]

it.each([
  ['Stripe', stripe('1.73'), 1.73],
  ['WooPayments', [{ id: 1, key: '_wcpay_transaction_fee', value: 1.2 }], 1.2],
  ['PayPal', [{ id: 1, key: 'PayPal Transaction Fee', value: '2.05' }], 2.05],
  ['Stripe in the currency of the payout', stripe('1.50', 'EUR'), null],
  ['a plugin without fees', [{ id: 1, key: '_stripe_fee', value: '' }], null],
])('an order of WooCommerce has the fee of its payment from %s', async (_, metaData, fee) => {
  const { shop, app } = await aWooApp()
  shop.orders.set(7, wooOrder(7, { meta_data: metaData }))
  await sync(app)
  expect(await ordersOf(app)).toMatchObject([{ fee_amount: fee }])
})

it('the fee of a Shopify payment lowers the margin, and a fee that a person entered stays until the shop reports one', async () => {
  const { shop, app } = await aShopifyApp()
  await anItem(app, { sku: 'DRG', quantity: 9 })
  const node: Record<string, unknown> & { id: string; updatedAt: string } = shopifyOrder('7')
  shop.orders.set('7', { node, open: [], fulfillments: [] })
  await sync(app)
  const [order] = await ordersOf(app)
  const edit = await app.http.inject({
    method: 'PUT',
    url: `/api/orders/${order?.id}`,
    headers: { ...(await app.as('staff')), 'if-match': `"${order?.revision}"` },
    payload: { fee_amount: 9 },
  })
  expect(edit.statusCode).toBe(200)
  await sync(app)
  expect(await ordersOf(app)).toMatchObject([{ fee_amount: 9 }])
  const fee = (amount: string) => ({ amount: { amount, currencyCode: 'USD' } })
  node.updatedAt = addMs(app.clock.now(), SECOND_MS).toISOString()
  node['transactions'] = [
    { status: 'SUCCESS', fees: [fee('1.1'), fee('0.2')] },
    { status: 'FAILURE', fees: [fee('5.0')] },
  ]
  await sync(app)
  expect(await ordersOf(app)).toMatchObject([{ fee_amount: 1.3 }])
  await act(app, order?.id, 'ship')
  const earnings = await app.http.inject({
    url: `/api/orders/${order?.id}/earnings`,
    headers: await app.as('staff'),
  })
  expect(earnings.json()).toMatchObject({ fees: 1.3 })
})

it('orders of a Shopify shop that refuses its fees are still imported', async () => {
  const { shop, app } = await aShopifyApp()
  shop.orders.set('7', { node: shopifyOrder('7'), open: [], fulfillments: [] })
  const denied = json(200, { errors: [{ message: 'Access denied for fees field.' }] })
  shop.behave((response, request) =>
    (JSON.stringify(request.body).includes('query Fees') ? denied : shop.take(request))(response, request),
  )
  await sync(app)
  expect(await ordersOf(app)).toMatchObject([{ order_number: '7', fee_amount: null }])
})

it('a refunded fee of WooCommerce lowers the total and changes no discount', async () => {
  const { shop, app } = await aWooApp()
  // The gift wrap costs 10.00. A regular customer gets 1.00 back, which the shop stores as a negative fee.
  const fees = [
    { id: 90, name: 'Gift wrap', total: '10.00', total_tax: '0.00' },
    { id: 91, name: 'Regular customer', total: '-1.00', total_tax: '0.00' },
  ]
  shop.orders.set(7, wooOrder(7, { total: '52.90', fee_lines: fees }))
  await sync(app)
  expect(await ordersOf(app)).toMatchObject([
    { total_amount: 52.9, surcharge_amount: 10, discount_amount: 5 },
  ])
  expect(await unexplained(app)).toBe(0)
  shop.refund(7, {
    amount: '8.00',
    fee: '8.00',
    at: addMs(app.clock.now(), SECOND_MS).toISOString().slice(0, 19),
  })
  expect(await sync(app)).toMatchObject({ updated: 1, failed: [] })
  expect(await ordersOf(app)).toMatchObject([{ total_amount: 44.9, surcharge_amount: 2, discount_amount: 5 }])
  expect(await unexplained(app)).toBe(0)
})

it.each([
  ['3 for 10.00', [[3, '10.00']], '0.00', '4.90', { discount_amount: 0, shipping_amount: 4.91 }],
  ['3 for 20.00', [[3, '20.00']], '0.00', '4.90', { discount_amount: 0.01, shipping_amount: 4.9 }],
  ['3 for 10.00 with a discount', [[3, '10.00']], '2.00', '4.90', { discount_amount: 1.99 }],
  [
    'two lines',
    [
      [3, '10.00'],
      [7, '9.99'],
    ],
    '0.00',
    '0.00',
    { discount_amount: 0.01, shipping_amount: 0 },
  ],
] as const)(
  'prices of WooCommerce that do not divide leave no difference: %s',
  async (_, lines, discount, shipping, amounts) => {
    const { shop, app } = await aWooApp()
    const lineItems = lines.map(([quantity, subtotal], index) => ({
      id: index + 1,
      sku: `DRG-${index}`,
      name: 'Dragon',
      quantity,
      subtotal,
    }))
    const ofLines = lines.reduce((sum, [, subtotal]) => sum + Number(subtotal), 0)
    const total = (ofLines + Number(shipping) - Number(discount)).toFixed(2)
    const more = { total, discount_total: discount, shipping_total: shipping, total_tax: '0.00' }
    shop.orders.set(7, wooOrder(7, { ...more, line_items: lineItems }))
    await sync(app)
    expect(await ordersOf(app)).toMatchObject([{ total_amount: Number(total), ...amounts }])
    expect(await unexplained(app)).toBe(0)
  },
)

it('an order with prices that do not divide stays the same when it is compared again after a shipment', async () => {
  const { shop, app } = await aWooApp()
  await anItem(app, { sku: 'DRG', quantity: 9 })
  const lineItems = [{ id: 1, sku: 'DRG', name: 'Dragon', quantity: 3, subtotal: '10.00' }]
  const more = { total: '10.00', discount_total: '0.00', shipping_total: '0.00', total_tax: '0.00' }
  const order = { ...wooOrder(7, { ...more, line_items: lineItems }), status: 'processing' }
  shop.orders.set(7, order)
  await sync(app)
  const [first] = await ordersOf(app)
  await act(app, first?.id, 'ship')
  const earnings = async () =>
    (
      await app.http.inject({ url: `/api/orders/${first?.id}/earnings`, headers: await app.as('staff') })
    ).json<object>()
  const kept = await earnings()
  const [shipped] = await ordersOf(app)
  order.date_modified_gmt = addMs(app.clock.now(), SECOND_MS).toISOString().slice(0, 19)
  expect(await sync(app)).toMatchObject({ updated: 0, failed: [] })
  expect(await ordersOf(app)).toEqual([shipped])
  expect(await earnings()).toEqual(kept)
  // One piece is refunded for the price that the customer paid.
  shop.refund(7, {
    amount: '3.34',
    at: addMs(app.clock.now(), 2 * SECOND_MS)
      .toISOString()
      .slice(0, 19),
  })
  expect(await sync(app)).toMatchObject({ updated: 1, failed: [] })
  expect(await unexplained(app)).toBe(0)
})

const money = (amount: string) => ({ shopMoney: { amount } })

it('tips, duties and additional fees of a Shopify order are surcharges, as far as they are part of its total', async () => {
  const { shop, app } = await aShopifyApp()
  const node = {
    ...shopifyOrder('7'),
    currentTotalPriceSet: money('51.80'),
    totalTipReceivedSet: money('5.00'),
    originalTotalDutiesSet: money('2.50'),
    originalTotalAdditionalFeesSet: money('0.40'),
  }
  shop.orders.set('7', { node, open: [], fulfillments: [] })
  await sync(app)
  expect(await ordersOf(app)).toMatchObject([{ total_amount: 51.8, surcharge_amount: 7.9 }])
  expect(await unexplained(app)).toBe(0)

  // The tip is refunded, but the shop still reports it.
  node.updatedAt = addMs(app.clock.now(), SECOND_MS).toISOString()
  node.currentTotalPriceSet = money('46.80')
  expect(await sync(app)).toMatchObject({ updated: 1 })
  expect(await ordersOf(app)).toMatchObject([{ total_amount: 46.8, surcharge_amount: 2.9 }])
  expect(await unexplained(app)).toBe(0)
})

it('an event of Shopify has its tip and duties as surcharges, and an order without them has none', async () => {
  const { app } = await aShopifyApp()
  const event = (id: number, more: object) =>
    JSON.stringify({
      id,
      admin_graphql_api_id: `gid://shopify/Order/${id}`,
      name: `#${id}`,
      created_at: '2026-11-01T10:00:00Z',
      updated_at: '2026-11-01T10:00:00Z',
      financial_status: 'paid',
      fulfillment_status: null,
      currency: 'USD',
      taxes_included: true,
      current_total_tax: '3.19',
      current_total_discounts: '0.00',
      line_items: [
        {
          sku: 'DRG',
          name: 'Dragon',
          quantity: 1,
          price: '20.00',
          tax_lines: [{ rate: 0.19, price: '3.19' }],
        },
      ],
      ...more,
    })
  const receive = async (body: string) => {
    const { outcome } = (await sendWebhook(app, 'shopify', body, shopifyHeaders(body))).body
    expect(outcome).toBe('created')
  }
  const duties = { shop_money: { amount: '2.50', currency_code: 'USD' } }
  await receive(
    event(8, { current_total_price: '25.50', total_tip_received: '3.00', original_total_duties_set: duties }),
  )
  expect(await ordersOf(app)).toMatchObject([{ total_amount: 25.5, surcharge_amount: 5.5 }])
  expect(await unexplained(app)).toBe(0)
  await receive(
    event(9, { current_total_price: '20.00', total_tip_received: '0.00', original_total_duties_set: null }),
  )
  const plain = (await ordersOf(app)).find((order) => order.order_number === '9')
  expect(plain).toMatchObject({ total_amount: 20, surcharge_amount: null })
})
