import type { BulkOrdersResult } from '@pegasus/contracts/orders/bulk-orders'
import type { Order } from '@pegasus/contracts/orders/orders'
import { expect, it } from 'vitest'
import { buildTestApp } from '../../../../test/support/build-test-app.ts'
import { act } from '../../../../test/support/shop-apps.ts'
import { aPrintJob, advance, anItem, anOrder } from '../../../../test/support/stock-factories.ts'
import { DAY_MS, addMs } from '../../../platform/clock.ts'

const line = (sku: string, quantity: number) => ({ sku, name: sku, quantity, unitPriceMinor: 100 })

async function aShop() {
  const app = await buildTestApp()
  const staff = await app.as('staff')
  const bulk = async (action: string, ids: readonly string[]) => {
    const answer = await app.http.inject({
      method: 'POST',
      url: '/api/orders/bulk',
      headers: staff,
      payload: { action, ids },
    })
    return { status: answer.statusCode, body: answer.json<BulkOrdersResult>() }
  }
  const read = async (id: string) =>
    (await app.http.inject({ url: `/api/orders/${id}`, headers: staff })).json<Order>()
  return { app, bulk, read }
}

it('one call can reserve, hold, resume, ship or delete many orders, with a reason for each refused order', async () => {
  const { app, bulk, read } = await aShop()
  await anItem(app, { sku: 'HOOK', quantity: 3 })
  const first = await anOrder(app, { orderNumber: 'A-1', lines: [line('HOOK', 2)] })
  const second = await anOrder(app, { orderNumber: 'A-2', lines: [line('HOOK', 2)] })
  const done = await anOrder(app, { orderNumber: 'A-3', status: 'completed', lines: [line('HOOK', 1)] })
  const all = [first, second, done]
  const reserved = await bulk('reserve', all)
  expect(reserved.body).toEqual({
    changed: [first, second],
    failed: [{ id: done, detail: 'Order A-3 is completed.' }],
    partly_reserved: [second],
    shipments: [],
    proposed_cancellations: [],
  })
  expect((await read(first)).items[0]?.reserved_quantity).toBe(2)
  expect((await read(second)).items[0]?.reserved_quantity).toBe(1)
  expect((await bulk('hold', [second])).body.changed).toEqual([second])
  expect((await bulk('resume', [second])).body.changed).toEqual([second])
  const shipped = await bulk('ship', [first, second])
  expect(shipped.body).toMatchObject({
    changed: [first],
    failed: [{ id: second, detail: '1 piece of “HOOK” (HOOK) is missing.' }],
  })
  expect((await read(first)).status).toBe('completed')
  expect((await bulk('release', [second])).body.changed).toEqual([second])
  const removed = await bulk('delete', [first, second])
  expect(removed.body).toMatchObject({ changed: [second], failed: [{ id: first }] })
  expect((await bulk('restore', [second])).body.changed).toEqual([second])
})

it('shipping many orders names their shipments, each of which can be undone', async () => {
  const { app, bulk, read } = await aShop()
  await anItem(app, { sku: 'HOOK', quantity: 3 })
  const first = await anOrder(app, { orderNumber: 'A-1', lines: [line('HOOK', 2)] })
  const second = await anOrder(app, { orderNumber: 'A-2', lines: [line('HOOK', 1)] })
  const { shipments } = (await bulk('ship', [first, second])).body
  const shipmentOf = async (id: string) => (await read(id)).shipments.map((shipment) => shipment.id)
  expect(shipments.map((each) => [each.order_id, each.shipment_id])).toEqual([
    [first, ...(await shipmentOf(first))],
    [second, ...(await shipmentOf(second))],
  ])
  await act(app, first, 'undo-shipment', { shipment_id: shipments[0]?.shipment_id })
  expect([await shipmentOf(first), (await shipmentOf(second)).length]).toEqual([[], 1])
})

it('reserving many orders gives each order the same pieces, whatever the sequence of the ids', async () => {
  const { app, bulk, read } = await aShop()
  await anItem(app, { sku: 'HOOK', quantity: 3 })
  await anItem(app, { sku: 'EGG', quantity: 1 })
  const due = (days: number) => ({ dueAt: addMs(app.clock.now(), days * DAY_MS) })
  // The order that is due first was placed last.
  const third = await anOrder(app, { orderNumber: 'T-3', ...due(3), lines: [line('HOOK', 2)] })
  const second = await anOrder(app, {
    orderNumber: 'T-2',
    ...due(2),
    lines: [line('HOOK', 1), line('EGG', 1), line('HOOK', 1)],
  })
  const first = await anOrder(app, { orderNumber: 'T-1', ...due(1), lines: [line('HOOK', 2)] })
  const strange = await anOrder(app, { orderNumber: 'T-4', lines: [line('WHAT', 1)] })
  const reservedIn = async (id: string) => (await read(id)).items.map((each) => each.reserved_quantity)
  const toFirst = { order_id: first, order_number: 'T-1', due_at: due(1).dueAt.toISOString() }
  const promised = {
    id: third,
    detail: '3 pieces of “HOOK” (HOOK) are promised to T-1 and 1 other order.',
    promised_to: toFirst,
  }
  // The last order gets nothing while earlier orders need the pieces, even if those orders have not reserved them yet.
  expect((await bulk('reserve', [third])).body).toMatchObject({ changed: [], failed: [promised] })
  expect(await reservedIn(third)).toEqual([0])
  const ids = [third, strange, second, first]
  for (const sequence of [ids, ids.toReversed(), [second, third, first, strange]]) {
    const { body } = await bulk('reserve', sequence)
    expect(body.changed.toSorted()).toEqual([first, second].toSorted())
    expect(body.partly_reserved).toEqual([second])
    expect(body.failed.toSorted((a) => (a.id === third ? -1 : 1))).toEqual([
      promised,
      { id: strange, detail: expect.stringContaining('No inventory item has the SKU') },
    ])
    expect(await reservedIn(first)).toEqual([2])
    expect(await reservedIn(second)).toEqual([1, 1, 0])
    expect(await reservedIn(third)).toEqual([0])
    // Repeating the call changes nothing. The order has all its pieces, so it is not reported as partly reserved.
    expect((await bulk('reserve', [first])).body).toMatchObject({ changed: [first], partly_reserved: [] })
    await bulk('release', [first, second])
  }
})

