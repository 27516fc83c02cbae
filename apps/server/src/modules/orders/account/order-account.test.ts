import type { LineAccount, OrderEvent } from '@pegasus/contracts/orders/order-account'
import type { Order, OrderLine } from '@pegasus/contracts/orders/orders'
import { expect, it } from 'vitest'
import { aKey, keyHeader } from '../../../../test/support/accounts/api-keys.ts'
import { type TestApp, buildTestApp } from '../../../../test/support/build-test-app.ts'
import { aPrintJob, advance, anItem, anOrder } from '../../../../test/support/stock-factories.ts'
import { DAY_MS, addMs } from '../../../platform/clock.ts'

type Headers = Record<string, string>

const read = async (app: TestApp, id: string): Promise<Order> =>
  (await app.http.inject({ url: `/api/orders/${id}`, headers: await app.as('viewer') })).json<Order>()

const post = (app: TestApp, headers: Headers, url: string, payload: object = {}) =>
  app.http.inject({ method: 'POST', url, headers, payload })

/** Returns the account of the first line. */
const accountOf = ({ items: [line] }: Order) => {
  const {
    shipped_quantity,
    reserved_quantity,
    allocated_quantity,
    queued_quantity,
    short_by,
    missing_quantity,
  } = line as OrderLine
  return [
    shipped_quantity,
    reserved_quantity,
    allocated_quantity,
    queued_quantity,
    short_by,
    missing_quantity,
  ]
}

const aLine = (quantity: number, sku = 'HOOK') => ({ sku, quantity, unitPriceMinor: 100 })

it('after reserving, shipping and queuing, an order is short only of the pieces that are really missing', async () => {
  const app = await buildTestApp()
  const staff = await app.as('staff')
  const itemId = await anItem(app, { sku: 'HOOK', quantity: 11 })
  const id = await anOrder(app, { lines: [aLine(14)] })
  expect(accountOf(await read(app, id))).toEqual([0, 0, 11, 0, 3, 3])

  const forOrder = { quantity: 11, order_id: id }
  expect((await post(app, staff, `/api/inventory/${itemId}/reserve`, forOrder)).statusCode).toBe(200)
  expect(await read(app, id)).toMatchObject({ status: 'in_progress' })
  expect(accountOf(await read(app, id))).toEqual([0, 11, 0, 0, 3, 3])

  await post(app, staff, `/api/inventory/${itemId}/adjust`, {
    delta: -11,
    kind: 'ship',
    order_id: id,
    from_reserved: true,
  })
  await aPrintJob(app, { itemId, orderId: id, quantity: 2 })
  expect(accountOf(await read(app, id))).toEqual([11, 0, 0, 2, 3, 1])
})

it('an order whose missing pieces are all queued, in several jobs, misses none', async () => {
  const app = await buildTestApp()
  const itemId = await anItem(app, { sku: 'HOOK', quantity: 11 })
  const id = await anOrder(app, { lines: [aLine(14)] })
  const staff = await app.as('staff')
  expect((await post(app, staff, `/api/orders/${id}/reserve`)).statusCode).toBe(200)
  const [line] = (await read(app, id)).items
  const items = [{ line_id: line?.id, quantity: 11 }]
  expect((await post(app, staff, `/api/orders/${id}/ship`, { items })).statusCode).toBe(201)
  for (let job = 0; job < 2; job += 1) await aPrintJob(app, { itemId, orderId: id, quantity: 3 })
  expect(accountOf(await read(app, id))).toEqual([11, 0, 0, 6, 3, 0])
})

