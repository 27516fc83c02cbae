import type { PrintJob } from '@pegasus/contracts/print-queue/jobs'
import type { ProductionRow } from '@pegasus/contracts/print-queue/production-report'
import { expect, it } from 'vitest'
import { type Calls, callsOf } from '../../../../test/support/api-calls.ts'
import { type TestApp, buildTestApp } from '../../../../test/support/build-test-app.ts'
import { aModel } from '../../../../test/support/library/library-factories.ts'
import { aSlice } from '../../../../test/support/library/slice-factories.ts'
import { aSpool, anItem } from '../../../../test/support/stock-factories.ts'
import { SYSTEM_ACTOR } from '../../../platform/actor.ts'
import { bookCancelledPlate } from '../plates/book-cancelled.ts'

/** Adds an item whose model has a sliced file. One print of the file makes four pieces from 100 g in one hour. */
async function aDragon(app: TestApp): Promise<string> {
  const modelId = await aModel(app)
  await aSlice(app, modelId, { pieces: 4, minutes: 60, grams: 100, printerModel: null })
  const itemId = await anItem(app, { name: 'Dragon', quantity: 0 })
  await app.database.sql`update items set stl_file_id = ${modelId} where id = ${itemId}`
  return itemId
}

const send = async (staff: Calls, what: Parameters<Calls>[0], body?: object) => {
  const answer = await staff(what, body, { 'if-match': '*' })
  expect(answer.status, answer.text).toBeLessThan(300)
  return answer.json<PrintJob>()
}

it('a job keeps the cost that was planned when it was created, and the report compares it with the actual cost', async () => {
  const app = await buildTestApp()
  const [staff, admin] = [callsOf(app, await app.as('staff')), callsOf(app, await app.as('admin'))]
  const itemId = await aDragon(app)
  const spoolId = await aSpool(app, { weightGrams: 1000 })
  await app.database.sql`update spools set price_minor = 2000 where id = ${spoolId}`
  const body = { inventory_item_id: itemId, quantity: 8, filament_id: spoolId, pieces_per_plate: 4 }
  const job = await send(staff, 'POST /api/print-queue', body)
  // 14.85 is the sum of 200 g at 20.00 per kilogram, two hours of machine time and electricity, two preparations, 5 %
  // of these for failures, eight finishings, and 10 % overhead.
  expect(job).toMatchObject({ planned_cost: 14.85, cost: null })
  await send(admin, 'PUT /api/cost-settings', { labor_price_per_hour: 40, machine_price_per_hour: 2 })
  const url = `/api/print-queue/${job.id}` as const
  expect(await send(staff, `GET ${url}`)).toMatchObject({ planned_cost: 14.85 })

  const part = await send(staff, `POST ${url}/split`, { quantity: 4 })
  expect(part.planned_cost).toBe(7.43)
  await send(staff, `POST ${url}/start`, { filament_id: spoolId })
  const done = await send(staff, `POST ${url}/complete`, { used_grams: 110, print_minutes: 70 })
  // The actual cost is computed with the new rates: 110 g, 70 minutes, one preparation, four finishings and overhead.
  expect(done).toMatchObject({ status: 'completed', planned_cost: 7.43, cost: 14.55, cost_is_measured: true })

  const report = async (query: string) =>
    (await staff(`GET /api/reports/production?${query}`)).json<ProductionRow[]>()
  const compared = {
    jobs: 1,
    cost: 14.55,
    compared_jobs: 1,
    planned_cost: 7.43,
    compared_cost: 14.55,
    cost_is_measured: true,
  }
  expect(await report(`by=item&inventory_item_id=${itemId}`)).toMatchObject([compared])
  expect(await report('by=month')).toMatchObject([compared])

  // A job from before planned costs were stored counts only in the total cost.
  await app.database.sql`
    update print_jobs set planned_cost_minor = null, planned_pieces = null where id = ${part.id}`
  await send(staff, `POST /api/print-queue/${part.id}/start`, {})
  const old = await send(staff, `POST /api/print-queue/${part.id}/complete`, {})
  expect(old).toMatchObject({ planned_cost: null, cost_is_measured: false })
  expect(await report('by=month')).toMatchObject([
    {
      ...compared,
      jobs: 2,
      cost: Math.round(100 * (14.55 + (old.cost ?? 0))) / 100,
      cost_is_measured: false,
    },
  ])
})

