import { expect, it } from 'vitest'
import {
  aShopifyApp,
  act,
  ordersOf,
  shopifyOrder,
  sync,
  reportParcels,
} from '../../../../test/support/shop-apps.ts'
import { anItem } from '../../../../test/support/stock-factories.ts'

it('a parcel fulfills all lines of a long Shopify order', async () => {
  const { shop, app } = await aShopifyApp()
  await anItem(app, { sku: 'DRG', quantity: 600 })
  const [line] = shopifyOrder('7').lineItems.nodes
  const lineItems = {
    nodes: Array.from({ length: 600 }, () => ({ ...line, currentQuantity: 1, quantity: 1 })),
  }
  const open = lineItems.nodes.map((_, index) => ({ id: `line-${index}`, sku: 'DRG', remainingQuantity: 1 }))
  shop.orders.set('7', { node: shopifyOrder('7', { lineItems }), open, fulfillments: [] })
  expect(await sync(app)).toMatchObject({ created: 1, failed: [] })
  await act(app, (await ordersOf(app))[0]?.id, 'ship')
  await reportParcels(app)
  expect((await ordersOf(app))[0]?.shipments).toMatchObject([
    { tell_problem: null, told_at: expect.any(String) },
  ])
  expect(open.filter(({ remainingQuantity: left }) => left > 0)).toEqual([])
})
