import { expect, it } from 'vitest'
import { json } from '../../../../test/servers/main-site-server.ts'
import {
  act,
  aShopifyApp,
  orderOf,
  shopifyOrder,
  stockOf,
  sync,
  reportParcels,
} from '../../../../test/support/shop-apps.ts'
import { anItem } from '../../../../test/support/stock-factories.ts'
import { MINUTE_MS, SECOND_MS, addMs } from '../../../platform/clock.ts'

/** Starts a Shopify shop with an order of five dragons, and nine dragons in stock. */
async function aShop() {
  const { shop, app } = await aShopifyApp()
  const item = await anItem(app, { sku: 'DRG', quantity: 9 })
  await sync(app)
  app.clock.advance(MINUTE_MS)
  const placed = addMs(app.clock.now(), SECOND_MS).toISOString()
  const line = {
    sku: 'DRG',
    name: 'Dragon',
    quantity: 5,
    currentQuantity: 5,
    originalUnitPriceSet: { shopMoney: { amount: '20.00' } },
  }
  const fields: { cancelledAt: string | null } = { cancelledAt: null }
  /**
   * Sets the parcels of the shop's staff to these numbers of pieces, and runs a comparison. A negative number is a
   * cancelled parcel. Returns the order.
   */
  const change = async (...parcels: number[]) => {
    app.clock.advance(MINUTE_MS)
    const updatedAt = app.clock.now().toISOString()
    shop.orders.set('7', {
      node: shopifyOrder('7', { createdAt: placed, updatedAt, lineItems: { nodes: [line] }, ...fields }),
      open: [{ id: 'line', sku: 'DRG', remainingQuantity: 5 }],
      fulfillments: shop.orders.get('7')?.fulfillments ?? [],
      sent: parcels.map((quantity) => ({
        status: quantity > 0 ? 'SUCCESS' : 'CANCELLED',
        pieces: [{ sku: 'DRG', quantity: Math.abs(quantity) }],
      })),
    })
    expect(await sync(app)).toMatchObject({ failed: [] })
    return orderOf(app)
  }
  return { shop, app, item, fields, change }
}

it('pieces return to the stock when the shop cancels the parcel with which its staff sent them', async () => {
  const { app, item, change } = await aShop()
  const { id } = await change()
  await act(app, id, 'reserve')
  expect(await change(2, 1)).toMatchObject({ items: [{ shipped_quantity: 3, reserved_quantity: 2 }] })
  expect(await change(2, -1)).toMatchObject({ items: [{ shipped_quantity: 2, reserved_quantity: 3 }] })
  expect(await stockOf(app, item)).toEqual({ quantity: 7, reserved: 3 })
  expect(await change(-2, -1)).toMatchObject({
    status: 'in_progress',
    shipments: [],
    shop_problem: null,
    items: [{ shipped_quantity: 0, reserved_quantity: 5 }],
  })
  expect(await stockOf(app, item)).toEqual({ quantity: 9, reserved: 5 })
  // A person ships two pieces, and the shop's staff send one more.
  const line_id = (await orderOf(app)).items[0]?.id
  await act(app, id, 'ship', { items: [{ line_id, quantity: 2 }], notify_shop: false })
  expect(await change(-2, -1, 2)).toMatchObject({ items: [{ shipped_quantity: 2 }] })
  expect(await change(-2, -1, 2, 1)).toMatchObject({ items: [{ shipped_quantity: 3 }] })
})

it.each(['with', 'before'])(
  'pieces return to the stock if the shop cancels their parcel %s opening the cancelled order again',
  async (time) => {
    const { app, item, fields, change } = await aShop()
    await change(2)
    fields.cancelledAt = app.clock.now().toISOString()
    expect(await change(2)).toMatchObject({ status: 'cancelled', items: [{ shipped_quantity: 2 }] })
    if (time === 'before')
      expect(await change(-2)).toMatchObject({ status: 'cancelled', items: [{ shipped_quantity: 2 }] })
    fields.cancelledAt = null
    const opened = { status: 'pending', shipments: [], shop_problem: null, items: [{ shipped_quantity: 0 }] }
    expect(await change(-2)).toMatchObject(opened)
    expect(await stockOf(app, item)).toEqual({ quantity: 9, reserved: 0 })
  },
)

it('pieces that were undone here and then cancelled in the shop are booked when its staff send them again', async () => {
  const { app, item, change } = await aShop()
  const { id, shipments } = await change(2)
  await act(app, id, 'undo-shipment', { shipment_id: shipments[0]?.id })
  expect(await change(2)).toMatchObject({ items: [{ shipped_quantity: 0 }] })
  expect(await change(-2)).toMatchObject({ items: [{ shipped_quantity: 0 }] })
  expect(await change(-2, 2)).toMatchObject({ items: [{ shipped_quantity: 2 }] })
  expect(await stockOf(app, item)).toEqual({ quantity: 7, reserved: 0 })
})