it('the planned cost of a job follows its estimates until its first plate starts, and is unknown without estimates', async () => {
  const app = await buildTestApp()
  const staff = callsOf(app, await app.as('staff'))
  const itemId = await anItem(app, { name: 'Gear', quantity: 0 })
  const { id, planned_cost: unknown } = await send(staff, 'POST /api/print-queue', {
    inventory_item_id: itemId,
    quantity: 2,
  })
  expect(unknown).toBeNull()
  const url = `/api/print-queue/${id}` as const
  const edit = (change: object) => send(staff, `PUT ${url}`, change)
  // 100 g, an hour and a preparation cost 4.39; 0.23 failures, 1.33 finishing and 0.60 overhead are added.
  expect(await edit({ estimated_grams: 100, estimated_minutes: 60 })).toMatchObject({ planned_cost: 6.55 })
  expect(await edit({ quantity: 4 })).toMatchObject({ planned_cost: 13.1 })
  await send(staff, `POST ${url}/start`, {})
  expect(await edit({ estimated_grams: 500 })).toMatchObject({ planned_cost: 13.1 })

  const divided = await send(staff, 'POST /api/print-queue', {
    inventory_item_id: itemId,
    quantity: 2,
    pieces_per_plate: 1,
    expected_rejects: 1_000_000,
    estimated_grams: 100,
    estimated_minutes: 60,
  })
  const dividedUrl = `/api/print-queue/${divided.id}` as const
  await send(staff, `POST ${dividedUrl}/start`, {})
  await send(staff, `POST ${dividedUrl}/fail`, { reason: 'Warped' })
  // `expected_rejects` stays at its maximum, although twice the pieces would double it.
  expect(await send(staff, `PUT ${dividedUrl}`, { estimated_grams: 500, quantity: 4 })).toMatchObject({
    status: 'pending',
    planned_cost: (divided.planned_cost ?? 0) * 2,
    expected_rejects: 1_000_000,
  })
})

it('a job that fails or is cancelled after good pieces keeps their cost, and the report counts it', async () => {
  const app = await buildTestApp()
  const staff = callsOf(app, await app.as('staff'))
  const body = { inventory_item_id: await aDragon(app), quantity: 8 }
  const used = { used_grams: 100, print_minutes: 60 }
  const start = async (more: object) => {
    const { id } = await send(staff, 'POST /api/print-queue', { ...body, ...more })
    await send(staff, `POST /api/print-queue/${id}/start`, {})
    return id
  }
  const whole = await start({})
  const why = { reason: 'The power failed', good_quantity: 4, rejected_quantity: 1 }
  const failed = await send(staff, `POST /api/print-queue/${whole}/fail`, { ...why, ...used })
  expect(failed).toMatchObject({ status: 'failed', cost: expect.any(Number) })

  const divided = await start({ pieces_per_plate: 4 })
  await send(staff, `POST /api/print-queue/${divided}/complete`, used)
  const cancelled = await send(staff, `POST /api/print-queue/${divided}/cancel`, {})
  expect(cancelled).toMatchObject({
    status: 'cancelled',
    cost: failed.cost,
    planned_cost: failed.planned_cost,
  })

  const report = await staff('GET /api/reports/production?by=month')
  expect(report.json<ProductionRow[]>()).toMatchObject([
    { jobs: 2, cost: 2 * failed.cost!, compared_jobs: 2, compared_cost: 2 * failed.cost! },
  ])
})