it('the rows behind the queued pieces include a job that was made before the order had a line for its item', async () => {
  const app = await buildTestApp()
  const staff = await app.as('staff')
  const itemId = await anItem(app, { sku: 'HOOK', quantity: 0 })
  const id = await anOrder(app, { lines: [aLine(2, 'SHOP-HOOK'), aLine(3, 'SHOP-HOOK-2')] })
  const job = await aPrintJob(app, { itemId, orderId: id, quantity: 4 })
  for (const sku of ['SHOP-HOOK', 'SHOP-HOOK-2']) {
    const items = [{ inventory_item_id: itemId, quantity: 1 }]
    expect((await post(app, staff, '/api/orders/unknown-skus/map', { sku, items })).statusCode).toBe(200)
  }
  const lines = (await read(app, id)).items
  const queued = []
  for (const line of lines) {
    const url = `/api/orders/${id}/lines/${line.id}/account`
    const { rows } = (await app.http.inject({ url, headers: staff })).json<LineAccount>()
    const jobs = rows.flatMap(({ term, quantity, print_job_id }) =>
      term === 'queued' ? [[quantity, print_job_id]] : [],
    )
    queued.push([line.queued_quantity, jobs])
  }
  expect(queued).toEqual([
    [4, [[4, job]]],
    [0, []],
  ])
})

it('the rows behind each quantity of an order line add up to that quantity', async () => {
  const app = await buildTestApp()
  const staff = await app.as('staff')
  const itemId = await anItem(app, { sku: 'HOOK', quantity: 11 })
  const earlier = await anOrder(app, { lines: [aLine(2)] })
  app.clock.advance(1000)
  const id = await anOrder(app, { lines: [aLine(14)] })
  const [line] = (await read(app, id)).items
  const some = (quantity: number) => ({ items: [{ line_id: line?.id, quantity }] })
  await post(app, staff, `/api/orders/${id}/reserve`, some(5))
  await post(app, staff, `/api/orders/${id}/release`, some(1))
  await post(app, staff, `/api/orders/${id}/ship`, some(1))
  app.clock.advance(1000)
  await post(app, staff, `/api/inventory/${itemId}/reserve`, { quantity: 2, order_id: id })
  const job = await aPrintJob(app, { itemId, orderId: id, quantity: 3 })

  const url = `/api/orders/${id}/lines/${line?.id}/account`
  const viewer = await app.as('viewer')
  const account = (await app.http.inject({ url, headers: viewer })).json<LineAccount>()
  const rows = account.rows.map(({ term, quantity, shipment_number, print_job_id }) => [
    term,
    quantity,
    shipment_number ?? print_job_id,
  ])
  expect(rows).toEqual([
    ['shipped', 1, 1],
    ['reserved', -1, null],
    ['reserved', -1, null],
    ['reserved', 5, null],
    ['queued', 3, job],
    // Two pieces were reserved in the inventory for the whole order. Three free pieces are left after the earlier
    // order.
    ['reserved', 2, null],
    ['allocated', 3, null],
  ])
  expect(account.earlier_orders).toMatchObject([{ order_id: earlier, quantity: 2 }])
  expect(accountOf(await read(app, id))).toEqual([1, 5, 3, 3, 5, 2])

  const history = await app.http.inject({ url: `/api/orders/${id}/history`, headers: viewer })
  expect(history.json<OrderEvent[]>()).toMatchObject([
    { action: 'order.reserved', items: [{ sku: 'HOOK', quantity: 2 }] },
    { action: 'order.prints_queued', items: [{ sku: 'HOOK', quantity: 3 }], jobs: [{ id: job }] },
    { action: 'order.shipped', items: [{ sku: 'HOOK', quantity: 1 }], actor: { kind: 'user' } },
    { action: 'order.released', items: [{ sku: 'HOOK', quantity: 1 }] },
    { action: 'order.reserved', items: [{ sku: 'HOOK', quantity: 5 }] },
  ])
  for (const nowhere of [`/api/orders/${earlier}/lines/${line?.id}/account`, `/api/orders/${itemId}/history`])
    expect((await app.http.inject({ url: nowhere, headers: viewer })).statusCode).toBe(404)
})

