import { expect, it } from 'vitest'
import { buildTestApp } from '../../../../test/support/build-test-app.ts'
import {
  aShopifyApp,
  aWooApp,
  ordersOf,
  shopifyOrder,
  sync,
  wooOrder,
} from '../../../../test/support/shop-apps.ts'
import { anItem, aProduct } from '../../../../test/support/stock-factories.ts'
import { WEBHOOK_SECRET, sendWebhook, standardHeaders } from '../../../../test/support/webhooks.ts'
import { DAY_MS, MINUTE_MS, addMs } from '../../../platform/clock.ts'

/**
 * An app with a main site that implements our own contract. `send` sends an event about an order and returns its
 * outcome.
 */
async function aSiteOfOurContract() {
  const variables = {
    MAIN_SITE_URL: 'http://127.0.0.1:9',
    MAIN_SITE_KIND: 'pegasus',
    MAIN_SITE_ADMIN_KEY: 'a-key-of-the-site',
    MAIN_SITE_WEBHOOK_SECRET: WEBHOOK_SECRET,
  }
  const app = await buildTestApp({ variables })
  const send = async (order: object) => {
    const body = JSON.stringify({ type: 'order.updated', order: { total_amount: 20, ...order } })
    const headers = standardHeaders(body, { at: app.clock.now() })
    return (await sendWebhook(app, 'pegasus', body, headers)).body.outcome
  }
  return { app, send }
}

it.each(['cancelled', 'failed'])(
  'an order that WooCommerce cancels before it is paid (%s) is not added, until it is paid later',
  async (status) => {
    const { shop, app } = await aWooApp()
    await sync(app)
    const give = async (its: string) => {
      app.clock.advance(MINUTE_MS)
      shop.orders.set(
        7,
        wooOrder(7, { status: its, date_modified_gmt: app.clock.now().toISOString().slice(0, -1) }),
      )
      return sync(app)
    }
    await give('pending')
    expect(await give(status)).toMatchObject({ created: 0, failed: [] })
    expect(await ordersOf(app)).toEqual([])
    expect(await give('processing')).toMatchObject({ created: 1 })
    expect(await ordersOf(app)).toMatchObject([{ order_number: '7', status: 'pending' }])
  },
)

it('an order that Shopify cancels before it is paid is not added', async () => {
  const { shop, app } = await aShopifyApp()
  const node = shopifyOrder('1', {
    displayFinancialStatus: 'PENDING',
    cancelledAt: app.clock.now().toISOString(),
  })
  shop.orders.set('1', { node, open: [], fulfillments: [] })
  expect(await sync(app)).toMatchObject({ created: 0, failed: [] })
  expect(await ordersOf(app)).toEqual([])
})

it('a cancelled order from a site with our own contract changes a known order, but adds no order', async () => {
  const { app, send } = await aSiteOfOurContract()
  expect(await send({ order_number: 'A-1', status: 'cancelled' })).toBe('unchanged')
  expect(await ordersOf(app)).toEqual([])
  expect(await send({ order_number: 'A-1', status: 'pending' })).toBe('created')
  expect(await send({ order_number: 'A-1', status: 'cancelled' })).toBe('updated')
  expect(await ordersOf(app)).toMatchObject([{ order_number: 'A-1', status: 'cancelled' }])
})

it('a late message about an order does not add it after the shop has cancelled it', async () => {
  const { app, send } = await aSiteOfOurContract()
  const changedAt = (minutes: number) => addMs(app.clock.now(), minutes * MINUTE_MS).toISOString()
  for (const name of [{ order_number: 'A-1' }, { order_number: 'A-2', external_id: '2' }]) {
    expect(await send({ ...name, status: 'cancelled', updated_at: changedAt(0) })).toBe('unchanged')
    for (const minutes of [-1, 0])
      expect(await send({ ...name, status: 'pending', updated_at: changedAt(minutes) })).toBe('unchanged')
    expect(await ordersOf(app)).toEqual([])
  }
  app.clock.advance(91 * DAY_MS)
  await app.cleanup.run()
  expect(await app.database.sql`select from skipped_orders`).toEqual([])
})

it.each([
  [-9, 1],
  [-11, 0],
])(
  'stock sent up to ten minutes after a cancellation is sent again, because clocks can differ: %i minutes',
  async (minutes, changes) => {
    const { app, send } = await aSiteOfOurContract()
    const now = app.clock.now()
    const itemId = await anItem(app, { sku: 'DRG', quantity: 9 })
    const productId = await aProduct(app, { itemId, publishedAt: now })
    await app.database.sql`
      insert into sent_stocks (product_id, target, stock, sent_at) values (${productId}, 'site', 9, ${now})`
    const order = {
      order_number: 'A-1',
      status: 'cancelled',
      updated_at: addMs(now, minutes * MINUTE_MS).toISOString(),
      items: [{ sku: 'DRG', quantity: 1, unit_price: 20 }],
    }
    expect(await send(order)).toBe('unchanged')
    const rows = await app.database.sql`select shop_changes::int from sent_stocks`
    expect(rows).toEqual([{ shop_changes: changes }])
  },
)