it('the report counts each failed attempt once, and filament that is booked late for an attempt counts for the next one', async () => {
  const app = await buildTestApp()
  const staff = callsOf(app, await app.as('staff'))
  const itemId = await aDragon(app)
  const body = { inventory_item_id: itemId, quantity: 4 }
  const used = { used_grams: 100, print_minutes: 60 }
  const report = async () =>
    (await staff(`GET /api/reports/production?by=item`))
      .json<ProductionRow[]>()
      .find(({ key }) => key === itemId)
  const { id: first } = await send(staff, 'POST /api/print-queue', body)
  await send(staff, `POST /api/print-queue/${first}/start`, {})
  await send(staff, `POST /api/print-queue/${first}/cancel`, { used_grams: 50, print_minutes: 30 })
  const failure = await report()
  expect(failure).toMatchObject({
    jobs: 1,
    failed_jobs: 1,
    cost: failure?.failure_cost,
    planned_cost: 0,
    compared_cost: failure?.failure_cost,
  })
  expect(failure?.failure_cost).toBeGreaterThan(1)

  // A job that was cancelled before its print started costs nothing.
  const { id: waiting } = await send(staff, 'POST /api/print-queue', body)
  await send(staff, `POST /api/print-queue/${waiting}/cancel`, {})
  expect(await report()).toEqual(failure)

  const second = await send(staff, `POST /api/print-queue/${first}/requeue`, {})
  await send(staff, `POST /api/print-queue/${second.id}/start`, {})
  await send(staff, `POST /api/print-queue/${second.id}/cancel`, {})
  const third = await send(staff, `POST /api/print-queue/${second.id}/requeue`, {})
  await send(staff, `POST /api/print-queue/${third.id}/start`, {})
  const done = await send(staff, `POST /api/print-queue/${third.id}/complete`, used)
  expect(await report()).toMatchObject({
    jobs: 2,
    // The overhead of each attempt is rounded separately.
    cost: expect.closeTo(done.cost ?? 0, 1),
    failed_jobs: 1,
    failure_cost: failure?.failure_cost,
  })

  // The second attempt was cancelled earlier, but its printer stops only now and reports what it used.
  await app.database.transaction(async (tx) => {
    const [plate] = await tx<{ id: string }[]>`select id from job_plates where print_job_id = ${second.id}`
    const use = { share: 0.5, usedGrams: 50, printMinutes: 30, printerMinutes: 30 }
    await bookCancelledPlate(tx, plate?.id ?? '', use, { actor: SYSTEM_ACTOR, now: app.clock.now() })
  })
  const { cost } = (await staff(`GET /api/print-queue/${third.id}`)).json<PrintJob>()
  expect(cost).toBeCloseTo((done.cost ?? 0) + (failure?.failure_cost ?? 0), 1)
  expect(await report()).toMatchObject({ jobs: 3, failed_jobs: 2, cost: expect.closeTo(cost ?? 0, 1) })
})

/** Starts a job for four dragons, and reports it as failed with 50 g and half an hour. Returns its id. */
async function aFailedJob(staff: Calls, itemId: string): Promise<string> {
  const { id } = await send(staff, 'POST /api/print-queue', { inventory_item_id: itemId, quantity: 4 })
  await send(staff, `POST /api/print-queue/${id}/start`, {})
  await send(staff, `POST /api/print-queue/${id}/fail`, {
    reason: 'Warped',
    used_grams: 50,
    print_minutes: 30,
  })
  return id
}

const reportOf = async (staff: Calls, itemId: string) =>
  (await staff(`GET /api/reports/production?by=item&inventory_item_id=${itemId}`)).json<ProductionRow[]>()

async function remove(staff: Calls, id: string): Promise<void> {
  const deleted = await staff(`DELETE /api/print-queue/${id}`, undefined, { 'if-match': '*' })
  expect(deleted.status, deleted.text).toBe(204)
}

it('a deleted job stays in the production report and in the share of failed prints of its item', async () => {
  const app = await buildTestApp()
  const staff = callsOf(app, await app.as('staff'))
  const itemId = await aDragon(app)
  const id = await aFailedJob(staff, itemId)
  const before = await reportOf(staff, itemId)
  expect(before).toMatchObject([{ plates: 1, bad: 4, jobs: 1, failed_jobs: 1, unknown_cost_jobs: 0 }])
  await remove(staff, id)
  expect(await reportOf(staff, itemId)).toEqual(before)
  const yields = await app.database.sql`select good::int, bad::int from item_yields where item_id = ${itemId}`
  expect(yields).toEqual([{ good: 0, bad: 4 }])
})

it('a failure counts once in the report while an older server, which saves no cost of attempts, completes jobs', async () => {
  const app = await buildTestApp()
  const staff = callsOf(app, await app.as('staff'))
  const itemId = await aDragon(app)
  const first = await aFailedJob(staff, itemId)
  const [failure] = await reportOf(staff, itemId)
  const second = await send(staff, `POST /api/print-queue/${first}/requeue`, {})
  await send(staff, `POST /api/print-queue/${second.id}/start`, {})
  await send(staff, `POST /api/print-queue/${second.id}/complete`, { used_grams: 100, print_minutes: 60 })
  const [expected] = await reportOf(staff, itemId)
  // An older server saves no cost of its own for an attempt. It saves only a total, which includes the first attempt.
  await app.database.sql`update print_jobs set own_cost_minor = null where id = ${second.id}`
  const [shown] = await reportOf(staff, itemId)
  expect(shown).toMatchObject({ jobs: 2, failed_jobs: 1, failure_cost: failure?.failure_cost })
  expect(shown?.cost).toBeCloseTo(expected?.cost ?? 0, 1)
})

