import type { OrderPlan } from '@pegasus/contracts/orders/order-plan'
import type { PrintJob } from '@pegasus/contracts/print-queue/jobs'
import { expect, it } from 'vitest'
import { buildTestApp } from '../../../../test/support/build-test-app.ts'
import { aMovement, anItem, anOrder } from '../../../../test/support/stock-factories.ts'

/**
 * Adds an order for dragons, which are printed in plates of four pieces. The returned functions queue pieces, change
 * the order, and read or accept the proposed reductions.
 */
async function anOrderWithPrints(quantity: number) {
  const app = await buildTestApp()
  const itemId = await anItem(app, { name: 'Dragon', sku: 'DRAGON', quantity: 0 })
  await app.database.sql`update items set pieces_per_print = 4 where id = ${itemId}`
  const id = await anOrder(app, {
    lines: [{ sku: 'DRAGON', name: 'Dragon', quantity, unitPriceMinor: 1999 }],
  })
  const call = async <T>(
    method: 'GET' | 'POST' | 'PUT',
    url: string,
    payload?: object,
    headers: object = {},
  ) => {
    const answer = await app.http.inject({
      method,
      url: `/api/${url}`,
      headers: { ...(await app.as('staff')), ...headers },
      ...(payload && { payload }),
    })
    return { status: answer.statusCode, body: answer.json<T>() }
  }
  const queue = async () =>
    (await call<OrderPlan & { jobs: PrintJob[] }>('POST', `orders/${id}/plan`)).body.jobs[0]!
  const order = (pieces: number) =>
    app.database.sql`update order_lines set quantity = ${pieces} where order_id = ${id}`
  const proposed = async () =>
    (await call<OrderPlan>('GET', `orders/${id}/plan`)).body.proposed_reductions.map(
      ({ job_id: job, quantity: now, needed_quantity: needed, fewer }) => [job, now, needed, fewer],
    )
  const lower = async (pieces: number | null) => {
    const [first] = (await call<OrderPlan>('GET', `orders/${id}/plan`)).body.proposed_reductions
    const job = `print-queue/${first?.job_id}`
    return call<PrintJob>('PUT', job, { quantity: pieces }, { 'if-match': `"${first?.revision}"` })
  }
  /** Queues a job for the order like a person who chooses the number of pieces. */
  const queueByHand = async (pieces: number) =>
    (
      await call<PrintJob>('POST', 'print-queue', {
        inventory_item_id: itemId,
        order_id: id,
        quantity: pieces,
        pieces_per_plate: 4,
      })
    ).body
  return { app, id, itemId, call, queue, queueByHand, order, proposed, lower }
}

it('a smaller order proposes to lower the waiting job that was queued last, and to cancel a job without needed pieces', async () => {
  const { app, id, queue, order, proposed, lower } = await anOrderWithPrints(10)
  const first = await queue()
  await order(12)
  const second = await queue()
  expect(await proposed()).toEqual([])
  await order(9)
  expect(await proposed()).toEqual([
    [second.id, 2, null, 2],
    [first.id, 10, 9, 1],
  ])
  await order(11)
  expect(await proposed()).toEqual([[second.id, 2, 1, 1]])
  expect((await lower(1)).status).toBe(200)
  expect(await proposed()).toEqual([])
  // The order no longer contains the item, so its jobs are not needed.
  await app.database.sql`delete from order_lines where order_id = ${id}`
  expect((await proposed()).map(([, , needed]) => needed)).toEqual([null, null])
  await app.database.sql`update orders set status = 'on_hold' where id = ${id}`
  expect(await proposed()).toEqual([])
})

it('a running job can be lowered at most to its finished pieces and the pieces on a printer', async () => {
  const { app, call, queue, order, proposed, lower } = await anOrderWithPrints(12)
  const job = await queue()
  const url = `print-queue/${job.id}`
  expect((await call('POST', `${url}/start`, { printer: 'MK4' })).status).toBe(200)
  await order(1)
  expect(await proposed()).toEqual([[job.id, 12, 4, 8]])
  await call('POST', `${url}/complete`, {})
  expect((await call<PrintJob>('GET', url)).body).toMatchObject({ status: 'pending', good_quantity: 4 })
  // The job waits for its next plate, and the order needs no further piece of it, so the job can be cancelled.
  expect(await proposed()).toEqual([[job.id, 12, null, 8]])
  await order(6)
  expect(await proposed()).toEqual([[job.id, 12, 6, 6]])
  // Somebody starts a plate after the proposal, which makes the proposal outdated.
  const [plan] = await app.database.sql<{ revision: number }[]>`select revision from print_jobs`
  await call('POST', `${url}/start`, { printer: 'MK4' })
  const late = await call('PUT', url, { quantity: 6 }, { 'if-match': `"${plan?.revision}"` })
  expect(late.status).toBe(412)
  expect(await proposed()).toEqual([[job.id, 12, 8, 4]])
  expect((await lower(8)).body).toMatchObject({ quantity: 8, status: 'in_progress' })
})