it('a piece in stock goes to only one order: the first by due date, then by time of placing, then by number', async () => {
  const app = await buildTestApp()
  await anItem(app, { sku: 'HOOK', quantity: 2 })
  const now = app.clock.now()
  const late = await anOrder(app, { orderNumber: 'C', dueAt: addMs(now, 2 * DAY_MS), lines: [aLine(1)] })
  const undated = await anOrder(app, { orderNumber: 'A', lines: [aLine(1)] })
  const soon = await anOrder(app, { orderNumber: 'D', dueAt: addMs(now, DAY_MS), lines: [aLine(1)] })
  const ready = async () => {
    const stats = await app.http.inject({ url: '/api/stats', headers: await app.as('viewer') })
    const orders = await Promise.all([soon, late, undated].map((id) => read(app, id)))
    expect(orders.filter((order) => order.ready_to_pack).length).toBe(
      stats.json<{ orders_ready_to_pack: number }>().orders_ready_to_pack,
    )
    return orders.map((order) => order.ready_to_pack)
  }
  expect(await ready()).toEqual([true, true, false])
  const staff = await app.as('staff')
  await post(app, staff, `/api/orders/${soon}/hold`)
  expect(await ready()).toEqual([false, true, true])
})

it('a line of an unknown SKU gets its item when the item is added, or when the order is sent again', async () => {
  const app = await buildTestApp()
  const shop = keyHeader((await aKey(app, { role: 'staff' })).key)
  const order = {
    order_number: 'W-1',
    total_amount: 5,
    items: [
      { sku: 'new-1', quantity: 1, unit_price: 5 },
      { sku: 'NEW-2', quantity: 1, unit_price: 0 },
    ],
  }
  const sent = (await post(app, shop, '/api/integration/orders', order)).json<Order>()
  expect(sent.items.map((line) => [line.inventory_item_id, line.short_by])).toEqual([
    [null, 1],
    [null, 1],
  ])
  const itemId = await anItem(app, { sku: 'NEW-1', quantity: 1 })
  expect((await read(app, sent.id)).items.map((line) => [line.inventory_item_id, line.short_by])).toEqual([
    [itemId, 0],
    [null, 1],
  ])
  const other = await anItem(app, { sku: 'NEW-2', quantity: 1 })
  const again = await post(app, shop, '/api/integration/orders', order)
  expect(again.json<Order>().items[1]?.inventory_item_id).toBe(other)
})

it('an order frees its pieces when the shop cancels it, or ships them when the shop completes it', async () => {
  const app = await buildTestApp()
  const [staff, shop] = [await app.as('staff'), keyHeader((await aKey(app, { role: 'staff' })).key)]
  const itemId = await anItem(app, { sku: 'HOOK', quantity: 10 })
  const stock = async () => {
    const item = await app.http.inject({ url: `/api/inventory/${itemId}`, headers: staff })
    const { quantity, reserved_quantity } = item.json<{ quantity: number; reserved_quantity: number }>()
    return [quantity, reserved_quantity]
  }
  const send = async (order_number: string, status?: string) =>
    (
      await post(app, shop, '/api/integration/orders', {
        order_number,
        total_amount: 3,
        ...(status && { status }),
        items: [{ sku: 'HOOK', quantity: 3, unit_price: 1 }],
      })
    ).json<Order>()

  const cancelled = await send('W-1')
  await post(app, staff, `/api/orders/${cancelled.id}/reserve`)
  expect(await stock()).toEqual([10, 3])
  // The shop repeats the status from before people began to work on the order. It is ignored.
  expect(await send('W-1', 'pending')).toMatchObject({ status: 'in_progress' })
  expect(await send('W-1', 'cancelled')).toMatchObject({ status: 'cancelled' })
  expect(await stock()).toEqual([10, 0])

  const completed = await send('W-2')
  await post(app, staff, `/api/orders/${completed.id}/reserve`, {
    items: [{ line_id: completed.items[0]?.id, quantity: 2 }],
  })
  expect(await send('W-2', 'completed')).toMatchObject({ status: 'completed', shipments: [{ number: 1 }] })
  expect(await stock()).toEqual([7, 0])
})

