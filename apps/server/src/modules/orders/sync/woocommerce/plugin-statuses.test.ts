import { expect, it } from 'vitest'
import {
  act,
  aWooApp,
  orderOf,
  ordersOf,
  stockOf,
  sync,
  wooOrder,
} from '../../../../../test/support/shop-apps.ts'
import { anItem, anOrder } from '../../../../../test/support/stock-factories.ts'
import { sendWebhook, wooHeaders } from '../../../../../test/support/webhooks.ts'
import { MINUTE_MS } from '../../../../platform/clock.ts'

/**
 * Starts with a shop whose order 7 was placed after the first comparison or, with `isOld`, before it. `give` changes
 * the status of the order a minute later.
 */
async function aShop({ isOld = false } = {}) {
  const { shop, app } = await aWooApp()
  const item = await anItem(app, { sku: 'DRG', quantity: 5 })
  if (!isOld) await sync(app)
  app.clock.advance(MINUTE_MS)
  const placedAt = isOld ? '2026-11-01T10:00:00' : app.clock.now().toISOString().slice(0, -1)
  shop.orders.set(7, wooOrder(7, { date_created_gmt: placedAt, date_modified_gmt: placedAt }))
  const give = (status: string, more: object = {}) => {
    app.clock.advance(MINUTE_MS)
    const changedAt = app.clock.now().toISOString().slice(0, -1)
    Object.assign(shop.orders.get(7) ?? {}, { status, date_modified_gmt: changedAt, ...more })
  }
  const sendOrder = async () => {
    const text = JSON.stringify(shop.orders.get(7))
    return (await sendWebhook(app, 'woocommerce', text, wooHeaders(text))).body.outcome
  }
  return { shop, app, item, give, sendOrder }
}

it.each(['packing', 'awaiting-shipment'])(
  "a new order with a plugin's status %s is imported as an open order",
  async (status) => {
    const { app, give } = await aShop()
    give(status)
    expect(await sync(app)).toMatchObject({ created: 1, failed: [] })
    expect(await orderOf(app)).toMatchObject({ status: 'pending', ready_to_pack: true, shop_problem: null })
    expect(await sync(app)).toMatchObject({ unchanged: 1 })
  },
)

it("an event about an order with a plugin's status imports the order", async () => {
  const { app, give, sendOrder } = await aShop()
  give('packing')
  expect(await sendOrder()).toBe('created')
  expect(await orderOf(app)).toMatchObject({ status: 'pending' })
})

it("a plugin's status neither opens, cancels nor completes a known order, while its other changes are applied", async () => {
  const { app, give, sendOrder } = await aShop()
  await sync(app)
  const { id } = await orderOf(app)
  give('packing', { customer_note: 'Ring once' })
  expect(await sendOrder()).toBe('updated')
  expect(await orderOf(app)).toMatchObject({ status: 'pending', notes: 'Ring once' })
  await act(app, id, 'ship')
  give('delivered', { customer_note: 'Thanks' })
  expect(await sendOrder()).toBe('updated')
  expect(await orderOf(app)).toMatchObject({ status: 'completed', notes: 'Thanks' })
})

it.each([
  ['on-hold', 'on_hold'],
  ['cancelled', 'cancelled'],
])(
  'an order that the shop has given the status %s keeps it when a plugin changes the status in the shop',
  async (before, ours) => {
    const { app, give } = await aShop()
    await sync(app)
    give(before)
    await sync(app)
    give('awaiting-shipment')
    await sync(app)
    expect(await orderOf(app)).toMatchObject({ status: ours })
    give('processing')
    await sync(app)
    expect(await orderOf(app)).toMatchObject({ status: 'pending' })
  },
)

it('pieces that the shop refunds while an order has the status of a plugin are no longer ordered', async () => {
  const { shop, app, give } = await aShop()
  await sync(app)
  give('packing')
  const at = shop.orders.get(7)?.date_modified_gmt ?? ''
  shop.refund(7, { amount: '18.00', lines: { 1: { quantity: 1, total: '18.00' } }, at })
  expect(await sync(app)).toMatchObject({ updated: 1, failed: [] })
  expect(await orderOf(app)).toMatchObject({ status: 'pending', items: [{ quantity: 1 }] })
})

it.each(['checkout-draft', 'auto-draft'])(
  'a new order with the status %s is not imported',
  async (status) => {
    const { app, give, sendOrder } = await aShop()
    give(status)
    expect(await sendOrder()).toBe('ignored')
    expect(await sync(app)).toMatchObject({ created: 0, failed: [] })
    expect(await ordersOf(app)).toEqual([])
  },
)

it("an old order with a plugin's status is not open work until the shop gives it a status of WooCommerce", async () => {
  const { app, item, give } = await aShop({ isOld: true })
  give('delivered')
  expect(await sync(app)).toMatchObject({ created: 1, failed: [] })
  const old = { status: 'completed', is_history: true, items: [{ shipped_quantity: 0, short_by: 0 }] }
  expect(await orderOf(app)).toMatchObject(old)
  expect(await stockOf(app, item)).toEqual({ quantity: 5, reserved: 0 })
  give('archived', { customer_note: 'Ring once' })
  expect(await sync(app)).toMatchObject({ updated: 1, failed: [] })
  expect(await orderOf(app)).toMatchObject({ ...old, notes: 'Ring once' })
  give('processing')
  expect(await sync(app)).toMatchObject({ updated: 1, failed: [] })
  expect(await orderOf(app)).toMatchObject({ status: 'pending', is_history: false, ready_to_pack: true })
  const { id } = await orderOf(app)
  expect(await act(app, id, 'ship')).toMatchObject({ status: 'completed' })
  expect(await stockOf(app, item)).toEqual({ quantity: 3, reserved: 0 })
})

it.each([
  ['on-hold', { status: 'on_hold', is_history: false }],
  ['completed', { status: 'completed', is_history: true }],
  ['cancelled', { status: 'cancelled' }],
])(
  'an order with the status of a plugin from before the first comparison follows the status %s of the shop',
  async (status, ours) => {
    const { app, item, give } = await aShop({ isOld: true })
    give('packing')
    await sync(app)
    give(status)
    expect(await sync(app)).toMatchObject({ failed: [] })
    expect(await orderOf(app)).toMatchObject({ ...ours, shop_problem: null })
    expect(await stockOf(app, item)).toEqual({ quantity: 5, reserved: 0 })
  },
)

it('an order from before the first comparison stays completed when the shop first reports its status', async () => {
  const { app, give } = await aShop({ isOld: true })
  await anOrder(app, {
    orderNumber: '7',
    externalId: '7',
    source: 'main_site',
    status: 'completed',
    isHistory: true,
    lines: [{ sku: 'DRG', name: 'Dragon', quantity: 2, unitPriceMinor: 2000 }],
  })
  give('processing')
  await sync(app)
  expect(await orderOf(app)).toMatchObject({ status: 'completed', is_history: true })
})