it('shipping many orders takes no pieces that are promised to an earlier order, whatever the sequence of the ids', async () => {
  const { app, bulk, read } = await aShop()
  await anItem(app, { sku: 'HOOK', quantity: 3 })
  const due = (days: number) => ({ dueAt: addMs(app.clock.now(), days * DAY_MS) })
  const late = await anOrder(app, { orderNumber: 'T-2', lines: [line('HOOK', 2)] })
  const first = await anOrder(app, { orderNumber: 'T-1', ...due(1), lines: [line('HOOK', 2)] })
  const promised = {
    id: late,
    detail: '2 pieces of “HOOK” (HOOK) are promised to T-1.',
    promised_to: { order_id: first, order_number: 'T-1', due_at: due(1).dueAt.toISOString() },
  }
  expect((await bulk('ship', [late])).body).toMatchObject({ changed: [], failed: [promised] })
  expect((await bulk('ship', [late, first])).body).toMatchObject({ changed: [first], failed: [{ id: late }] })
  expect((await read(first)).status).toBe('completed')
  expect((await read(late)).items[0]?.shipped_quantity).toBe(0)
})

it('simultaneous calls that reserve many orders give no order pieces that are promised to an earlier order', async () => {
  const { app, bulk, read } = await aShop()
  await anItem(app, { sku: 'HOOK', quantity: 7 })
  const ids: string[] = []
  for (let number = 1; number <= 5; number += 1)
    ids.push(await anOrder(app, { orderNumber: `S-${number}`, lines: [line('HOOK', 2)] }))
  await Promise.all([...ids.map((id) => bulk('reserve', [id])), bulk('reserve', ids.toReversed())])
  const reserved = await Promise.all(ids.map(async (id) => (await read(id)).items[0]?.reserved_quantity))
  expect(reserved).toEqual([2, 2, 2, 1, 0])
})

it('cancelling many orders frees their pieces, lists their waiting jobs, and refuses a completed order', async () => {
  const { app, bulk, read } = await aShop()
  const itemId = await anItem(app, { sku: 'HOOK', quantity: 2 })
  const first = await anOrder(app, { orderNumber: 'C-1', lines: [line('HOOK', 4)] })
  const second = await anOrder(app, { orderNumber: 'C-2', lines: [line('HOOK', 1)] })
  const done = await anOrder(app, { orderNumber: 'C-3', status: 'completed', lines: [line('HOOK', 1)] })
  await bulk('reserve', [first])
  const waiting = await aPrintJob(app, { itemId, orderId: first })
  const running = await aPrintJob(app, { itemId, orderId: second })
  await advance(app, running, { to: 'in_progress' })
  const cancelled = await bulk('cancel', [first, second, done])
  expect(cancelled.body).toEqual({
    changed: [first, second],
    failed: [{ id: done, detail: 'Order C-3 is completed. Book a return of the pieces instead.' }],
    partly_reserved: [],
    shipments: [],
    proposed_cancellations: [waiting],
  })
  expect(await read(first)).toMatchObject({ status: 'cancelled', items: [{ reserved_quantity: 0 }] })
  // Repeating the call changes nothing.
  expect((await bulk('cancel', [first])).body.changed).toEqual([first])
})

it('deleting orders and completing one without its rest lists their waiting jobs, and never one that is being printed', async () => {
  const { app, bulk } = await aShop()
  const itemId = await anItem(app, { sku: 'HOOK', quantity: 0 })
  const orderId = await anOrder(app, { lines: [line('HOOK', 4)] })
  const other = await anOrder(app, { lines: [line('HOOK', 4)] })
  const jobs: string[] = []
  for (const id of [orderId, other]) {
    const running = await aPrintJob(app, { itemId, orderId: id })
    await advance(app, running, { to: 'in_progress' })
    jobs.push(await aPrintJob(app, { itemId, orderId: id }))
  }
  const [waiting = '', otherWaiting = ''] = jobs
  const deleted = await bulk('delete', [orderId])
  expect(deleted.body).toMatchObject({ changed: [orderId], proposed_cancellations: [waiting] })
  const completed = await act(app, other, 'complete', { close_short: true })
  expect(completed).toMatchObject({ status: 'completed', proposed_cancellations: [otherWaiting] })
})

it('a bulk action is refused for too many orders, no orders, or an unknown action', async () => {
  const { bulk } = await aShop()
  const ids = Array.from({ length: 101 }, () => crypto.randomUUID())
  for (const [action, some] of [
    ['hold', ids],
    ['hold', []],
    ['burn', ids.slice(1)],
  ] as const)
    expect((await bulk(action, some)).status).toBe(422)
  const [unknown = ''] = ids
  expect((await bulk('hold', [unknown])).body.failed).toMatchObject([
    { id: unknown, detail: 'Order not found.' },
  ])
})
