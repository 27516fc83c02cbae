import type { Plate } from '@pegasus/contracts/print-queue/plates'
import type { OrderPlan } from '@pegasus/contracts/orders/order-plan'
import type { ReplenishmentLine } from '@pegasus/contracts/print-queue/replenishment'
import type { PrintJob } from '@pegasus/contracts/print-queue/jobs'
import { describe, expect, it } from 'vitest'
import { createPrintJob } from '../../print-queue/index.ts'
import { SYSTEM_ACTOR } from '../../../platform/actor.ts'
import { untilWaiting } from '../../../../test/support/database/lock-waits.ts'
import { aModel } from '../../../../test/support/library/library-factories.ts'
import { type TestApp, buildTestApp } from '../../../../test/support/build-test-app.ts'
import { aPrintJob, aSpool, anItem, anOrder } from '../../../../test/support/stock-factories.ts'
import { expectOneResponse } from '../../../../test/support/repeated-requests.ts'

const call = async <T>(
  app: TestApp,
  role: 'viewer' | 'staff',
  method: 'GET' | 'POST',
  url: string,
  payload?: object,
) => {
  const answer = await app.http.inject({
    method,
    url,
    headers: await app.as(role),
    ...(payload && { payload }),
  })
  return { status: answer.statusCode, body: answer.json<T>() }
}

const planOf = async (app: TestApp, orderId: string) =>
  (await call<OrderPlan>(app, 'viewer', 'GET', `/api/orders/${orderId}/plan`)).body.items

const makePlan = (app: TestApp, orderId: string) =>
  call<OrderPlan & { jobs: PrintJob[] }>(app, 'staff', 'POST', `/api/orders/${orderId}/plan`)

const aLine = (quantity: number) => ({ sku: 'DRAGON', name: 'Dragon', quantity, unitPriceMinor: 1999 })

const aDragon = async (app: TestApp, quantity: number) => {
  const itemId = await anItem(app, { name: 'Dragon', sku: 'DRAGON', quantity })
  await app.database.sql`update items set pieces_per_print = 4, weight_grams = 20 where id = ${itemId}`
  return itemId
}

