import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { callsOf } from '../../../../test/support/api-calls.ts'
import { buildTestApp } from '../../../../test/support/build-test-app.ts'
import { untilWaiting } from '../../../../test/support/database/lock-waits.ts'
import { aMovement, aPrintJob, anItem, anOrder } from '../../../../test/support/stock-factories.ts'
import { listReservations, lockOrderOf } from './reservations.queries.ts'

const MENDING = new URL('../../../../migrations/0043-reservations-freed-by-nobody.sql', import.meta.url)

it('migration 0043 deducts pieces that were released without an order from the oldest reservations', async () => {
  const app = await buildTestApp()
  const { sql } = app.database
  const itemId = await anItem(app, { quantity: 10 })
  const orders = [await anOrder(app), await anOrder(app), await anOrder(app)]
  for (const orderId of orders)
    await aMovement(app, { itemId, kind: 'reserve', delta: 0, reservedDelta: 3, orderId })
  // This row imitates an earlier version, in which a release did not have to name its order. It releases four of the
  // nine pieces.
  await sql`
    insert into movements (id, item_id, kind, delta, reserved_delta, actor_kind, actor_name, created_at)
    values (gen_random_uuid(), ${itemId}, 'release', 0, -4, 'system', 'Pegasus Ops', now())`
  const text = await readFile(MENDING, 'utf8')
  for (let twice = 0; twice < 2; twice += 1) {
    await app.database.transaction(async (tx) => tx.unsafe(text))
    const held = await listReservations(sql, itemId)
    expect(held.map(({ order_id: orderId, quantity }) => [orderId, quantity])).toEqual([
      [orders[1], 2],
      [orders[2], 3],
    ])
  }
  const [item] = await sql`
    select quantity, reserved_quantity,
           (select sum(reserved_delta)::int from movements where item_id = ${itemId}) as reserved
    from items where id = ${itemId}`
  expect(item).toEqual({ quantity: 10, reserved_quantity: 5, reserved: 5 })
  // A release that is written after the migration reduces the reservation of its own order.
  await aMovement(app, { itemId, kind: 'release', delta: 0, reservedDelta: -3, orderId: orders[2] ?? '' })
  expect(await listReservations(sql, itemId)).toMatchObject([{ order_id: orders[1], quantity: 2 }])
})

it('a print job for an order is added while the order is locked for a reservation, or waits without holding the item', async () => {
  const app = await buildTestApp()
  const staff = callsOf(app, await app.as('staff'))
  const itemId = await anItem(app)
  const begun = await anOrder(app)
  const jobId = await aPrintJob(app, { itemId, orderId: begun })
  expect((await staff(`POST /api/print-queue/${jobId}/cancel`, {})).status).toBe(200)
  const orderId = await anOrder(app)
  const adding = await app.database.transaction(async (tx) => {
    await lockOrderOf(tx, begun)
    expect((await staff(`POST /api/print-queue/${jobId}/requeue`, {})).status).toBe(201)
    await lockOrderOf(tx, orderId)
    const answer = staff('POST /api/print-queue', {
      inventory_item_id: itemId,
      order_id: orderId,
      quantity: 1,
    })
    await untilWaiting(app, 1)
    await tx`select from items where id = ${itemId} for update nowait`
    return { answer }
  })
  expect((await adding.answer).status).toBe(201)
})

it.each([
  [
    'edited',
    ({ staff, job, orderId, itemId }) =>
      staff(
        `PUT /api/print-queue/${job}`,
        { order_id: orderId, inventory_item_id: itemId },
        { 'if-match': '*' },
      ),
  ],
  ['split', ({ staff, job }) => staff(`POST /api/print-queue/${job}/split`, { quantity: 1 })],
  ['requeued as the next attempt', ({ staff, ended }) => staff(`POST /api/print-queue/${ended}/requeue`, {})],
] satisfies [
  string,
  (shop: {
    staff: ReturnType<typeof callsOf>
    job: string
    ended: string
    orderId: string
    itemId: string
  }) => ReturnType<ReturnType<typeof callsOf>>,
][])('a print job that is %s waits for its order before it holds the job and the item', async (_, change) => {
  const app = await buildTestApp()
  const staff = callsOf(app, await app.as('staff'))
  const [itemId, orderId] = [await anItem(app), await anOrder(app)]
  const [job, ended] = [
    await aPrintJob(app, { itemId, orderId, quantity: 2 }),
    await aPrintJob(app, { itemId, orderId }),
  ]
  await staff(`POST /api/print-queue/${ended}/cancel`, {})
  await app.database.sql`update orders set status = 'pending' where id = ${orderId}`
  const answer = await app.database.transaction(async (tx) => {
    await lockOrderOf(tx, orderId)
    const changing = change({ staff, job, ended, orderId, itemId: await anItem(app) })
    await untilWaiting(app, 1)
    await tx`select from items for update nowait`
    await tx`select from print_jobs for update nowait`
    return { changing }
  })
  expect((await answer.changing).status).toBeLessThan(300)
})
