import { expect, it } from 'vitest'
import { json } from '../../../../../test/servers/main-site-server.ts'
import { aShopifyApp, orderOf, ordersOf, shopifyOrder, sync } from '../../../../../test/support/shop-apps.ts'

const money = (amount: string) => ({ shopMoney: { amount } })

/** Shipping lines of 1.00 with tax included: the first five of 19 %, and the others of 7 %. */
const shippingLines = Array.from({ length: 166 }, (_, index) => ({
  originalPriceSet: money('1.00'),
  taxLines: [index < 5 ? { rate: 0.19, priceSet: money('0.16') } : { rate: 0.07, priceSet: money('0.07') }],
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
  // If a page of them cannot be read, the order is not imported with wrong amounts.
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
  // 5 ÷ 1.19 + 161 ÷ 1.07
  expect(await orderOf(app)).toMatchObject({ shipping_amount: 154.67, tax_amount: 11.33, total_amount: 176 })
})