it('a parcel shipped here and cancelled in the shop shows as a problem until it is taken back or sent again', async () => {
  const { shop, app, item, change } = await aShop()
  const { id, items } = await change()
  const problem =
    'The shop took back pieces that were shipped here: 2 of “Dragon” (DRG). If they have not left, undo their shipment here. Otherwise, mark them as sent in the shop.'
  await act(app, id, 'ship', { items: [{ line_id: items[0]?.id, quantity: 2 }] })
  await reportParcels(app)
  expect(await change()).toMatchObject({ items: [{ shipped_quantity: 2 }], shop_problem: null })
  shop.orders.get('7')!.fulfillments[0]!['status'] = 'CANCELLED'
  expect(await change()).toMatchObject({ items: [{ shipped_quantity: 2 }], shop_problem: problem })
  expect(await change(2)).toMatchObject({ items: [{ shipped_quantity: 2 }], shop_problem: null })
  const [shipment] = (await change(-2)).shipments
  expect(await orderOf(app)).toMatchObject({ shop_problem: problem })
  expect(await act(app, id, 'undo-shipment', { shipment_id: shipment?.id })).toMatchObject({
    items: [{ shipped_quantity: 0 }],
    shop_problem: null,
  })
  expect(await change(-2, 3)).toMatchObject({ items: [{ shipped_quantity: 3 }], shop_problem: null })
  expect(await stockOf(app, item)).toEqual({ quantity: 6, reserved: 0 })
})

it('a response without the list of fulfillments undoes no shipment', async () => {
  const { shop, app, item, change } = await aShop()
  await change(2)
  const order = { id: 'gid://shopify/Order/7' }
  const lacking = [
    {},
    { nodes: [null] },
    { nodes: [order] },
    { nodes: [{ ...order, fulfillments: [{ id: 'gid://shopify/Fulfillment/7-0', status: 'SUCCESS' }] }] },
  ]
  for (const data of lacking) {
    app.clock.advance(MINUTE_MS)
    shop.orders.get('7')!.node.updatedAt = app.clock.now().toISOString()
    shop.behave((response, request) =>
      String((request.body as { query?: string }).query).startsWith('query Fulfillments')
        ? json(200, { data })(response, request)
        : shop.take(request)(response, request),
    )
    await sync(app)
    expect(await orderOf(app)).toMatchObject({ items: [{ shipped_quantity: 2 }] })
  }
  shop.behave(null)
  expect(await change(2)).toMatchObject({ items: [{ shipped_quantity: 2 }] })
  expect(await stockOf(app, item)).toEqual({ quantity: 7, reserved: 0 })
})

it('a parcel that was undone and reported a second time counts only once among the pieces that the shop has', async () => {
  const { app, item, change } = await aShop()
  const { id, items } = await change()
  for (const _ of ['told', 'already counted by the shop']) {
    await act(app, id, 'ship', { items: [{ line_id: items[0]?.id, quantity: 2 }] })
    await reportParcels(app)
    const [shipment] = (await orderOf(app)).shipments
    await act(app, id, 'undo-shipment', { shipment_id: shipment?.id })
  }
  expect(await change()).toMatchObject({ items: [{ shipped_quantity: 0 }] })
  // The shop's staff send two more pieces.
  expect(await change(2)).toMatchObject({ items: [{ shipped_quantity: 2 }] })
  expect(await stockOf(app, item)).toEqual({ quantity: 7, reserved: 0 })
})

it('pieces of a shipment that was not reported show as a problem when the shop takes them back', async () => {
  const { app, change } = await aShop()
  const { id, items } = await change()
  await act(app, id, 'ship', { items: [{ line_id: items[0]?.id, quantity: 2 }], notify_shop: false })
  // The shop's staff mark the shipped pieces as sent.
  expect(await change(2)).toMatchObject({ items: [{ shipped_quantity: 2 }], shop_problem: null })
  const problem = expect.stringContaining(
    'The shop took back pieces that were shipped here: 2 of “Dragon” (DRG).',
  )
  const { shipments } = await change(-2)
  expect(await orderOf(app)).toMatchObject({ items: [{ shipped_quantity: 2 }], shop_problem: problem })
  expect(await change(-2, 2)).toMatchObject({ items: [{ shipped_quantity: 2 }], shop_problem: null })
  expect(await change(-2, -2)).toMatchObject({ shop_problem: problem })
  await act(app, id, 'undo-shipment', { shipment_id: shipments[0]?.id })
  expect(await orderOf(app)).toMatchObject({ items: [{ shipped_quantity: 0 }], shop_problem: null })
  expect(await change(-2, -2, 1)).toMatchObject({ items: [{ shipped_quantity: 1 }] })
})
