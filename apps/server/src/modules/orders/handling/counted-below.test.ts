import { expect, it } from 'vitest'
import { callsOf } from '../../../../test/support/api-calls.ts'
import { buildTestApp } from '../../../../test/support/build-test-app.ts'
import { aWooApp, act, orderOf, ordersOf, sync, wooOrder } from '../../../../test/support/shop-apps.ts'
import { anItem } from '../../../../test/support/stock-factories.ts'
import { MINUTE_MS } from '../../../platform/clock.ts'
import { lockOrder } from '../intake/order-intake.queries.ts'

/** Starts with five dragons in stock. `add` enters an order and reserves dragons for it. */
async function aShelf() {
  const app = await buildTestApp()
  const staff = callsOf(app, await app.as('staff'))
  const itemId = await anItem(app, { sku: 'DRG', quantity: 5 })
  const add = async (number: string, quantity: number, dueAt: string | null) => {
    const items = [{ sku: 'DRG', name: 'Dragon', quantity, unit_price: 9 }]
    const body = { order_number: number, customer_name: 'Ada', items, due_at: dueAt }
    const { id } = (await staff('POST /api/orders', body)).json<{ id: string }>()
    await act(app, id, 'reserve')
    return id
  }
  const count = (quantity: number) => staff(`POST /api/inventory/${itemId}/count`, { quantity })
  const states = async () =>
    Object.fromEntries(
      (await ordersOf(app)).map((order) => [
        order.order_number,
        [order.items[0]?.reserved_quantity, order.items[0]?.short_by, order.ready_to_pack],
      ]),
    )
  return { app, staff, itemId, add, count, states }
}

it('a count below the reserved pieces releases those of the orders that are due last', async () => {
  const { staff, itemId, add, count, states } = await aShelf()
  await add('EARLY', 2, '2027-01-05T00:00:00Z')
  await add('LATE', 2, '2027-01-09T00:00:00Z')
  const open = await add('OPEN', 1, null)
  expect((await count(3)).json()).toMatchObject({ quantity: 3, reserved_quantity: 3, available_quantity: 0 })
  expect(await states()).toEqual({ EARLY: [2, 0, true], LATE: [1, 1, false], OPEN: [0, 1, false] })
  const history = (await staff(`GET /api/orders/${open}/history`)).text
  expect(history).toContain('order.released')
  const journal = (await staff(`GET /api/inventory/${itemId}/movements`)).json<{ kind: string }[]>()
  expect(journal.slice(0, 3).map(({ kind }) => kind)).toEqual(['release', 'release', 'count'])
})

it('scrapped pieces that were reserved for an order make it short', async () => {
  const { staff, itemId, add, states } = await aShelf()
  await add('FULL', 5, null)
  await staff(`POST /api/inventory/${itemId}/adjust`, { delta: -2, kind: 'scrap', reason: 'Cracked' })
  expect(await states()).toEqual({ FULL: [3, 2, false] })
})

it('counting the same number again releases the pieces of an order that was being changed during the first count', async () => {
  const { app, add, count, states } = await aShelf()
  const id = await add('BUSY', 2, null)
  await app.database.transaction(async (tx) => {
    await lockOrder(tx, id)
    await count(1)
  })
  expect((await count(1)).json()).toMatchObject({ quantity: 1, reserved_quantity: 1 })
  expect(await states()).toEqual({ BUSY: [1, 1, false] })
})

it('an order that is being changed keeps its pieces, and shipping them names the line', async () => {
  const { app, staff, add, count } = await aShelf()
  const id = await add('BUSY', 2, null)
  await app.database.transaction(async (tx) => {
    await lockOrder(tx, id)
    expect((await count(1)).json()).toMatchObject({ quantity: 1, reserved_quantity: 2 })
  })
  const shipped = await staff(`POST /api/orders/${id}/ship`, {})
  expect([shipped.status, shipped.detail()]).toEqual([
    409,
    '“Dragon” (DRG): 2 pieces should be shipped, but only 1 are available for this order. Nothing was shipped.',
  ])
})

it('an order that the shop completes is completed although fewer pieces were counted than it had reserved', async () => {
  const { shop, app } = await aWooApp()
  const itemId = await anItem(app, { sku: 'DRG', quantity: 5 })
  await sync(app)
  app.clock.advance(MINUTE_MS)
  const changedAt = () => app.clock.now().toISOString().slice(0, 19)
  shop.orders.set(7, wooOrder(7, { date_created_gmt: changedAt(), date_modified_gmt: changedAt() }))
  await sync(app)
  const { id, items } = await orderOf(app)
  await act(app, id, 'reserve')
  const staff = callsOf(app, await app.as('staff'))
  await app.database.transaction(async (tx) => {
    await lockOrder(tx, id)
    await staff(`POST /api/inventory/${itemId}/count`, { quantity: 1 })
  })
  app.clock.advance(MINUTE_MS)
  Object.assign(shop.orders.get(7) ?? {}, { status: 'completed', date_modified_gmt: changedAt() })
  await sync(app)
  expect(items).toMatchObject([{ quantity: 2 }])
  expect(await orderOf(app)).toMatchObject({
    status: 'completed',
    shop_problem: null,
    items: [{ shipped_quantity: 1, reserved_quantity: 0 }],
  })
})