describe('planning the plates of an order', () => {
  it('the sentence of a plan writes large numbers with separators', async () => {
    const app = await buildTestApp()
    await aDragon(app, 3)
    const id = await anOrder(app, { lines: [aLine(999_999)] })
    expect((await planOf(app, id))[0]?.sentence).toBe(
      '999,999 ordered − 3 on the shelf = 999,996 → 249,999 plates of 4',
    )
  })

  it('each call plans plates of four pieces for the pieces that are still missing from the order', async () => {
    const app = await buildTestApp()
    const itemId = await aDragon(app, 3)
    const id = await anOrder(app, { lines: [aLine(10)] })
    expect(await planOf(app, id)).toMatchObject([
      {
        ordered: 10,
        shipped: 0,
        on_shelf: 3,
        queued: 0,
        missing: 7,
        pieces_per_plate: 4,
        plates: 2,
        surplus: 1,
        sentence: '10 ordered − 3 on the shelf = 7 → 2 plates of 4 → 1 to stock',
      },
    ])
    const clicks = await Promise.all([makePlan(app, id), makePlan(app, id), makePlan(app, id)])
    expect(clicks.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 200, 201])
    const [job] = clicks.flatMap(({ body }) => body.jobs)
    expect(job).toMatchObject({
      quantity: 7,
      pieces_per_plate: 4,
      plates: 2,
      plates_done: 0,
      missing_quantity: 7,
      order_id: id,
      inventory_item_id: itemId,
      cost: null,
    })
    expect((await planOf(app, id))[0]?.sentence).toBe('10 ordered − 3 on the shelf − 7 queued = 0')

    await app.database.sql`update order_lines set quantity = 12 where order_id = ${id}`
    expect((await makePlan(app, id)).body.jobs.map(({ quantity }) => quantity)).toEqual([2])
    // A plan never cancels queued jobs, even if the order needs fewer pieces.
    await app.database.sql`update order_lines set quantity = 5 where order_id = ${id}`
    const fewer = await makePlan(app, id)
    expect([fewer.status, fewer.body.jobs]).toEqual([200, []])
    expect(fewer.body.items[0]).toMatchObject({
      extra_queued: 7,
      is_unknown: false,
      sentence: '5 ordered − 3 on the shelf − 9 queued = 0, and 7 more than needed are queued',
    })
    expect(await app.database.sql`select 1 from print_jobs where status = 'pending'`).toHaveLength(2)
  })

  it('a person can print a planned job plate by plate, and then sees its cost', async () => {
    const app = await buildTestApp()
    const itemId = await aDragon(app, 0)
    await app.database.sql`update items set print_time_minutes = 240 where id = ${itemId}`
    const spoolId = await aSpool(app, { weightGrams: 1000 })
    await app.database.sql`update spools set price_minor = 2000 where id = ${spoolId}`
    const id = await anOrder(app, { lines: [aLine(7)] })
    const [made] = (await makePlan(app, id)).body.jobs
    const url = `/api/print-queue/${made?.id}`
    const step = (name: string, payload?: object) =>
      call<PrintJob>(app, 'staff', 'POST', `${url}/${name}`, payload)
    await step('start', { printer: 'Left', filament_id: spoolId })
    await step('start', { printer: 'Right', filament_id: spoolId })
    // Both plates are running, so a request has to name its plate.
    expect((await step('complete')).status).toBe(409)
    const plates = (await call<Plate[]>(app, 'viewer', 'GET', `${url}/plates`)).body
    expect(plates).toMatchObject([
      { number: 1, printer: 'Left', pieces: 4, state: 'printing' },
      { number: 2, printer: 'Right', pieces: 4, state: 'printing' },
    ])
    const [left, right] = plates.map((plate) => ({ plate_id: plate.id }))
    expect((await step('resume', left)).status).toBe(409)
    expect((await step('pause', left)).status).toBe(200)
    expect((await step('resume', left)).status).toBe(200)
    const half = await step('complete', { ...left, rejected_quantity: 2, used_grams: 90, print_minutes: 60 })
    expect(half.body).toMatchObject({ status: 'in_progress', good_quantity: 2, cost: null })
    const rest = await step('complete', { ...right, used_grams: 80, print_minutes: 60 })
    // Six pieces are good, so only one piece is still missing.
    expect(rest.body).toMatchObject({ status: 'pending', good_quantity: 6, missing_quantity: 1 })
    await step('start', { printer: 'Left' })
    const done = await step('complete', { used_grams: 20, print_minutes: 20 })
    expect(done.body).toMatchObject({
      status: 'completed',
      good_quantity: 7,
      rejected_quantity: 2,
      plates: 3,
      plates_done: 3,
      used_grams: 190,
      print_minutes: 140,
    })
    // 190 g at 20.00/kg, 140 minutes of machine time and electricity, three preparations, finishing for seven pieces,
    // and 10 % overhead.
    expect(done.body.cost).toBe(15.38)
    expect(done.body.planned_cost).toBeGreaterThan(0)
    await call(app, 'staff', 'POST', `${url}/complete`)
    const [row] = await app.database.sql`select quantity from items where id = ${itemId}`
    expect(row).toEqual({ quantity: 7 })
    expect((await planOf(app, id))[0]?.sentence).toBe('7 ordered − 7 on the shelf = 0')
  })

  it('a job that is printed in several plates is completed if its quantity is lowered to the number of its good pieces', async () => {
    const app = await buildTestApp()
    const id = await aPrintJob(app, { quantity: 8, piecesPerPlate: 4 })
    const url = `/api/print-queue/${id}`
    await call(app, 'staff', 'POST', `${url}/start`)
    const job = (await call<PrintJob>(app, 'staff', 'POST', `${url}/complete`)).body
    const answer = await app.http.inject({
      method: 'PUT',
      url,
      headers: { ...(await app.as('staff')), 'if-match': `"${job.revision}"` },
      payload: { quantity: 4 },
    })
    expect(answer.json()).toMatchObject({ status: 'completed', quantity: 4, good_quantity: 4 })
  })

  it('the unfinished jobs of an order get its new due date, except a job with a due date of its own', async () => {
    const app = await buildTestApp()
    await aDragon(app, 0)
    const [first, second, own] = [
      '2026-12-01T12:00:00.000Z',
      '2026-12-09T12:00:00.000Z',
      '2026-11-29T12:00:00.000Z',
    ]
    const orderId = await anOrder(app, { lines: [aLine(8)], dueAt: new Date(first) })
    const [planned] = (await makePlan(app, orderId)).body.jobs
    const early = await aPrintJob(app, { orderId, dueAt: new Date(own) })
    const headers = { ...(await app.as('staff')), 'if-match': '*' }
    const change = { method: 'PUT', url: `/api/orders/${orderId}`, headers } as const
    expect((await app.http.inject({ ...change, payload: { due_at: second } })).statusCode).toBe(200)
    const dueDates = async () => {
      const jobs = (await call<PrintJob[]>(app, 'viewer', 'GET', '/api/print-queue')).body
      return new Map(jobs.map(({ id, due_at: dueAt }) => [id, dueAt && new Date(dueAt).toISOString()]))
    }
    expect(await dueDates()).toEqual(
      new Map([
        [planned?.id, second],
        [early, own],
      ]),
    )
    await app.http.inject({ ...change, payload: { due_at: null } })
    expect((await dueDates()).get(String(planned?.id))).toBeNull()
  })

  it('a job that is split while its order gets a new due date has the new date, without a deadlock', async () => {
    const app = await buildTestApp()
    const itemId = await aDragon(app, 0)
    const orderId = await anOrder(app, { lines: [aLine(8)] })
    const jobId = await aPrintJob(app, { orderId, itemId })
    const due = '2031-03-31T12:00:00.000Z'
    const headers = { ...(await app.as('staff')), 'if-match': '*' }
    const { edited, splitId } = await app.database.transaction(async (tx) => {
      await tx`select from print_jobs where id = ${jobId} for update`
      const answer = app.http.inject({
        method: 'PUT',
        url: `/api/orders/${orderId}`,
        headers,
        payload: { due_at: due },
      })
      await untilWaiting(app, 1)
      // Splitting the locked job adds another job to the order.
      await tx`set local lock_timeout = '500ms'`
      const id = await createPrintJob(
        tx,
        { quantity: 1, itemId, orderId },
        { actor: SYSTEM_ACTOR, now: app.clock.now() },
      )
      return { edited: answer, splitId: id }
    })
    expect((await edited).statusCode).toBe(200)
    const jobs = (await call<PrintJob[]>(app, 'viewer', 'GET', '/api/print-queue')).body
    const dates = new Map(jobs.map(({ id, due_at: dueAt }) => [id, dueAt && new Date(dueAt).toISOString()]))
    expect(dates).toEqual(
      new Map([
        [jobId, due],
        [splitId, due],
      ]),
    )
  })

  it('staff can queue an item at its reorder point once, and viewers cannot', async () => {
    const app = await buildTestApp()
    const model = await aModel(app)
    const itemId = await aDragon(app, 4)
    await app.database.sql`
      update items set reorder_point = 5, max_stock = 12, stl_file_id = ${model} where id = ${itemId}`
    const listed = await call<ReplenishmentLine[]>(app, 'staff', 'GET', '/api/inventory/replenishment')
    expect(listed.body).toMatchObject([
      { target: 12, missing: 8, sentence: '12 wanted − 4 on the shelf = 8 → 2 plates of 4' },
    ])
    const make = () =>
      call<{ jobs: PrintJob[] }>(app, 'staff', 'POST', '/api/inventory/replenishment', {
        inventory_item_ids: [itemId],
      })
    const clicks = await Promise.all([make(), make()])
    expect(clicks.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 201])
    expect(clicks.flatMap(({ body }) => body.jobs)).toHaveLength(1)
    const id = await anOrder(app, { lines: [aLine(1)], status: 'on_hold' })
    expect((await makePlan(app, id)).status).toBe(409)
    for (const url of [`/api/orders/${id}/plan`, '/api/inventory/replenishment'])
      expect((await call(app, 'viewer', 'POST', url)).status).toBe(403)
  })
})

