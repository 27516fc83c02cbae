import type { OrderEvent } from '@pegasus/contracts/orders/order-account'
import { expect, it } from 'vitest'
import type { TestApp } from '../../../../../test/support/build-test-app.ts'
import {
  act,
  aShopifyApp,
  orderOf,
  reportParcels,
  shopifyOrder,
  stockOf,
  sync,
} from '../../../../../test/support/shop-apps.ts'
import { anItem } from '../../../../../test/support/stock-factories.ts'
import { MINUTE_MS } from '../../../../platform/clock.ts'

const map = async (app: TestApp, ...items: [string, number][]) => {
  const answer = await app.http.inject({
    method: 'POST',
    url: '/api/orders/unknown-skus/map',
    headers: await app.as('staff'),
    payload: {
      sku: 'DRG',
      items: items.map(([inventory_item_id, quantity]) => ({ inventory_item_id, quantity })),
    },
  })
  expect(answer.statusCode, answer.body).toBe(200)
}

/** Imports an order of two sets, each of a dragon and two eggs. The stock has three dragons and five eggs. */
async function anOrderOfSets() {
  const { shop, app } = await aShopifyApp()
  const dragon = await anItem(app, { sku: 'DRAGON', quantity: 3 })
  const egg = await anItem(app, { sku: 'EGG', quantity: 5 })
  await map(app, [dragon, 1], [egg, 2])
  const put = () => {
    const at = app.clock.now().toISOString()
    const known = shop.orders.get('7')
    const node = shopifyOrder('7', {
      createdAt: at,
      updatedAt: at,
      displayFulfillmentStatus: known?.fulfillments.length ? 'PARTIALLY_FULFILLED' : 'UNFULFILLED',
    })
    const open = [{ id: 'line-7', sku: 'DRG', remainingQuantity: 2 }]
    shop.orders.set('7', known ? { ...known, node } : { node, open, fulfillments: [] })
  }
  await sync(app)
  app.clock.advance(MINUTE_MS)
  put()
  await sync(app)
  /** Makes the shop send the order again, with the numbers of pieces that it counts as sent. */
  const resend = async () => {
    app.clock.advance(MINUTE_MS)
    put()
    expect(await sync(app)).toMatchObject({ failed: [] })
  }
  return { app, dragon, egg, resend }
}

const undo = async (app: TestApp) => {
  const order = await orderOf(app)
  await act(app, order.id, 'undo-shipment', { shipment_id: order.shipments[0]?.id })
}

it('a set whose reported shipment was undone is not shipped again because its SKU is mapped to other items', async () => {
  const { app, dragon, egg, resend } = await anOrderOfSets()
  const { id, items } = await orderOf(app)
  await act(app, id, 'ship', { items: [{ line_id: items[0]?.id, quantity: 1 }] })
  await reportParcels(app)
  await resend()
  expect(await orderOf(app)).toMatchObject({
    items: [{ parts: [{ shipped_quantity: 1 }, { shipped_quantity: 2 }] }],
  })
  await undo(app)
  const problem = expect.stringContaining('which was undone here, and still shows its pieces as sent')
  const expectNothingSent = async () => {
    expect(await orderOf(app)).toMatchObject({ status: 'in_progress', shipments: [], shop_problem: problem })
    expect(await stockOf(app, dragon)).toEqual({ quantity: 3, reserved: 0 })
    expect(await stockOf(app, egg)).toEqual({ quantity: 5, reserved: 0 })
  }
  await resend()
  await expectNothingSent()
  for (const items of [
    [[egg, 3]],
    [[dragon, 1]],
    [
      [dragon, 1],
      [egg, 2],
    ],
  ] as [string, number][][]) {
    await map(app, ...items)
    await resend()
    await expectNothingSent()
  }
  // One set is shipped again. The other set is still to be shipped.
  const again = await orderOf(app)
  await act(app, id, 'ship', { items: [{ line_id: again.items[0]?.id, quantity: 1 }] })
  await resend()
  expect(await orderOf(app)).toMatchObject({
    status: 'in_progress',
    shipments: [{ number: 2 }],
    shop_problem: null,
  })
  expect(await stockOf(app, egg)).toEqual({ quantity: 3, reserved: 0 })
})

it('a set whose return and shipment were undone can be mapped to other items', async () => {
  const { app, dragon, egg } = await anOrderOfSets()
  const { id, items } = await orderOf(app)
  await act(app, id, 'ship')
  const part = items[0]?.parts[0]
  await act(app, id, 'return', { items: [{ line_id: part?.id, quantity: 1, to: 'stock' }] })
  const history = await app.http.inject({ url: `/api/orders/${id}/history`, headers: await app.as('viewer') })
  const booked = history.json<OrderEvent[]>().find((event) => event.return_id !== null)
  await act(app, id, 'undo-return', { return_id: booked?.return_id })
  await undo(app)
  await map(app, [egg, 3])
  expect(await orderOf(app)).toMatchObject({ items: [{ parts: [{ sku: 'EGG', quantity: 6 }] }] })
  expect(await stockOf(app, dragon)).toEqual({ quantity: 3, reserved: 0 })
})