it('the pieces of a completed job are part of the stock and no longer queued', async () => {
  const app = await buildTestApp()
  const itemId = await anItem(app, { sku: 'HOOK', quantity: 0 })
  const id = await anOrder(app, { lines: [aLine(4)] })
  const jobId = await aPrintJob(app, { itemId, orderId: id, quantity: 4 })
  expect(await read(app, id)).toMatchObject({ status: 'in_progress', ready_to_pack: false })
  expect(accountOf(await read(app, id))).toEqual([0, 0, 0, 4, 4, 0])
  await advance(app, jobId, { to: 'completed', good: 4, rejected: 0 })
  expect(accountOf(await read(app, id))).toEqual([0, 0, 4, 0, 0, 0])
  expect((await read(app, id)).ready_to_pack).toBe(true)
})

it('the account of an ended order names the pieces that were not shipped', async () => {
  const app = await buildTestApp()
  const staff = await app.as('staff')
  const hook = await anItem(app, { sku: 'HOOK', quantity: 2 })
  const egg = await anItem(app, { sku: 'EGG', quantity: 1 })
  const items = [
    { inventory_item_id: hook, quantity: 1 },
    { inventory_item_id: egg, quantity: 2 },
  ]
  await post(app, staff, '/api/orders/unknown-skus/map', { sku: 'NEST', items })
  await post(app, staff, '/api/orders/unknown-skus/ignore', { sku: 'WRAP' })
  const make = () =>
    anOrder(app, { lines: [aLine(5), aLine(3, 'STRANGE'), aLine(1, 'WRAP'), aLine(2, 'NEST')] })
  const accountsOf = async (id: string) => {
    const order = await read(app, id)
    for (const line of order.items.flatMap((each) => [each, ...each.parts]))
      if (!line.is_ignored)
        expect([line.sku, line.quantity]).toEqual([
          line.sku,
          line.shipped_quantity +
            line.reserved_quantity +
            line.allocated_quantity +
            line.short_by +
            line.not_shipped_quantity,
        ])
    return order.items.map((line) => [line.missing_quantity, line.not_shipped_quantity])
  }
  const id = await make()
  await aPrintJob(app, { itemId: hook, orderId: id, quantity: 2 })
  expect(await accountsOf(id)).toEqual([
    [1, 0],
    [3, 0],
    [0, 0],
    [2, 0],
  ])
  const [line] = (await read(app, id)).items
  await post(app, staff, `/api/orders/${id}/ship`, { items: [{ line_id: line?.id, quantity: 1 }] })
  await post(app, staff, `/api/orders/${id}/reserve`)
  await post(app, staff, `/api/orders/${id}/hold`)
  await accountsOf(id)
  await post(app, staff, `/api/orders/${id}/resume`)
  expect((await post(app, staff, `/api/orders/${id}/complete`, { close_short: true })).statusCode).toBe(200)
  const closed = [
    [0, 4],
    [0, 3],
    [0, 0],
    [0, 2],
  ]
  expect(await accountsOf(id)).toEqual(closed)
  await post(app, staff, `/api/orders/${id}/return`, { items: [{ line_id: line?.id, quantity: 1 }] })
  expect(await accountsOf(id)).toEqual(closed)
  const cancelled = await make()
  await post(app, staff, `/api/orders/${cancelled}/cancel`)
  expect(await accountsOf(cancelled)).toEqual([
    [0, 5],
    [0, 3],
    [0, 0],
    [0, 2],
  ])
})

