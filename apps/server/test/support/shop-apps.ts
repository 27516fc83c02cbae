import { UNDO_SHIPMENT_MS } from '@pegasus/contracts/orders/order-changes'
import type { Order } from '@pegasus/contracts/orders/orders'
import type { PublishedProduct } from '@pegasus/contracts/products/publishing'
import { expect } from 'vitest'
import { SECOND_MS } from '../../src/platform/clock.ts'
import { aShopifyShop, SHOPIFY_TOKEN } from '../servers/shopify-server.ts'
import { aWooShop, WOO_KEY, WOO_SECRET } from '../servers/woo-server.ts'
import { type TestApp, buildTestApp } from './build-test-app.ts'
import { anItem } from './stock-factories.ts'
import { WEBHOOK_SECRET } from './webhooks.ts'

const ADDRESS = {
  first_name: 'Ada',
  last_name: 'Lovelace',
  address_1: '12 Square',
  postcode: 'SW1Y',
  city: 'London',
  country: 'GB',
}

/** Returns an order in the format of WooCommerce 10, with the fields that the server reads. */
export const wooOrder = (id: number, more: object = {}) => ({
  id,
  number: String(id),
  status: 'processing',
  currency: 'USD',
  date_created_gmt: '2026-11-01T10:00:00',
  date_modified_gmt: '2026-11-01T10:00:00',
  total: '43.90',
  shipping_total: '4.90',
  total_tax: '3.00',
  discount_total: '4.00',
  customer_note: 'Ring twice',
  billing: { ...ADDRESS, email: 'ada@example.com', phone: '1' },
  shipping: ADDRESS,
  line_items: [
    { id: 1, sku: 'DRG', name: 'Dragon', quantity: 2, price: 18, subtotal: '40.00', total: '36.00' },
  ],
  refunds: [],
  notes: [],
  ...more,
})

const money = (amount: string) => ({ shopMoney: { amount } })

/** Returns an order line in the format of Shopify's GraphQL API. */
export const shopifyLine = (sku: string, quantity: number, price = '5.00') => ({
  sku,
  name: sku,
  quantity,
  currentQuantity: quantity,
  originalUnitPriceSet: money(price),
})

/** Returns an order like that of `wooOrder`, in the format of Shopify's GraphQL API. */
export const shopifyOrder = (id: string, more: object = {}) => ({
  id: `gid://shopify/Order/${id}`,
  name: `#${id}`,
  email: 'ada@example.com',
  note: 'Ring twice',
  createdAt: '2026-11-01T10:00:00Z',
  updatedAt: '2026-11-01T10:00:00Z',
  cancelledAt: null,
  displayFinancialStatus: 'PAID',
  displayFulfillmentStatus: 'UNFULFILLED',
  currencyCode: 'USD',
  currentTotalPriceSet: money('43.90'),
  currentTotalTaxSet: money('3.00'),
  currentTotalDiscountsSet: money('4.00'),
  currentShippingPriceSet: money('4.90'),
  shippingAddress: {
    name: 'Ada Lovelace',
    address1: '12 Square',
    zip: 'SW1Y',
    city: 'London',
    countryCodeV2: 'GB',
  },
  billingAddress: { name: 'Ada Lovelace' },
  lineItems: {
    nodes: [
      { sku: 'DRG', name: 'Dragon', quantity: 2, currentQuantity: 2, originalUnitPriceSet: money('20.00') },
      {
        sku: 'GONE',
        name: 'Taken out',
        quantity: 1,
        currentQuantity: 0,
        originalUnitPriceSet: money('1.00'),
      },
    ],
  },
  ...more,
})

export async function aWooApp() {
  const shop = await aWooShop()
  const variables = {
    MAIN_SITE_URL: shop.url,
    MAIN_SITE_KIND: 'woocommerce',
    MAIN_SITE_ADMIN_KEY: `${WOO_KEY}:${WOO_SECRET}`,
    MAIN_SITE_WEBHOOK_SECRET: WEBHOOK_SECRET,
  }
  return { shop, app: await buildTestApp({ variables }) }
}

