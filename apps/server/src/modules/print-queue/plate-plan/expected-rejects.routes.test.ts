import type { PrintJob } from '@pegasus/contracts/print-queue/jobs'
import type { OrderPlan } from '@pegasus/contracts/orders/order-plan'
import { expect, it } from 'vitest'
import { callsOf } from '../../../../test/support/api-calls.ts'
import { buildTestApp } from '../../../../test/support/build-test-app.ts'
import { aPrintJob, anItem, anOrder } from '../../../../test/support/stock-factories.ts'

it('a plan includes expected rejects once ten pieces were counted, and a person can change their number', async () => {
  const app = await buildTestApp()
  const staff = callsOf(app, await app.as('staff'))
  const itemId = await anItem(app, { name: 'Dragon', sku: 'DRAGON', quantity: 0 })
  await app.database.sql`update items set pieces_per_print = 4 where id = ${itemId}`
  const print = async (good: number, rejected: number) => {
    const id = await aPrintJob(app, { itemId, quantity: good + rejected })
    await staff(`POST /api/print-queue/${id}/start`, {})
    const counts = { good_quantity: good, rejected_quantity: rejected }
    const done = await staff(`POST /api/print-queue/${id}/complete`, counts)
    expect(done.status, done.text).toBe(200)
    await staff(`POST /api/print-queue/${id}/cancel`, {})
  }
  const orderFor = (quantity: number) =>
    anOrder(app, { lines: [{ sku: 'DRAGON', name: 'Dragon', quantity, unitPriceMinor: 1999 }] })
  const lineOf = async (id: string) => (await staff(`GET /api/orders/${id}/plan`)).json<OrderPlan>().items[0]

  await print(7, 2)
  const orderId = await orderFor(15)
  expect(await lineOf(orderId)).toMatchObject({ missing: 8, expected_rejects: 0, plates: 2, surplus: 0 })
  await print(1, 0)
  // So far, eight of ten pieces of the item were good.
  expect(await lineOf(orderId)).toMatchObject({
    missing: 7,
    expected_rejects: 2,
    pieces_per_plate: 4,
    plates: 3,
    surplus: 3,
    sentence: '15 ordered − 8 on the shelf = 7 + 2 expected rejects → 3 plates of 4 → 3 to stock',
  })
  const made = (await staff(`POST /api/orders/${orderId}/plan`)).json<{ jobs: PrintJob[] }>()
  const [job] = made.jobs
  expect(job).toMatchObject({ quantity: 7, expected_rejects: 2, missing_quantity: 7, plates: 3 })
  const edit = (change: object) => staff(`PUT /api/print-queue/${job?.id}`, change, { 'if-match': '*' })
  expect((await edit({ quantity: 14 })).json()).toMatchObject({ expected_rejects: 4, plates: 5 })
  expect((await edit({ quantity: 7, expected_rejects: 0 })).json()).toMatchObject({
    expected_rejects: 0,
    plates: 2,
  })
  expect((await edit({ expected_rejects: -1 })).status).toBe(422)

  // If no plate size is known, the spare piece is printed on the same plate. Later plates do not inherit this size.
  await app.database.sql`update items set pieces_per_print = 1 where id = ${itemId}`
  const large = await orderFor(4)
  expect(await lineOf(large)).toMatchObject({
    expected_rejects: 1,
    sentence: '4 ordered = 4 + 1 expected reject → 1 plate of 5',
  })
  const [whole] = (await staff(`POST /api/orders/${large}/plan`)).json<{ jobs: PrintJob[] }>().jobs
  expect(whole).toMatchObject({ quantity: 4, pieces_per_plate: 5, plates: 1 })
  await staff(`POST /api/print-queue/${whole?.id}/start`, {})
  const done = await staff(`POST /api/print-queue/${whole?.id}/complete`, { rejected_quantity: 1 })
  expect(done.json()).toMatchObject({ status: 'completed', good_quantity: 4, rejected_quantity: 1 })
  expect(await lineOf(await orderFor(2))).toMatchObject({
    sentence: '2 ordered = 2 + 1 expected reject → 1 plate of 3',
  })
})
