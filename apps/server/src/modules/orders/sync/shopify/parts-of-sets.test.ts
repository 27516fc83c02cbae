import { expect, it } from 'vitest'
import {
  act,
  aShopifyApp,
  ordersOf,
  reportParcels,
  shopifyOrder,
  sync,
} from '../../../../../test/support/shop-apps.ts'
import { anItem } from '../../../../../test/support/stock-factories.ts'

it('a Shopify shop gets the parcel that begins a set, no matter which part of the set is in it', async () => {
  const { shop, app } = await aShopifyApp()
  const dragon = await anItem(app, { sku: 'DRAGON', quantity: 5 })
  const egg = await anItem(app, { sku: 'EGG', quantity: 5 })
  await app.http.inject({
    method: 'POST',
    url: '/api/orders/unknown-skus/map',
    headers: await app.as('staff'),
    payload: {
      sku: 'DRG',
      items: [
        { inventory_item_id: dragon, quantity: 1 },
        { inventory_item_id: egg, quantity: 2 },
      ],
    },
  })
  const open = [{ id: 'line-7', sku: 'DRG', remainingQuantity: 2 }]
  shop.orders.set('7', { node: shopifyOrder('7'), open, fulfillments: [] })
  await sync(app)
  const [order] = await ordersOf(app)
  const eggs = order?.items[0]?.parts.find((part) => part.sku === 'EGG')
  await act(app, order?.id, 'ship', { items: [{ line_id: eggs?.id, quantity: 2 }], tracking_number: 'JD01' })
  await reportParcels(app)
  expect(shop.orders.get('7')?.open).toMatchObject([{ remainingQuantity: 1 }])
  expect(shop.orders.get('7')?.fulfillments).toMatchObject([{ trackingInfo: { number: 'JD01' } }])
})