it('extra pieces that a person queued are kept, but pieces that the order no longer needs are proposed for removal', async () => {
  const { app, itemId, call, queueByHand, order, proposed, lower } = await anOrderWithPrints(7)
  const job = await queueByHand(8)
  const url = `print-queue/${job.id}`
  expect(await proposed()).toEqual([])
  await order(5)
  expect(await proposed()).toEqual([[job.id, 8, 6, 2]])
  await order(7)
  // A count finds two pieces more, until an order that is due earlier gets them.
  await aMovement(app, { itemId, delta: 2, kind: 'count' })
  expect(await proposed()).toEqual([[job.id, 8, 6, 2]])
  await anOrder(app, {
    lines: [{ sku: 'DRAGON', name: 'Dragon', quantity: 2, unitPriceMinor: 1999 }],
    dueAt: app.clock.now(),
  })
  expect(await proposed()).toEqual([])
  // A person raises the quantity, and later lowers it again.
  const edit = (quantity: number) => call('PUT', url, { quantity }, { 'if-match': '*' })
  await edit(11)
  expect(await proposed()).toEqual([])
  await edit(9)
  await order(6)
  expect(await proposed()).toEqual([[job.id, 9, 8, 1]])
  await lower(8)
  expect(await proposed()).toEqual([])
  // Printing pieces does not change the number of extra pieces.
  await call('POST', `${url}/start`, { printer: 'MK4' })
  await call('POST', `${url}/complete`, {})
  expect(await proposed()).toEqual([])
  await order(5)
  expect(await proposed()).toEqual([[job.id, 8, 7, 1]])
})

it('the number of extra pieces stays the same when jobs are split, merged, lowered, cancelled and queued again', async () => {
  const { call, queueByHand, order, proposed } = await anOrderWithPrints(7)
  const job = await queueByHand(9)
  const fewer = async () => (await proposed()).map(([id, , , pieces]) => [id, pieces])
  const { body: part } = await call<PrintJob>('POST', `print-queue/${job.id}/split`, { quantity: 3 })
  expect(await fewer()).toEqual([])
  await order(5)
  // The split-off part got the extra pieces, so the first job has only needed ones.
  expect(await fewer()).toEqual([[job.id, 2]])
  await call('PUT', `print-queue/${part.id}`, { quantity: 1 }, { 'if-match': '*' })
  expect(await fewer()).toEqual([])
  await call('POST', `print-queue/${job.id}/merge`, { job_id: part.id })
  await order(3)
  expect(await fewer()).toEqual([[job.id, 2]])
  await call('POST', `print-queue/${job.id}/cancel`, {})
  const { body: again } = await call<PrintJob>('POST', `print-queue/${job.id}/requeue`, {})
  // A person queued all seven pieces again, although the order needed only three by then. So they count as extra.
  expect(await fewer()).toEqual([])
  await order(2)
  expect(await fewer()).toEqual([[again.id, 1]])
})

it('extra pieces stop being extra once the order needs them, and printed ones count as long as the order has them', async () => {
  const grown = await anOrderWithPrints(7)
  await grown.queueByHand(8)
  await grown.order(10)
  const added = await grown.queue()
  expect(added.quantity).toBe(2)
  await grown.order(8)
  expect(await grown.proposed()).toEqual([[added.id, 2, null, 2]])

  const { call, queue, queueByHand, order, proposed } = await anOrderWithPrints(7)
  const planned = await queue()
  const spare = await queueByHand(4)
  await call('POST', `print-queue/${spare.id}/start`, { printer: 'MK4' })
  await call('POST', `print-queue/${spare.id}/complete`, {})
  expect(await proposed()).toEqual([])
  await order(5)
  expect(await proposed()).toEqual([[planned.id, 7, 5, 2]])
})
