import type { BulkOrdersResult } from '@pegasus/contracts/orders/bulk-orders'
import type { Order } from '@pegasus/contracts/orders/orders'
import { expect, it } from 'vitest'
import { buildTestApp } from '../../../../test/support/build-test-app.ts'
import { aPrintJob, advance, anItem, anOrder } from '../../../../test/support/stock-factories.ts'

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

it('many orders can be reserved, held, resumed, shipped and deleted with one call, and each refused order gets a reason', async () => {
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
    proposed_cancellations: [],
  })
  expect((await read(first)).items[0]?.reserved_quantity).toBe(2)
  expect((await read(second)).items[0]?.reserved_quantity).toBe(1)
  expect((await bulk('hold', [second])).body.changed).toEqual([second])
  expect((await bulk('resume', [second])).body.changed).toEqual([second])
  const shipped = await bulk('ship', [first, second])
  expect(shipped.body).toMatchObject({
    changed: [first],
    failed: [{ id: second, detail: expect.stringContaining('Nothing was shipped.') }],
  })
  expect((await read(first)).status).toBe('completed')
  expect((await bulk('release', [second])).body.changed).toEqual([second])
  const removed = await bulk('delete', [first, second])
  expect(removed.body).toMatchObject({ changed: [second], failed: [{ id: first }] })
  expect((await bulk('restore', [second])).body.changed).toEqual([second])
})

it('cancelling many orders frees their pieces, lists their jobs that have not started, and refuses a completed order', async () => {
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
    proposed_cancellations: [waiting],
  })
  expect(await read(first)).toMatchObject({ status: 'cancelled', items: [{ reserved_quantity: 0 }] })
  // A repeated call changes nothing.
  expect((await bulk('cancel', [first])).body.changed).toEqual([first])
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
