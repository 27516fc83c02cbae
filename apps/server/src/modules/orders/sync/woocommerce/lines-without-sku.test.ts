import type { OrderedSku } from '@pegasus/contracts/orders/sku-mappings'
import { expect, it } from 'vitest'
import {
  act,
  aShopifyApp,
  aWooApp,
  orderOf,
  ordersOf,
  reportParcels,
  shopifyOrder,
  sync,
  wooOrder,
} from '../../../../../test/support/shop-apps.ts'
import { anItem } from '../../../../../test/support/stock-factories.ts'
import { sendWebhook, wooHeaders } from '../../../../../test/support/webhooks.ts'
import { MINUTE_MS } from '../../../../platform/clock.ts'

const LONG_NAME = 'A gift wrap with a very long name that no SKU could ever hold as a whole'
const SOLD = [
  { name: 'Dragon', product_id: 7, variation_id: 0 },
  { name: 'Egg, blue', product_id: 8, variation_id: 42 },
  { name: 'Gift Wrap', product_id: 0, variation_id: 0 },
  { name: LONG_NAME, product_id: 0, variation_id: 0 },
]
const SKUS = ['woo:7', 'woo:8:42', 'woo:gift wrap', `woo:${LONG_NAME.toLowerCase().slice(0, 60)}`]
// A product without a SKU has an empty SKU, and a deleted product has no SKU field.
const line_items = SOLD.map((sold, index) => ({
  id: index + 1,
  sku: index === 2 ? null : '',
  quantity: 2,
  subtotal: '10.00',
  total: '10.00',
  ...sold,
}))

const linesOf = async (app: Parameters<typeof orderOf>[0]) =>
  (await orderOf(app)).items.map(({ id, sku, name, quantity }) => ({ id, sku, name, quantity }))

it('lines of WooCommerce orders without a SKU can be mapped, ignored, shipped and refunded', async () => {
  const { shop, app } = await aWooApp()
  const item = await anItem(app, { sku: 'DRG', quantity: 5 })
  shop.orders.set(7, wooOrder(7, { line_items }))
  expect(await sync(app)).toMatchObject({ created: 1, failed: [] })
  expect((await linesOf(app)).map(({ sku }) => sku)).toEqual(SKUS)
  const headers = await app.as('staff')
  const inbox = await app.http.inject({ url: '/api/orders/unknown-skus?state=unknown', headers })
  expect(inbox.json<OrderedSku[]>().map(({ sku }) => sku)).toEqual(expect.arrayContaining(SKUS))
  const decide = (what: string, payload: object) =>
    app.http.inject({ method: 'POST', url: `/api/orders/unknown-skus/${what}`, headers, payload })
  await decide('map', { sku: SKUS[0], items: [{ inventory_item_id: item, quantity: 1 }] })
  for (const sku of SKUS.slice(1)) await decide('ignore', { sku })
  app.clock.advance(MINUTE_MS)
  const at = app.clock.now().toISOString().slice(0, -1)
  shop.refund(7, { amount: '5.00', lines: { 2: { quantity: 1, total: '5.00' } }, at })
  expect(await sync(app)).toMatchObject({ updated: 1, failed: [] })
  expect((await linesOf(app)).map(({ quantity }) => quantity)).toEqual([2, 1, 2, 2])

  await act(app, (await orderOf(app)).id, 'ship')
  await reportParcels(app)
  expect(await orderOf(app)).toMatchObject({
    status: 'completed',
    shipments: [{ told_at: expect.any(String), tell_problem: null }],
  })
  expect(shop.orders.get(7)).toMatchObject({ status: 'completed' })
})

it("stored lines of WooCommerce without a SKU get the shop's SKU, and no line is added a second time", async () => {
  const { shop, app } = await aWooApp()
  shop.orders.set(7, wooOrder(7, { line_items }))
  await sync(app)
  const lines = await linesOf(app)
  const { sql } = app.database
  // Removes the SKUs from the stored lines, as an earlier version stored them.
  const makeOld = async () => {
    await sql`update order_lines set sku = ''`
    await sql`
      update orders set source_told = source_told || jsonb_build_object(
        'items', (select jsonb_agg(item || '{"sku": ""}'::jsonb) from jsonb_array_elements(source_told->'items') item))`
    await sql`update shop_readings set reader = reader - 1`
  }
  await makeOld()
  expect(await sync(app)).toMatchObject({ created: 0, updated: 1, failed: [] })
  expect(await linesOf(app)).toEqual(lines)
  await makeOld()
  const event = JSON.stringify(shop.orders.get(7))
  expect((await sendWebhook(app, 'woocommerce', event, wooHeaders(event))).body.outcome).toBe('updated')
  expect(await linesOf(app)).toEqual(lines)
  expect(await ordersOf(app)).toMatchObject([{ shop_problem: null }])
})

it('a Shopify line without a SKU and with a long name is imported', async () => {
  const { shop, app } = await aShopifyApp()
  const line = { sku: null, quantity: 1, currentQuantity: 1, name: LONG_NAME, variant: null, product: null }
  const originalUnitPriceSet = { shopMoney: { amount: '5.00' } }
  const lineItems = { nodes: [{ ...line, originalUnitPriceSet }] }
  shop.orders.set('7', { node: shopifyOrder('7', { lineItems }), open: [], fulfillments: [] })
  expect(await sync(app)).toMatchObject({ created: 1, failed: [] })
  expect((await linesOf(app))[0]?.sku).toBe(`shopify:${LONG_NAME.toLowerCase().slice(0, 56)}`.trim())
})

it('a WooCommerce line keeps its stored SKU after its product is deleted in the shop', async () => {
  const { shop, app } = await aWooApp()
  await anItem(app, { sku: 'DRG', quantity: 5 })
  const lines = (isDeleted: boolean) => [
    {
      id: 1,
      sku: isDeleted ? null : 'DRG',
      name: 'Dragon',
      product_id: isDeleted ? 0 : 7,
      quantity: 2,
      subtotal: '10.00',
    },
    { id: 2, sku: '', name: 'Egg', product_id: isDeleted ? 0 : 8, quantity: 1, subtotal: '5.00' },
  ]
  shop.orders.set(7, wooOrder(7, { line_items: lines(false) }))
  expect(await sync(app)).toMatchObject({ created: 1, failed: [] })
  const before = await linesOf(app)
  expect(before.map(({ sku }) => sku)).toEqual(['DRG', 'woo:8'])
  const { id, items } = await orderOf(app)
  await act(app, id, 'ship', { items: [{ line_id: items[0]?.id, quantity: 1 }] })
  app.clock.advance(MINUTE_MS)
  const date_modified_gmt = app.clock.now().toISOString().slice(0, -1)
  shop.orders.set(7, wooOrder(7, { line_items: lines(true), date_modified_gmt }))
  expect(await sync(app)).toMatchObject({ failed: [] })
  expect(await linesOf(app)).toEqual(before)
  expect(await orderOf(app)).toMatchObject({ items: [{ shipped_quantity: 1 }, {}], shop_problem: null })
})
