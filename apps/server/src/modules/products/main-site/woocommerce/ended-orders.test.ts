import { expect, it } from 'vitest'
import {
  act,
  aWooApp,
  ordersOf,
  sync,
  wooOrder,
  reportParcels,
} from '../../../../../test/support/shop-apps.ts'
import { anItem } from '../../../../../test/support/stock-factories.ts'
import { MINUTE_MS } from '../../../../platform/clock.ts'

const ENDED = ['cancelled', 'refunded', 'failed', 'trash'] as const

/** Imports an order and ships all of its pieces. `end` sets the order's status in the shop. */
async function aShippedOrder() {
  const { shop, app } = await aWooApp()
  await anItem(app, { sku: 'DRG', quantity: 5 })
  shop.orders.set(7, wooOrder(7))
  await sync(app)
  const [{ id } = { id: '' }] = await ordersOf(app)
  await act(app, id, 'ship')
  const end = (status: string) => {
    app.clock.advance(MINUTE_MS)
    const changed = { status, date_modified_gmt: app.clock.now().toISOString().slice(0, -1) }
    Object.assign(shop.orders.get(7) ?? {}, changed)
  }
  return { shop, app, end }
}

it.each(ENDED)(
  'the report of a parcel adds a note in the shop, but does not change an order that is already %s there',
  async (status) => {
    const { shop, app, end } = await aShippedOrder()
    end(status)
    await sync(app)
    const before = await ordersOf(app)
    await reportParcels(app)
    expect(shop.orders.get(7)).toMatchObject({
      status,
      notes: [{ note: expect.stringContaining('Parcel 1:'), customer_note: true }],
    })
    await sync(app)
    const [order] = await ordersOf(app)
    expect(order).toMatchObject({ status: 'completed', shop_problem: before[0]?.shop_problem })
    if (status !== 'trash') expect(order?.shop_problem).toEqual(expect.any(String))
  },
)

it('a cancellation in the shop after the report of the last parcel shows as a problem, and the shop keeps its status', async () => {
  const { shop, app, end } = await aShippedOrder()
  await reportParcels(app)
  expect(shop.orders.get(7)).toMatchObject({ status: 'completed' })
  end('cancelled')
  await sync(app)
  await reportParcels(app)
  expect(shop.orders.get(7)).toMatchObject({ status: 'cancelled' })
  expect(await ordersOf(app)).toMatchObject([{ status: 'completed', shop_problem: expect.any(String) }])
})