it('the history names how an order ended in the shop or by another program, and the pieces that became free', async () => {
  const app = await buildTestApp()
  const [staff, key] = [await app.as('staff'), keyHeader((await aKey(app, { role: 'staff' })).key)]
  await anItem(app, { sku: 'HOOK', quantity: 20 })
  const historyOf = async (id: string) => {
    const events = (await app.http.inject({ url: `/api/orders/${id}/history`, headers: staff })).json<
      OrderEvent[]
    >()
    return events.map(({ action, items, changed_fields: fields }) => [
      action,
      items.map(({ sku, quantity }) => `${quantity} ${sku}`).join(),
      fields.join(),
    ])
  }
  const begin = async (orderNumber: string) => {
    const { id } = await send(orderNumber)
    await post(app, staff, `/api/orders/${id}/reserve`)
    return id
  }
  const send = async (number: string, change: object = {}, quantity = 5) => {
    const items = [{ sku: 'HOOK', quantity, unit_price: 1 }]
    const body = { order_number: number, total_amount: 5, items, ...change }
    return (await post(app, key, '/api/integration/orders', body)).json<Order>()
  }

  const cancelled = await begin('CANCELLED')
  await send('CANCELLED', { status: 'cancelled', notes: 'No longer wanted' })
  expect(await historyOf(cancelled)).toEqual([
    ['order.cancelled', '', ''],
    ['order.updated', '', 'notes'],
    ['order.released', '5 HOOK', ''],
    ['order.reserved', '5 HOOK', ''],
    ['order.created', '', ''],
  ])

  const completed = await begin('COMPLETED')
  await send('COMPLETED', { status: 'completed' })
  expect((await historyOf(completed)).slice(0, 2)).toEqual([
    ['order.completed', '', ''],
    ['order.shipped', '5 HOOK', ''],
  ])

  const lowered = await begin('LOWERED')
  await send('LOWERED', {}, 2)
  expect((await historyOf(lowered)).slice(0, 2)).toEqual([
    ['order.updated', '', expect.stringContaining('items')],
    ['order.released', '3 HOOK', ''],
  ])
  await post(app, staff, `/api/orders/${lowered}/complete`, { close_short: true })
  expect((await historyOf(lowered)).slice(0, 2)).toEqual([
    ['order.completed', '', ''],
    ['order.released', '2 HOOK', ''],
  ])

  const ended = await begin('ENDED')
  await post(app, staff, `/api/orders/${ended}/cancel`)
  expect((await historyOf(ended)).slice(0, 2)).toEqual([
    ['order.cancelled', '', ''],
    ['order.released', '5 HOOK', ''],
  ])

  const removed = await begin('REMOVED')
  await app.http.inject({
    method: 'DELETE',
    url: `/api/orders/${removed}`,
    headers: { ...staff, 'if-match': '*' },
  })
  await post(app, staff, `/api/orders/${removed}/restore`)
  expect((await historyOf(removed)).slice(0, 3)).toEqual([
    ['order.restored', '', ''],
    ['order.deleted', '', ''],
    ['order.released', '5 HOOK', ''],
  ])
})

it("an order's history names the reason of a return, and the prints that were queued for the order", async () => {
  const app = await buildTestApp()
  const staff = await app.as('staff')
  await anItem(app, { name: 'Hook', sku: 'HOOK', quantity: 3 })
  const id = await anOrder(app, { lines: [aLine(5)] })
  expect((await post(app, staff, `/api/orders/${id}/plan`)).statusCode).toBe(201)
  const line_id = (await read(app, id)).items[0]?.id
  const shipped = await post(app, staff, `/api/orders/${id}/ship`, { items: [{ line_id, quantity: 3 }] })
  expect(shipped.statusCode).toBe(201)
  const items = [{ line_id, quantity: 1, to: 'scrap', reason: 'Corner chipped' }]
  expect((await post(app, staff, `/api/orders/${id}/return`, { items })).statusCode).toBe(200)
  const history = await app.http.inject({ url: `/api/orders/${id}/history`, headers: staff })
  expect(history.json<OrderEvent[]>()).toMatchObject([
    { action: 'order.returned', reason: 'Corner chipped', items: [{ sku: 'HOOK', quantity: 1 }] },
    { action: 'order.shipped', reason: null },
    { action: 'order.prints_queued', items: [{ sku: 'HOOK', quantity: 2 }] },
  ])
})