it('a failure whose own cost was never saved counts as a job of unknown cost, unless a later attempt includes it', async () => {
  const app = await buildTestApp()
  const staff = callsOf(app, await app.as('staff'))
  const itemId = await aDragon(app)
  const [lost, carried] = [await aFailedJob(staff, itemId), await aFailedJob(staff, itemId)]
  await app.database.sql`
    update print_jobs set own_cost_minor = null, cost_snapshot = null where id in (${lost}, ${carried})`
  // A job that was cancelled before its print started costs nothing.
  const { id: waiting } = await send(staff, 'POST /api/print-queue', { inventory_item_id: itemId })
  await send(staff, `POST /api/print-queue/${waiting}/cancel`, {})
  expect(await reportOf(staff, itemId)).toMatchObject([
    {
      plates: 2,
      jobs: 0,
      cost: null,
      compared_jobs: 0,
      planned_cost: null,
      failed_jobs: 0,
      unknown_cost_jobs: 2,
    },
  ])
  const next = await send(staff, `POST /api/print-queue/${carried}/requeue`, {})
  await send(staff, `POST /api/print-queue/${next.id}/start`, {})
  const { cost } = await send(staff, `POST /api/print-queue/${next.id}/complete`, { used_grams: 100 })
  const both = [{ jobs: 1, cost, failed_jobs: 0, unknown_cost_jobs: 1 }]
  expect(await reportOf(staff, itemId)).toMatchObject(both)
  // The cost of the later attempt still counts while that attempt is in the trash.
  await remove(staff, next.id)
  expect(await reportOf(staff, itemId)).toMatchObject(both)
})

it('the report includes the failed plates of a waiting job in the trash, and filament that is booked for them later', async () => {
  const app = await buildTestApp()
  const staff = callsOf(app, await app.as('staff'))
  const itemId = await aDragon(app)
  const body = { inventory_item_id: itemId, quantity: 8, pieces_per_plate: 4 }
  const { id } = await send(staff, 'POST /api/print-queue', body)
  const step = (name: string, more: object = {}) => send(staff, `POST /api/print-queue/${id}/${name}`, more)
  await step('start')
  await step('fail', { reason: 'Warped', used_grams: 50, print_minutes: 30 })
  await step('start')
  await step('requeue')
  expect(await reportOf(staff, itemId)).toMatchObject([{ plates: 1, jobs: 0, cost: null }])
  await remove(staff, id)
  const [failure] = await reportOf(staff, itemId)
  expect(failure).toMatchObject({ plates: 1, jobs: 1, failed_jobs: 1, unknown_cost_jobs: 0 })
  expect(failure).toMatchObject({ cost: failure?.failure_cost, planned_cost: 0 })
  expect(failure?.cost).toBeGreaterThan(1)
  expect((await staff('GET /api/reports/production?by=month')).json()).toMatchObject([
    { cost: failure?.cost },
  ])

  await app.database.transaction(async (tx) => {
    const [plate] = await tx<{ id: string }[]>`
      select id from job_plates where print_job_id = ${id} and state = 'cancelled'`
    const use = { share: 0.5, usedGrams: 50, printMinutes: 30, printerMinutes: 30 }
    await bookCancelledPlate(tx, plate?.id ?? '', use, { actor: SYSTEM_ACTOR, now: app.clock.now() })
  })
  const [later] = await reportOf(staff, itemId)
  expect(later?.cost).toBeCloseTo(2 * (failure?.cost ?? 0), 1)

  // A restored job waits for its next plate. It has no cost until it ends.
  const restored = await send(staff, `POST /api/print-queue/${id}/restore`)
  expect(restored).toMatchObject({ status: 'pending', cost: null, used_grams: 100 })
  expect(await reportOf(staff, itemId)).toMatchObject([{ plates: 1, jobs: 0, cost: null }])
  const cancelled = await send(staff, `POST /api/print-queue/${id}/cancel`)
  expect(cancelled.status).toBe('cancelled')
  expect(await reportOf(staff, itemId)).toMatchObject([{ jobs: 1, cost: later?.cost }])
})

