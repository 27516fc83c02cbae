import type { LineAccount } from '@pegasus/contracts/orders/order-account'
import type { OrderPlan } from '@pegasus/contracts/orders/order-plan'
import { expect, it } from 'vitest'
import { aModel } from '../../../../test/support/library/library-factories.ts'
import { aLine, aShop } from '../../../../test/support/sku-decisions.ts'
import { anOrder } from '../../../../test/support/stock-factories.ts'

it('after a SKU is mapped to something else, queued prints count only for a line or part with their item', async () => {
  const { app, dragon, egg, map, read, send } = await aShop()
  const id = await anOrder(app, { lines: [aLine('OLD', 30)] })
  await map('OLD', [dragon, 1])
  expect((await send(`/api/orders/${id}/plan`, {})).status).toBe(201)
  const lineId = (await read(id)).items[0]?.id
  const queuedRows = async () => {
    const { body } = await send<LineAccount>(`/api/orders/${id}/lines/${lineId}/account`)
    return body.rows.filter(({ term }) => term === 'queued').map(({ quantity }) => quantity)
  }
  const planned = async () => (await send<OrderPlan>(`/api/orders/${id}/plan`)).body.items
  expect((await read(id)).items).toMatchObject([{ queued_quantity: 20, missing_quantity: 0 }])
  expect(await queuedRows()).toEqual([20])

  await map('OLD', [egg, 1])
  expect((await read(id)).items).toMatchObject([{ id: lineId, queued_quantity: 0, missing_quantity: 26 }])
  expect(await queuedRows()).toEqual([])
  expect(await planned()).toMatchObject([{ queued: 0, missing: 26, extra_queued: 0 }])

  await map('OLD', [dragon, 1], [egg, 1])
  expect((await read(id)).items).toMatchObject([
    {
      parts: [
        { sku: 'DRG', queued_quantity: 20, missing_quantity: 0 },
        { sku: 'EGG', queued_quantity: 0, missing_quantity: 26 },
      ],
    },
  ])
  expect(await planned()).toMatchObject([
    { sku: 'DRG', queued: 20, missing: 0 },
    { sku: 'EGG', queued: 0, missing: 26 },
  ])
})

it('a decision about a SKU lists the waiting jobs that its orders no longer need, but never a started job', async () => {
  const { app, dragon, egg, map, send } = await aShop()
  const anOldOrder = async (orderNumber: string) => {
    const id = await anOrder(app, { orderNumber, lines: [aLine('OLD', 30)] })
    await map('OLD', [dragon, 1])
    await send(`/api/orders/${id}/plan`, {})
    const [job] = await app.database.sql<{ id: string }[]>`select id from print_jobs where order_id = ${id}`
    return job?.id
  }
  const waiting = await anOldOrder('PO-1')
  const started = await anOldOrder('PO-2')
  expect((await send(`/api/print-queue/${started}/start`, {})).status).toBe(200)
  // The set still contains the item of the jobs, so they are still needed.
  expect((await map('OLD', [dragon, 1], [egg, 1])).body).toMatchObject({ proposed_cancellations: [] })
  expect((await map('OLD', [egg, 1])).body).toMatchObject({
    changed_orders: 2,
    proposed_cancellations: [waiting],
  })
  expect((await map('OLD', [dragon, 1])).body).toMatchObject({ proposed_cancellations: [] })
  const ignored = await send('/api/orders/unknown-skus/ignore', { sku: 'OLD' })
  expect(ignored.body).toMatchObject({ proposed_cancellations: [waiting] })
})

it('a decision about a SKU never proposes to cancel a job without an item that was queued by hand', async () => {
  const { app, dragon, map, send } = await aShop()
  const id = await anOrder(app, { lines: [aLine('OLD', 30)] })
  const queued = await send('/api/print-queue', { stl_file_id: await aModel(app), quantity: 1, order_id: id })
  expect(queued.status, JSON.stringify(queued.body)).toBe(201)
  expect((await map('OLD', [dragon, 1])).body).toMatchObject({
    changed_orders: 1,
    proposed_cancellations: [],
  })
})
