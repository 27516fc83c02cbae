import { expect, it } from 'vitest'
import { json } from '../../../../../test/servers/main-site-server.ts'
import {
  act,
  aShopifyApp,
  orderOf,
  ordersOf,
  shopifyEvent,
  shopifyOrder,
  sync,
} from '../../../../../test/support/shop-apps.ts'
import { anItem } from '../../../../../test/support/stock-factories.ts'
import { sendWebhook, shopifyHeaders } from '../../../../../test/support/webhooks.ts'
import { SECOND_MS, addMs } from '../../../../platform/clock.ts'

const money = (amount: string) => ({ shopMoney: { amount } })

/** Shipping lines of 1.00, which include tax: 19 % in the first three, 7 % in the others. */
const shippingLines = Array.from({ length: 166 }, (_, index) => ({
  originalPriceSet: money('1.00'),
  taxLines: [index < 3 ? { rate: 0.19, priceSet: money('0.16') } : { rate: 0.07, priceSet: money('0.07') }],
}))
const ORDER = shopifyOrder('7', {
  taxesIncluded: true,
  currentTotalPriceSet: money('176.00'),
  currentTotalTaxSet: money('11.33'),
  currentTotalDiscountsSet: money('0.00'),
  currentShippingPriceSet: money('166.00'),
  shippingLines: { nodes: shippingLines },
  lineItems: {
    nodes: [
      { sku: 'DRG', name: 'Dragon', quantity: 1, currentQuantity: 1, originalUnitPriceSet: money('10.00') },
    ],
  },
})

it('the tax rates of all shipping lines of a Shopify order count, however many there are', async () => {
  const { shop, app } = await aShopifyApp()
  shop.orders.set('7', { node: ORDER, open: [], fulfillments: [] })
  // If one page of shipping lines cannot be read, the order is not imported with wrong amounts.
  shop.behave((response, request) => {
    const isMore = JSON.stringify(request.body).includes('query ShippingLines')
    return (isMore ? json(500, { errors: 'Internal' }) : shop.take(request))(response, request)
  })
  const headers = await app.as('staff')
  const failed = await app.http.inject({ method: 'POST', url: '/api/orders/sync', headers })
  expect(failed.statusCode).toBe(502)
  expect(await ordersOf(app)).toEqual([])
  shop.behave(null)
  expect(await sync(app)).toMatchObject({ created: 1, failed: [] })
  // The shipping is 3 ÷ 1.19 + 163 ÷ 1.07.
  expect(await orderOf(app)).toMatchObject({ shipping_amount: 154.86, tax_amount: 11.33, total_amount: 176 })
})

/**
 * An order with lines of 40.00, a discount of 4.00 on them, tax of 3.00, and shipping of 4.90 that is fully discounted.
 */
const withFreeShipping = (updatedAt: string, discounts: string, shipping: string) =>
  shopifyOrder('7', {
    updatedAt,
    currentTotalPriceSet: money('39.00'),
    currentTotalDiscountsSet: money(discounts),
    currentShippingPriceSet: money(shipping),
    shippingLines: { nodes: [{ originalPriceSet: money('4.90'), discountedPriceSet: money('0.00') }] },
  })

it.each([
  ['in the discounts and in the shipping', '8.90', '0.00'],
  ['only in the discounts', '8.90', '4.90'],
  ['only in the shipping', '4.00', '0.00'],
])(
  'a discount on the shipping of a Shopify order, %s, is no discount on the pieces',
  async (_, discounts, shipping) => {
    const { shop, app } = await aShopifyApp()
    await anItem(app, { sku: 'DRG', quantity: 2 })
    const now = () => addMs(app.clock.now(), SECOND_MS).toISOString()
    shop.orders.set('7', {
      node: withFreeShipping(now(), discounts, shipping),
      open: [],
      fulfillments: [],
    })
    await sync(app)
    // The total is 40.00 + 0.00 + 3.00 − 4.00.
    const amounts = { total_amount: 39, shipping_amount: 0, tax_amount: 3, discount_amount: 4 }
    expect(await orderOf(app)).toMatchObject(amounts)
    const { id } = await orderOf(app)
    await act(app, id, 'ship')
    const earnings = await app.http.inject({
      url: `/api/orders/${id}/earnings`,
      headers: await app.as('staff'),
    })
    expect(earnings.json()).toMatchObject({ revenue: 36 })
    const text = shopifyEvent({
      updated_at: now(),
      current_total_price: '39.00',
      current_total_discounts: discounts,
      current_shipping_price_set: { shop_money: { amount: shipping } },
      shipping_lines: [{ price: '4.90', discount_allocations: [{ amount: '4.90' }] }],
    })
    expect((await sendWebhook(app, 'shopify', text, shopifyHeaders(text))).body.outcome).toBe('unchanged')
    expect(await orderOf(app)).toMatchObject(amounts)
  },
)
