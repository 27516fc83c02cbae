import { expect, it } from 'vitest'
import type { TestApp } from '../../../../../test/support/build-test-app.ts'
import {
  act,
  aWooApp,
  orderOf,
  reportParcels,
  stockOf,
  sync,
  wooOrder,
} from '../../../../../test/support/shop-apps.ts'
import { anItem } from '../../../../../test/support/stock-factories.ts'
import { MINUTE_MS } from '../../../../platform/clock.ts'

type Shop = Awaited<ReturnType<typeof aWooApp>>['shop']

const LINES = [
  { id: 1, sku: 'DRG', name: 'Dragon', quantity: 2, price: 18, subtotal: '40.00', total: '36.00' },
  { id: 2, sku: 'CARD', name: 'Card', quantity: 1, price: 0, subtotal: '0.00', total: '0.00' },
]

/** Imports an order from WooCommerce. Five dragons are in stock, and the SKU of the card is unknown here. */
async function anOrder(lines: readonly object[]) {
  const { shop, app } = await aWooApp()
  const dragon = await anItem(app, { sku: 'DRG', quantity: 5 })
  shop.orders.set(7, wooOrder(7, { line_items: lines }))
  await sync(app)
  const { id, items } = await orderOf(app)
  const shipOne = (body: object) =>
    act(app, id, 'ship', { items: [{ line_id: items[0]?.id, quantity: 1 }], ...body })
  return { shop, app, id, dragon, shipOne }
}

/** Changes the order in the shop a little later, and runs a comparison. */
async function syncLater(app: TestApp, shop: Shop, change: object = {}): Promise<void> {
  app.clock.advance(MINUTE_MS)
  const at = app.clock.now().toISOString().slice(0, -1)
  Object.assign(shop.orders.get(7) ?? {}, { date_modified_gmt: at, ...change })
  await sync(app)
}

const decide = async (app: TestApp, what: 'map' | 'ignore', payload: object) =>
  app.http.inject({
    method: 'POST',
    url: `/api/orders/unknown-skus/${what}`,
    headers: await app.as('staff'),
    payload,
  })

/**
 * Completes an order whose only shipment was not reported as a parcel, and reports the completion. `takeBack` undoes
 * the shipment.
 */
async function aTakenBackOrder() {
  const { shop, app, id, dragon, shipOne } = await anOrder(LINES.slice(0, 1))
  const shipped = await shipOne({ notify_shop: false })
  await act(app, id, 'complete', { close_short: true })
  await reportParcels(app)
  const takeBack = () => act(app, id, 'undo-shipment', { shipment_id: shipped.shipments[0]?.id })
  return { shop, app, dragon, takeBack }
}

it('if the shop repeats a completion that was reported to it, pieces that were taken back in the meantime are not shipped again', async () => {
  const { shop, app, dragon, takeBack } = await aTakenBackOrder()
  expect(shop.orders.get(7)?.status).toBe('completed')
  await takeBack()
  const open = { status: 'in_progress', shipments: [], items: [{ shipped_quantity: 0 }] }
  await syncLater(app, shop)
  expect(await orderOf(app)).toMatchObject(open)
  expect(await stockOf(app, dragon)).toMatchObject({ quantity: 5 })
  await syncLater(app, shop)
  expect(await orderOf(app)).toMatchObject(open)
})

it('a completion whose response was lost also counts as reported when the shop repeats it', async () => {
  const { shop, app, id, dragon, shipOne } = await anOrder(LINES.slice(0, 1))
  const shipped = await shipOne({ notify_shop: false })
  await act(app, id, 'complete', { close_short: true })
  shop.behave((response, request) => {
    if (request.method !== 'PUT') return shop.take(request)(response, request)
    shop.take(request)
    response.destroy()
  })
  await reportParcels(app)
  shop.behave(null)
  expect(shop.orders.get(7)?.status).toBe('completed')
  await act(app, id, 'undo-shipment', { shipment_id: shipped.shipments[0]?.id })
  expect(await orderOf(app)).toMatchObject({ status: 'in_progress', shipments: [] })
  expect(await stockOf(app, dragon)).toMatchObject({ quantity: 5 })
})

it('a repeated completion from the shop does not ship the pieces of a SKU that is no longer ignored', async () => {
  const { shop, app, shipOne } = await anOrder(LINES)
  await shipOne({})
  await shipOne({})
  await decide(app, 'ignore', { sku: 'CARD' })
  expect(await orderOf(app)).toMatchObject({ status: 'completed' })
  await reportParcels(app)
  expect(shop.orders.get(7)?.status).toBe('completed')
  const card = await anItem(app, { sku: 'CARD-1', quantity: 3 })
  await decide(app, 'map', { sku: 'CARD', items: [{ inventory_item_id: card, quantity: 1 }] })
  expect(await orderOf(app)).toMatchObject({ status: 'in_progress' })
  await syncLater(app, shop)
  expect(await orderOf(app)).toMatchObject({ status: 'in_progress' })
  expect(await stockOf(app, card)).toMatchObject({ quantity: 3 })
})

it('an order that the shop opens again after a reported completion can be completed by the shop itself', async () => {
  const { shop, app, dragon, takeBack } = await aTakenBackOrder()
  await takeBack()
  await syncLater(app, shop)
  await syncLater(app, shop, { status: 'processing' })
  expect(await orderOf(app)).toMatchObject({ status: 'pending' })
  await syncLater(app, shop, { status: 'completed' })
  expect(await orderOf(app)).toMatchObject({ status: 'completed' })
  expect(await stockOf(app, dragon)).toMatchObject({ quantity: 3 })
})
