import type { OrderEvent } from '@pegasus/contracts/orders/order-account'
import type { PrintJob } from '@pegasus/contracts/print-queue/jobs'
import { expect, it } from 'vitest'
import { buildTestApp } from '../../../../test/support/build-test-app.ts'
import { anItem, anOrder } from '../../../../test/support/stock-factories.ts'

it("an order's history names each finished print and each queued job, with the job and the printer", async () => {
  const app = await buildTestApp()
  const staff = await app.as('staff')
  const itemId = await anItem(app, { name: 'Hook', sku: 'HOOK', quantity: 0 })
  const id = await anOrder(app, { lines: [{ sku: 'HOOK', quantity: 10, unitPriceMinor: 100 }] })
  const post = (url: string, payload: object = {}) =>
    app.http.inject({ method: 'POST', url, headers: staff, payload })
  const plan = await post(`/api/orders/${id}/plan`)
  const [planned] = plan.json<{ jobs: PrintJob[] }>().jobs
  app.clock.advance(1000)
  const body = { inventory_item_id: itemId, quantity: 4, order_id: id }
  const byHand = (await post('/api/print-queue', body)).json<PrintJob>()
  app.clock.advance(1000)
  await post(`/api/print-queue/${byHand.id}/start`, { printer: 'Prusa 1' })
  app.clock.advance(1000)
  const counts = { good_quantity: 3, rejected_quantity: 1 }
  const done = await post(`/api/print-queue/${byHand.id}/complete`, counts)
  expect(done.statusCode).toBe(200)

  const history = async () =>
    (await app.http.inject({ url: `/api/orders/${id}/history`, headers: staff })).json<OrderEvent[]>()
  const jobOf = ({ id: jobId, label_code: code }: Pick<PrintJob, 'id' | 'label_code'>) => ({
    id: jobId,
    code,
  })
  const printed = { action: 'order.printed', printer: 'Prusa 1', actor: { kind: 'user' } }
  expect(await history()).toMatchObject([
    { ...printed, items: [{ sku: 'HOOK', name: 'Hook', quantity: 3 }], jobs: [jobOf(byHand)] },
    { action: 'order.prints_queued', items: [{ quantity: 4 }], jobs: [jobOf(byHand)], printer: null },
    { action: 'order.prints_queued', items: [{ quantity: 10 }], jobs: [jobOf(planned!)], printer: null },
  ])

  // The history still shows the printed pieces when the job is in the trash, but no longer links the job.
  const url = `/api/print-queue/${byHand.id}`
  const removed = await app.http.inject({ method: 'DELETE', url, headers: { ...staff, 'if-match': '*' } })
  expect(removed.statusCode).toBe(204)
  expect((await history())[0]).toMatchObject({ action: 'order.printed', jobs: [] })
})
