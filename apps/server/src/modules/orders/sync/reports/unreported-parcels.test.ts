import { expect, it } from 'vitest'
import {
  act,
  aShopifyApp,
  aWooApp,
  orderOf,
  reportParcels,
  shopifyOrder,
  sync,
  wooOrder,
} from '../../../../../test/support/shop-apps.ts'
import { anItem } from '../../../../../test/support/stock-factories.ts'
import { MINUTE_MS } from '../../../../platform/clock.ts'

const COMPLETE_SHORT = { close_short: true }

/** Imports an order of a dragon and an egg from Shopify, and ships the dragon without a report to the shop. */
async function anOrderWithDragonOut() {
  const { shop, app } = await aShopifyApp()
  await anItem(app, { sku: 'DRG', quantity: 5 })
  const money = { shopMoney: { amount: '5.00' } }
  const lineOf = (sku: string) => ({
    sku,
    name: sku,
    quantity: 1,
    currentQuantity: 1,
    originalUnitPriceSet: money,
  })
  const lines = [lineOf('DRG'), lineOf('EGG')]
  const open = lines.map(({ sku }, index) => ({ id: `line-${index}`, sku, remainingQuantity: 1 }))
  const node = shopifyOrder('7', { lineItems: { nodes: lines } })
  shop.orders.set('7', { node, open, fulfillments: [] })
  await sync(app)
  const { id, items } = await orderOf(app)
  await act(app, id, 'ship', { items: [{ line_id: items[0]?.id, quantity: 1 }], notify_shop: false })
  const refundEgg = async () => {
    app.clock.advance(MINUTE_MS)
    Object.assign(lines[1] ?? {}, { currentQuantity: 0 })
    Object.assign(open[1] ?? {}, { remainingQuantity: 0 })
    Object.assign(node, { updatedAt: app.clock.now().toISOString() })
    await sync(app)
  }
  const sent = () => shop.orders.get('7')?.fulfillments
  return { app, id, refundEgg, sent }
}

it('an order that ends with a refund is not completed in the shop if one of its parcels is not to be reported', async () => {
  const { app, refundEgg, sent } = await anOrderWithDragonOut()
  await refundEgg()
  expect(await orderOf(app)).toMatchObject({ status: 'completed' })
  await reportParcels(app)
  expect(sent()).toEqual([])
  expect(await orderOf(app)).toMatchObject({ shop_problem: null })
})

it('a person can complete an order with a parcel that is not reported: Shopify sends the customer no message about it', async () => {
  const { app, id, refundEgg, sent } = await anOrderWithDragonOut()
  await act(app, id, 'complete', COMPLETE_SHORT)
  await reportParcels(app)
  expect(sent()).toEqual([])
  await refundEgg()
  await app.shop.shipments.run()
  expect(sent()).toMatchObject([{ notifyCustomer: false }])
})

it('a refund of the last pieces completes no WooCommerce order with a parcel that is not reported, either', async () => {
  const { shop, app } = await aWooApp()
  await anItem(app, { sku: 'DRG', quantity: 5 })
  shop.orders.set(7, wooOrder(7))
  await sync(app)
  const { id, items } = await orderOf(app)
  await act(app, id, 'ship', { items: [{ line_id: items[0]?.id, quantity: 1 }], notify_shop: false })
  const at = app.clock.now().toISOString().slice(0, -1)
  shop.refund(7, { amount: '18.00', lines: { 1: { quantity: 1, total: '18.00' } }, at })
  await sync(app)
  expect(await orderOf(app)).toMatchObject({ status: 'completed' })
  await reportParcels(app)
  expect(shop.orders.get(7)?.status).toBe('processing')
})