it('filament that is booked late for a cancelled job in the trash counts in the report', async () => {
  const app = await buildTestApp()
  const staff = callsOf(app, await app.as('staff'))
  const itemId = await aDragon(app)
  const { id } = await send(staff, 'POST /api/print-queue', { inventory_item_id: itemId, quantity: 4 })
  await send(staff, `POST /api/print-queue/${id}/start`, {})
  await send(staff, `POST /api/print-queue/${id}/cancel`, {})
  await remove(staff, id)
  await app.database.transaction(async (tx) => {
    const [plate] = await tx<{ id: string }[]>`select id from job_plates where print_job_id = ${id}`
    const use = { share: 0.5, usedGrams: 50, printMinutes: 30, printerMinutes: 30 }
    await bookCancelledPlate(tx, plate?.id ?? '', use, { actor: SYSTEM_ACTOR, now: app.clock.now() })
  })
  const [late] = await reportOf(staff, itemId)
  expect(late).toMatchObject({ jobs: 1, failed_jobs: 1 })
  expect(late?.cost).toBeGreaterThan(1)
})

it('a stopped plate without reported minutes costs the printed share of its time, and nothing if its print had not begun', async () => {
  const app = await buildTestApp()
  const staff = callsOf(app, await app.as('staff'))
  const body = {
    inventory_item_id: await aDragon(app),
    quantity: 4,
    pieces_per_plate: 4,
    estimated_minutes: 60,
  }
  /**
   * Prints a job whose first plate is cancelled after this share of its print time. Null means that no plate is
   * cancelled. Returns the machine cost of the job in cents.
   */
  const costAfter = async (share: number | null) => {
    const { id } = await send(staff, 'POST /api/print-queue', body)
    const step = (name: string, more: object = {}) => send(staff, `POST /api/print-queue/${id}/${name}`, more)
    if (share !== null) {
      await step('start')
      await step('hold', { reason: 'The wrong color is loaded' })
      await app.database.transaction(async (tx) => {
        const [plate] = await tx<{ id: string }[]>`select id from job_plates where print_job_id = ${id}`
        const use = { share, usedGrams: 0, isEstimated: true, printerMinutes: 0 }
        await bookCancelledPlate(tx, plate?.id ?? '', use, { actor: SYSTEM_ACTOR, now: app.clock.now() })
      })
      await step('requeue')
    }
    await step('start')
    await step('complete', { used_grams: 100, print_minutes: 60 })
    const [cost] = await app.database.sql<{ machine: number }[]>`
      select (part ->> 'amount_minor')::int as machine
      from print_jobs j, jsonb_array_elements(j.cost_snapshot -> 'parts') part
      where j.id = ${id} and part ->> 'kind' = 'machine'`
    return cost?.machine
  }
  // A whole plate takes an hour, which costs 18 cents.
  const costs = [await costAfter(null), await costAfter(0), await costAfter(0.5), await costAfter(1)]
  expect(costs).toEqual([18, 18, 27, 36])
})

it('a job takes its time and weight from the sliced file, otherwise from the print time and the weight of its item', async () => {
  const app = await buildTestApp()
  const staff = callsOf(app, await app.as('staff'))
  const spider = await anItem(app, { name: 'Spider' })
  const dragon = await aDragon(app)
  await app.database.sql`
    update items set print_time_minutes = 60, pieces_per_print = 2, weight_grams = 30
    where id in (${spider}, ${dragon})`
  const add = (itemId: string, body: object = {}) =>
    send(staff, 'POST /api/print-queue', { inventory_item_id: itemId, quantity: 4, ...body })
  expect(await add(spider)).toMatchObject({ estimated_minutes: 120, estimated_grams: 120 })
  expect(await add(spider, { estimated_minutes: 7 })).toMatchObject({ estimated_minutes: 7 })
  // According to the item, four pieces take 120 g and 120 minutes. According to the sliced file, they take 100 g and 60
  // minutes.
  expect(await add(dragon)).toMatchObject({ estimated_minutes: 60, estimated_grams: 100 })
})