export async function aShopifyApp() {
  const shop = await aShopifyShop()
  const variables = {
    MAIN_SITE_URL: shop.url,
    MAIN_SITE_KIND: 'shopify',
    MAIN_SITE_ADMIN_KEY: SHOPIFY_TOKEN,
    MAIN_SITE_WEBHOOK_SECRET: WEBHOOK_SECRET,
  }
  return { shop, app: await buildTestApp({ variables }) }
}

export const sync = async (app: TestApp) =>
  (await app.http.inject({ method: 'POST', url: '/api/orders/sync', headers: await app.as('staff') })).json<{
    created: number
    updated: number
    unchanged: number
    failed: unknown[]
  }>()

/**
 * Advances the clock past the time in which a shipment can be undone before its report, and reports the parcels to the
 * shop.
 */
export async function reportParcels(app: TestApp): Promise<void> {
  app.clock.advance(UNDO_SHIPMENT_MS + 2 * SECOND_MS)
  await app.shop.shipments.run()
}

export const ordersOf = async (app: TestApp): Promise<Order[]> =>
  (await app.http.inject({ url: '/api/orders?limit=1000', headers: await app.as('staff') })).json<Order[]>()

export const act = async (app: TestApp, id: string | undefined, what: string, payload: object = {}) =>
  (
    await app.http.inject({
      method: 'POST',
      url: `/api/orders/${id}/${what}`,
      headers: await app.as('staff'),
      payload,
    })
  ).json<Order>()

export const SOLD_PRODUCT = {
  name: 'Dragon',
  slug: 'dragon',
  category: 'miniatures',
  price: 20,
  stock: 30,
  description: 'Breathes fire',
  images: ['https://cdn.example/dragon.jpg'],
  license: 'cc0',
}

/** Publishes a product that is sold from an item. Returns the ids of both, and a function that changes the stock. */
export async function aSoldProduct(
  app: TestApp,
  quantity: number,
  { sku, slug } = { sku: 'DRG', slug: 'dragon' },
) {
  const item = await anItem(app, { sku, quantity })
  const published = await app.http.inject({
    method: 'POST',
    url: '/api/admin/products',
    headers: await app.as('staff'),
    payload: { ...SOLD_PRODUCT, slug, inventory_item_id: item },
  })
  expect(published.statusCode, published.body).toBeLessThan(300)
  const { id } = published.json<PublishedProduct>()
  const adjust = async (delta: number) =>
    app.http.inject({
      method: 'POST',
      url: `/api/inventory/${item}/adjust`,
      headers: await app.as('staff'),
      payload: { delta, reason: 'a count' },
    })
  return { id, item, adjust }
}

/** Returns the pieces of an item that are in stock, and how many of them are reserved. */
export async function stockOf(
  { database: { sql } }: TestApp,
  itemId: string,
): Promise<{ quantity: number; reserved: number } | undefined> {
  const [row] = await sql<{ quantity: number; reserved: number }[]>`
    select quantity::int, (quantity - available_quantity)::int as reserved from stock_items where id = ${itemId}`
  return row
}

/** Returns the newest order. Throws an error if there is none. */
export async function orderOf(app: TestApp) {
  const [order] = await ordersOf(app)
  if (!order) throw new Error('There is no order.')
  return order
}

/**
 * Returns the body of a Shopify webhook about order 7, which has two dragons at 20.00. `fields` are added to the body,
 * or replace its fields.
 */
export const shopifyEvent = (fields: object): string =>
  JSON.stringify({
    id: 7,
    admin_graphql_api_id: 'gid://shopify/Order/7',
    name: '#7',
    email: 'ada@example.com',
    note: 'Ring twice',
    shipping_address: {
      name: 'Ada Lovelace',
      address1: '12 Square',
      zip: 'SW1Y',
      city: 'London',
      country_code: 'GB',
    },
    created_at: '2026-11-01T10:00:00Z',
    financial_status: 'paid',
    currency: 'USD',
    current_total_tax: '3.00',
    line_items: [{ sku: 'DRG', name: 'Dragon', quantity: 2, current_quantity: 2, price: '20.00' }],
    ...fields,
  })
