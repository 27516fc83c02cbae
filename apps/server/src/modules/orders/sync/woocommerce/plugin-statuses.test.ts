import { expect, it } from 'vitest'
import { act, aWooApp, orderOf, ordersOf, sync, wooOrder } from '../../../../../test/support/shop-apps.ts'
import { anItem } from '../../../../../test/support/stock-factories.ts'
import { sendWebhook, wooHeaders } from '../../../../../test/support/webhooks.ts'
import { MINUTE_MS } from '../../../../platform/clock.ts'

/** Starts with a shop whose order 7 can get a status at a later time. */
async function aShop() {
  const { shop, app } = await aWooApp()
  await anItem(app, { sku: 'DRG', quantity: 5 })
  shop.orders.set(7, wooOrder(7))
  const give = (status: string, more: object = {}) => {
    app.clock.advance(MINUTE_MS)
    const changedAt = app.clock.now().toISOString().slice(0, -1)
    Object.assign(shop.orders.get(7) ?? {}, { status, date_modified_gmt: changedAt, ...more })
  }
  const tell = async () => {
    const text = JSON.stringify(shop.orders.get(7))
    return (await sendWebhook(app, 'woocommerce', text, wooHeaders(text))).body.outcome
  }
  return { shop, app, give, tell }
}

it.each(['packing', 'awaiting-shipment'])(
  'a new order with the status %s of a plugin is imported as an open order',
  async (status) => {
    const { app, give } = await aShop()
    give(status)
    expect(await sync(app)).toMatchObject({ created: 1, failed: [] })
    expect(await orderOf(app)).toMatchObject({ status: 'pending', ready_to_pack: true, shop_problem: null })
    expect(await sync(app)).toMatchObject({ unchanged: 1 })
  },
)

it('an event with the status of a plugin imports a new order', async () => {
  const { app, give, tell } = await aShop()
  give('packing')
  expect(await tell()).toBe('created')
  expect(await orderOf(app)).toMatchObject({ status: 'pending' })
})

it('the status of a plugin neither opens, cancels nor completes a known order, and its other changes arrive', async () => {
  const { app, give, tell } = await aShop()
  await sync(app)
  const { id } = await orderOf(app)
  give('packing', { customer_note: 'Ring once' })
  expect(await tell()).toBe('updated')
  expect(await orderOf(app)).toMatchObject({ status: 'pending', notes: 'Ring once' })
  await act(app, id, 'ship')
  give('delivered', { customer_note: 'Thanks' })
  expect(await tell()).toBe('updated')
  expect(await orderOf(app)).toMatchObject({ status: 'completed', notes: 'Thanks' })
})

it.each([
  ['on-hold', 'on_hold'],
  ['cancelled', 'cancelled'],
])(
  'an order that the shop has given the status %s keeps it when a plugin changes the status',
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
    const { app, give, tell } = await aShop()
    give(status)
    expect(await tell()).toBe('ignored')
    expect(await sync(app)).toMatchObject({ created: 0, failed: [] })
    expect(await ordersOf(app)).toEqual([])
  },
)
