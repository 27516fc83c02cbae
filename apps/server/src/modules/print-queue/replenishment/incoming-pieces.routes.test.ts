import type { PrintJob } from '@pegasus/contracts/print-queue/jobs'
import type { ReplenishmentLine } from '@pegasus/contracts/print-queue/replenishment'
import { beforeEach, expect, it } from 'vitest'
import { type TestApp, buildTestApp } from '../../../../test/support/build-test-app.ts'
import { aModel } from '../../../../test/support/library/library-factories.ts'
import { aMovement, anItem, anOrder } from '../../../../test/support/stock-factories.ts'

let app: TestApp
let itemId: string

beforeEach(async () => {
  app = await buildTestApp()
  itemId = await anItem(app, { name: 'Dragon', sku: 'DRAGON', quantity: 0 })
  const model = await aModel(app)
  await app.database.sql`
    update items set stl_file_id = ${model}, pieces_per_print = 4, reorder_point = 5, max_stock = 10 where id = ${itemId}`
})

const send = async (method: 'GET' | 'POST', url: string, payload?: object) =>
  app.http.inject({ method, url, headers: await app.as('staff'), ...(payload && { payload }) })

const lineOf = async () =>
  (await send('GET', '/api/inventory/replenishment'))
    .json<ReplenishmentLine[]>()
    .find(({ inventory_item_id: id }) => id === itemId)

/** Adds an order of this many dragons and queues its prints. Returns the id of the order. */
async function aPlannedOrder(quantity: number): Promise<string> {
  const id = await anOrder(app, { lines: [{ sku: 'DRAGON', name: 'Dragon', quantity, unitPriceMinor: 100 }] })
  expect((await send('POST', `/api/orders/${id}/plan`)).statusCode).toBe(201)
  return id
}

it('pieces that are queued beyond the need of an order count as queued for stock', async () => {
  const orderId = await aPlannedOrder(10)
  expect(await lineOf()).toMatchObject({ queued: 0, missing: 10 })
  await app.database.sql`update order_lines set quantity = 2 where order_id = ${orderId}`
  expect(await lineOf()).toMatchObject({
    queued: 8,
    missing: 2,
    sentence: '10 wanted − 8 queued = 2 → 1 plate of 4 → 2 to stock',
  })
})

it('if an order takes free pieces, more of the pieces that were queued for it count as queued for stock', async () => {
  const orderId = await aPlannedOrder(10)
  await aMovement(app, { itemId, kind: 'adjust', delta: 3 })
  await app.database.sql`update order_lines set quantity = 5 where order_id = ${orderId}`
  // Three of the five ordered pieces are on the shelf, so the order needs two of the ten queued pieces.
  expect(await lineOf()).toMatchObject({ on_shelf: 0, queued: 8, missing: 2 })
})

it('queued pieces of one order do not cover the missing pieces of another order', async () => {
  const orderId = await aPlannedOrder(6)
  await anOrder(app, { lines: [{ sku: 'DRAGON', name: 'Dragon', quantity: 7, unitPriceMinor: 100 }] })
  await app.database.sql`update order_lines set quantity = 2 where order_id = ${orderId}`
  expect(await lineOf()).toMatchObject({ queued: 4, missing: 6 })
})

it('pieces that a running plate prints beyond its job count as queued', async () => {
  await aPlannedOrder(3)
  const [job] = (await send('GET', '/api/print-queue')).json<PrintJob[]>()
  expect(await lineOf()).toMatchObject({ queued: 0 })
  expect((await send('POST', `/api/print-queue/${job?.id}/start`, { printer: 'Left' })).statusCode).toBe(200)
  expect(await lineOf()).toMatchObject({ queued: 1, missing: 9 })
})
