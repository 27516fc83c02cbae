import { expect, it } from 'vitest'
import {
  act,
  aShopifyApp,
  orderOf,
  reportParcels,
  shopifyLine,
  shopifyOrder,
  stockOf,
  sync,
} from '../../../../../test/support/shop-apps.ts'
import { anItem } from '../../../../../test/support/stock-factories.ts'
import { MINUTE_MS } from '../../../../platform/clock.ts'

it('the last parcel does not send pieces that the shop has added to the order before its report', async () => {
  const { shop, app } = await aShopifyApp()
  await anItem(app, { sku: 'DRG', quantity: 9 })
  const egg = await anItem(app, { sku: 'EGG', quantity: 9 })
  await sync(app)
  app.clock.advance(MINUTE_MS)
  const open = [{ id: 'dragon', sku: 'DRG', remainingQuantity: 2 }]
  const put = (nodes: object[]) => {
    const at = app.clock.now().toISOString()
    const fulfillments = shop.orders.get('7')?.fulfillments ?? []
    shop.orders.set('7', {
      node: shopifyOrder('7', { createdAt: at, updatedAt: at, lineItems: { nodes } }),
      open,
      fulfillments,
    })
  }
  put([shopifyLine('DRG', 2)])
  await sync(app)
  expect(await act(app, (await orderOf(app)).id, 'ship')).toMatchObject({ status: 'completed' })
  // The event about this change is lost.
  app.clock.advance(MINUTE_MS)
  open[0]!.remainingQuantity = 3
  open.push({ id: 'egg', sku: 'EGG', remainingQuantity: 1 })
  put([shopifyLine('DRG', 3), shopifyLine('EGG', 1)])
  await reportParcels(app)
  expect(open).toMatchObject([{ remainingQuantity: 1 }, { remainingQuantity: 1 }])
  app.clock.advance(MINUTE_MS)
  put([shopifyLine('DRG', 3), shopifyLine('EGG', 1)])
  expect(await sync(app)).toMatchObject({ updated: 1, failed: [] })
  expect(await orderOf(app)).toMatchObject({
    status: 'in_progress',
    items: [
      { quantity: 3, shipped_quantity: 2 },
      { quantity: 1, shipped_quantity: 0 },
    ],
    shipments: [{ number: 1, tell_problem: null }],
  })
  expect(await stockOf(app, egg)).toEqual({ quantity: 9, reserved: 0 })
})