it('T93 repeated requests to plan an order or the stock with one key queue the jobs once', async () => {
  const app = await buildTestApp()
  const staff = await app.as('staff')
  const itemId = await aDragon(app, 0)
  const model = await aModel(app)
  const [first, second] = [
    await anOrder(app, { lines: [aLine(3)] }),
    await anOrder(app, { lines: [aLine(2)] }),
  ]
  const planUrl = (id: string) => ({ url: `/api/orders/${id}/plan` })
  const planned = await expectOneResponse(app, staff, planUrl(first), planUrl(second))
  expect([planned.statusCode, planned.json<{ jobs: PrintJob[] }>().jobs.length]).toEqual([201, 1])

  await app.database.sql`
    update items set stl_file_id = ${model}, reorder_point = 5, max_stock = 20 where id = ${itemId}`
  const url = '/api/inventory/replenishment'
  const stocked = await expectOneResponse(
    app,
    staff,
    { url, payload: { inventory_item_ids: [itemId] } },
    { url, payload: {} },
  )
  expect([stocked.statusCode, stocked.json<{ jobs: PrintJob[] }>().jobs.length]).toEqual([201, 1])
  const jobs = await app.http.inject({ url: '/api/print-queue', headers: staff })
  expect(jobs.json()).toHaveLength(2)
})
