import type { OrderedSku } from '@pegasus/contracts/orders/sku-mappings'
import { expect, it } from 'vitest'
import {
  aShopifyApp,
  act,
  orderOf,
  ordersOf,
  reportParcels,
  shopifyOrder,
  sync,
} from '../../../../../test/support/shop-apps.ts'
import { anItem } from '../../../../../test/support/stock-factories.ts'
import { sendWebhook, shopifyHeaders } from '../../../../../test/support/webhooks.ts'

const money = { shopMoney: { amount: '5.00' } }
const line = (more: object) => ({
  sku: null,
  quantity: 1,
  currentQuantity: 1,
  originalUnitPriceSet: money,
  ...more,
})
const DRAGON = {
  name: 'Dragon',
  variant: { id: 'gid://shopify/ProductVariant/42' },
  product: { id: 'gid://shopify/Product/7' },
}
const EGG = { name: 'Egg', variant: null, product: { id: 'gid://shopify/Product/8' } }
const WRAP = { name: 'Gift Wrap', variant: null, product: null }
const lineItems = { nodes: [DRAGON, EGG, WRAP].map(line) }
const SKUS = ['shopify:42', 'shopify:product:8', 'shopify:gift wrap']

/** Returns the event about the order with these `lineItems`. */
const anEvent = (more: object = {}) =>
  JSON.stringify({
    id: 7,
    admin_graphql_api_id: 'gid://shopify/Order/7',
    name: '#7',
    created_at: '2026-11-01T10:00:00Z',
    updated_at: '2026-11-01T11:00:00Z',
    financial_status: 'paid',
    currency: 'USD',
    line_items: [
      { name: 'Dragon', variant_id: 42, product_id: 7 },
      { name: 'Egg', variant_id: null, product_id: 8 },
      { name: 'Gift Wrap', variant_id: null, product_id: null },
    ].map((sold) => ({ sku: null, quantity: 1, current_quantity: 1, price: '5.00', ...sold })),
    ...more,
  })

it('lines of Shopify orders without a SKU can be mapped, ignored and shipped', async () => {
  const { shop, app } = await aShopifyApp()
  const item = await anItem(app, { sku: 'DRG', quantity: 5 })
  const lineItem = { ...DRAGON, sku: null }
  const open = [{ id: 'line-1', sku: '', remainingQuantity: 1, lineItem }]
  shop.orders.set('7', { node: shopifyOrder('7', { lineItems }), open, fulfillments: [] })
  expect(await sync(app)).toMatchObject({ created: 1, failed: [] })
  expect((await orderOf(app)).items.map(({ sku }) => sku)).toEqual(SKUS)
  const headers = await app.as('staff')
  const inbox = await app.http.inject({ url: '/api/orders/unknown-skus?state=unknown', headers })
  expect(inbox.json<OrderedSku[]>().map(({ sku }) => sku)).toEqual(expect.arrayContaining(SKUS))
  const decide = (what: string, payload: object) =>
    app.http.inject({ method: 'POST', url: `/api/orders/unknown-skus/${what}`, headers, payload })
  await decide('map', { sku: SKUS[0], items: [{ inventory_item_id: item, quantity: 1 }] })
  for (const sku of SKUS.slice(1)) await decide('ignore', { sku })

  await act(app, (await orderOf(app)).id, 'ship')
  await reportParcels(app)
  expect((await orderOf(app)).shipments).toMatchObject([{ told_at: expect.any(String), tell_problem: null }])
  expect(open).toMatchObject([{ remainingQuantity: 0 }])
  const event = anEvent({
    fulfillments: [
      { status: 'success', line_items: [{ name: 'Dragon', variant_id: 42, product_id: 7, quantity: 1 }] },
    ],
  })
  expect((await sendWebhook(app, 'shopify', event, shopifyHeaders(event))).status).toBe(200)
  const after = await orderOf(app)
  expect(after.items.map(({ sku, shipped_quantity: shipped }) => [sku, shipped])).toEqual(
    SKUS.map((sku) => [sku, 1]),
  )
  expect([after.shipments.length, after.shop_problem]).toEqual([1, null])
})

it("stored lines without a SKU get the shop's SKU, and no line is added a second time", async () => {
  const { shop, app } = await aShopifyApp()
  shop.orders.set('7', { node: shopifyOrder('7', { lineItems }), open: [], fulfillments: [] })
  await sync(app)
  const linesOf = async () => (await orderOf(app)).items.map(({ id, sku, name }) => ({ id, sku, name }))
  const lines = await linesOf()
  const { sql } = app.database
  // Removes the SKUs from the stored lines, as an earlier version stored them.
  const makeOld = async () => {
    await sql`update order_lines set sku = ''`
    await sql`
      update orders set source_told = source_told || jsonb_build_object(
        'items', (select jsonb_agg(item || '{"sku": ""}'::jsonb) from jsonb_array_elements(source_told->'items') item),
        'sent_pieces', '[{"sku": "", "quantity": 0}]'::jsonb)`
    await sql`update shop_readings set reader = reader - 1`
  }
  await makeOld()
  expect((await linesOf()).map(({ sku }) => sku)).toEqual(['', '', ''])
  expect(await sync(app)).toMatchObject({ created: 0, updated: 1, failed: [] })
  expect(await linesOf()).toEqual(lines)

  await makeOld()
  const event = anEvent()
  expect((await sendWebhook(app, 'shopify', event, shopifyHeaders(event))).body.outcome).toBe('updated')
  expect(await linesOf()).toEqual(lines)
  expect(await ordersOf(app)).toMatchObject([{ shop_problem: null }])
})
