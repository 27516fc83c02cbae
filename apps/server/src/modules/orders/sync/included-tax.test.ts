import type { Order } from '@pegasus/contracts/orders/orders'
import { expect, it } from 'vitest'
import { aShopifyApp, ordersOf, shopifyOrder, sync } from '../../../../test/support/shop-apps.ts'
import { sendWebhook, shopifyHeaders } from '../../../../test/support/webhooks.ts'

/** A line whose price includes tax. `tax` is the tax of all its pieces after discounts. */
interface TaxedLine {
  sku: string
  quantity: number
  price: string
  rate: number
  tax: string
}

/** An order of a shop whose prices include tax. */
interface TaxedOrder {
  total: string
  tax: string
  discount?: string
  shipping?: { price: string; rate: number; tax: string }
  lines: TaxedLine[]
}

/**
 * Three pieces at 9.99 and shipping of 4.90, which include 19 % tax. The net amounts 8.39496 and 4.11765 must be
 * rounded.
 */
const ROUNDED: TaxedOrder = {
  total: '34.87',
  tax: '5.57',
  shipping: { price: '4.90', rate: 0.19, tax: '0.78' },
  lines: [{ sku: 'DRG', quantity: 3, price: '9.99', rate: 0.19, tax: '4.79' }],
}
/** Two tax rates, and a discount of 10 %. */
const DISCOUNTED: TaxedOrder = {
  total: '116.73',
  tax: '17.73',
  discount: '12.97',
  lines: [
    { sku: 'DRG', quantity: 1, price: '119.00', rate: 0.19, tax: '17.10' },
    { sku: 'BOOK', quantity: 1, price: '10.70', rate: 0.07, tax: '0.63' },
  ],
}
/** The customer is exempt from tax, but Shopify charges the full price. */
const EXEMPT: TaxedOrder = {
  total: '119.00',
  tax: '0.00',
  lines: [{ sku: 'DRG', quantity: 1, price: '119.00', rate: 0.19, tax: '0.00' }],
}
const ORDERS = [ROUNDED, DISCOUNTED, EXEMPT]

const NET = [
  { shipping_amount: 4.13, discount_amount: 0, tax_amount: 5.57, items: [{ quantity: 3, unit_price: 8.39 }] },
  {
    shipping_amount: 0,
    discount_amount: 11,
    tax_amount: 17.73,
    items: [{ unit_price: 100 }, { unit_price: 10 }],
  },
  { shipping_amount: 0, discount_amount: 0, tax_amount: 0, items: [{ unit_price: 119 }] },
]

const money = (amount: string) => ({ shopMoney: { amount } })

const inGraphql = (id: number, { total, tax, discount = '0.00', shipping, lines }: TaxedOrder) =>
  shopifyOrder(String(id), {
    taxesIncluded: true,
    currentTotalPriceSet: money(total),
    currentTotalTaxSet: money(tax),
    currentTotalDiscountsSet: money(discount),
    currentShippingPriceSet: money(shipping?.price ?? '0.00'),
    shippingLines: {
      nodes: shipping
        ? [
            {
              originalPriceSet: money(shipping.price),
              taxLines: [{ rate: shipping.rate, priceSet: money(shipping.tax) }],
            },
          ]
        : [],
    },
    lineItems: {
      nodes: lines.map((line) => ({
        sku: line.sku,
        name: line.sku,
        quantity: line.quantity,
        currentQuantity: line.quantity,
        originalUnitPriceSet: money(line.price),
        taxLines: [{ rate: line.rate, priceSet: money(line.tax) }],
      })),
    },
  })

const inWebhook = (id: number, { total, tax, discount = '0.00', shipping, lines }: TaxedOrder) =>
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
    current_total_price: total,
    current_total_tax: tax,
    current_total_discounts: discount,
    total_shipping_price_set: { shop_money: { amount: shipping?.price ?? '0.00' } },
    shipping_lines: shipping
      ? [{ price: shipping.price, tax_lines: [{ rate: shipping.rate, price: shipping.tax }] }]
      : [],
    line_items: lines.map((line) => ({
      sku: line.sku,
      name: line.sku,
      quantity: line.quantity,
      current_quantity: line.quantity,
      price: line.price,
      tax_lines: [{ rate: line.rate, price: line.tax }],
    })),
  })

/** Returns lines plus shipping plus tax minus discount, in cents. */
const sumOf = ({ items, shipping_amount: shipping, tax_amount: tax, discount_amount: discount }: Order) =>
  Math.round(
    100 *
      (items.reduce((sum, line) => sum + line.quantity * line.unit_price, 0) +
        (shipping ?? 0) +
        (tax ?? 0) -
        (discount ?? 0)),
  )

const sortedOrders = async (app: Parameters<typeof ordersOf>[0]) =>
  (await ordersOf(app)).toSorted((a, b) => Number(a.order_number) - Number(b.order_number))

it('orders of a Shopify shop whose prices include tax get net prices that add up to the total', async () => {
  const { shop, app } = await aShopifyApp()
  for (const [index, order] of ORDERS.entries())
    shop.orders.set(String(index), { node: inGraphql(index, order), open: [], fulfillments: [] })
  expect(await sync(app)).toMatchObject({ created: ORDERS.length, failed: [] })
  for (const [index, order] of ORDERS.entries()) {
    const body = inWebhook(10 + index, order)
    expect((await sendWebhook(app, 'shopify', body, shopifyHeaders(body))).body.outcome).toBe('created')
  }
  const orders = await sortedOrders(app)
  expect(orders).toMatchObject([...NET, ...NET])
  expect(orders.map(sumOf)).toEqual(orders.map((order) => Math.round(100 * order.total_amount)))
})
