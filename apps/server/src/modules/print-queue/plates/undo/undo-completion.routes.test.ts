import type { SpoolEntry } from '@pegasus/contracts/filament/ledger'
import type { PrintJob } from '@pegasus/contracts/print-queue/jobs'
import type { Plate } from '@pegasus/contracts/print-queue/plates'
import type { Printer } from '@pegasus/contracts/print-queue/printers'
import { describe, expect, it } from 'vitest'
import { auditOf } from '../../../../../test/support/accounts/api-keys.ts'
import { type TestApp, buildTestApp } from '../../../../../test/support/build-test-app.ts'
import { anAgent, claimed, sendReport } from '../../../../../test/support/print-agents.ts'
import {
  aMovement,
  aPrintJob,
  aPrinter,
  aSpool,
  anItem,
  anOrder,
} from '../../../../../test/support/stock-factories.ts'
import { SYSTEM_ACTOR } from '../../../../platform/actor.ts'
import { bookCancelledPlate } from '../book-cancelled.ts'

type Headers = Record<string, string>

const QUEUE = '/api/print-queue'

const step = (app: TestApp, headers: Headers, id: string, name: string, payload?: object) =>
  app.http.inject({ method: 'POST', url: `${QUEUE}/${id}/${name}`, headers, ...(payload && { payload }) })

const taken = async (app: TestApp, headers: Headers, id: string, name: string, payload?: object) => {
  const answer = await step(app, headers, id, name, payload)
  expect(answer.statusCode, answer.body).toBeLessThan(202)
  return answer.json<PrintJob>()
}

const read = async <T>(app: TestApp, headers: Headers, url: string): Promise<T> =>
  (await app.http.inject({ url, headers })).json<T>()

const stockOf = async (app: TestApp, itemId: string): Promise<number | undefined> => {
  const [row] = await app.database.sql<
    { quantity: number }[]
  >`select quantity from items where id = ${itemId}`
  return row?.quantity
}

const leftOn = async (app: TestApp, headers: Headers, spoolId: string) =>
  (await read<SpoolEntry[]>(app, headers, `/api/filament/${spoolId}/ledger`))[0]?.after_grams

describe('undoing the completion of a print job', () => {
  it('undoing a completion reverts stock, spool, printer, cost and job, so that the plate can be completed again', async () => {
    const app = await buildTestApp()
    const staff = await app.as('staff')
    const [itemId, spoolId] = [await anItem(app, { quantity: 3 }), await aSpool(app)]
    const printerId = await aPrinter(app, 'MK4')
    const id = await aPrintJob(app, { itemId, spoolId, quantity: 6 })
    await taken(app, staff, id, 'start', { printer: 'MK4' })
    const before = await leftOn(app, staff, spoolId)
    const said = { rejected_quantity: 2, reason: 'Warped', used_grams: 40, print_minutes: 90 }
    await taken(app, staff, id, 'complete', said)
    expect(await stockOf(app, itemId)).toBe(7)
    const [counted] = await read<Plate[]>(app, staff, `${QUEUE}/${id}/plates`)
    expect(counted).toMatchObject({ state: 'done', can_undo: true })

    const back = await taken(app, staff, id, 'undo')
    expect(back).toMatchObject({
      status: 'in_progress',
      good_quantity: 0,
      rejected_quantity: 0,
      missing_quantity: 0,
      used_grams: null,
      print_minutes: null,
      cost: null,
      finished_at: null,
      printer: 'MK4',
    })
    expect(await stockOf(app, itemId)).toBe(3)
    expect(await leftOn(app, staff, spoolId)).toBe(before)
    expect(await read<Printer>(app, staff, `/api/printers/${printerId}`)).toMatchObject({
      state: 'printing',
      print_hours: 0,
      success_rate: null,
      current_job_id: id,
    })
    expect(await read<Plate[]>(app, staff, `${QUEUE}/${id}/plates`)).toMatchObject([
      { number: 1, state: 'cancelled', reason: 'Completion undone', can_undo: false },
      { number: 2, state: 'printing', pieces: 6 },
    ])
    expect((await step(app, staff, id, 'undo')).json()).toMatchObject({ code: 'print_job_not_undoable' })

    expect(await taken(app, staff, id, 'complete', { used_grams: 38 })).toMatchObject({
      status: 'completed',
      good_quantity: 6,
      used_grams: 38,
    })
    expect(await stockOf(app, itemId)).toBe(9)
    expect(await leftOn(app, staff, spoolId)).toBe((before ?? 0) - 38)
    const actions = (await auditOf(app, 'print_job')).map(({ action }) => action)
    expect(actions).toContain('print_job.completion_undone')
  })

  it('a plate whose pieces were all rejected counts against the success rate of its printer until it is undone', async () => {
    const app = await buildTestApp()
    const staff = await app.as('staff')
    const printerId = await aPrinter(app, 'MK4')
    const id = await aPrintJob(app, { quantity: 3, piecesPerPlate: 1 })
    const rateAfter = async (name: string, payload: object = {}) => {
      await taken(app, staff, id, name, payload)
      return (await read<Printer>(app, staff, `/api/printers/${printerId}`)).success_rate
    }
    expect(await rateAfter('start', { printer: 'MK4' })).toBeNull()
    expect(await rateAfter('complete', { rejected_quantity: 1, reason: 'Warped' })).toBe(0)
    expect(await rateAfter('undo')).toBeNull()
    expect(await rateAfter('complete', { rejected_quantity: 1, reason: 'Warped' })).toBe(0)
    await taken(app, staff, id, 'start', { printer: 'MK4' })
    expect(await rateAfter('complete')).toBe(0.5)
    expect(await rateAfter('undo')).toBe(0)
  })

  it('undoing a completion keeps the filament that was booked later for a cancelled plate of the same job', async () => {
    const app = await buildTestApp()
    const staff = await app.as('staff')
    const id = await aPrintJob(app, { spoolId: await aSpool(app), quantity: 2, piecesPerPlate: 1 })
    await taken(app, staff, id, 'start', { printer: 'MK4' })
    await taken(app, staff, id, 'hold')
    await taken(app, staff, id, 'requeue')
    await taken(app, staff, id, 'start', { printer: 'Other' })
    await taken(app, staff, id, 'complete', { used_grams: 40, print_minutes: 90 })
    // The first printer stops only now, after its plate was cancelled.
    await app.database.transaction(async (tx) => {
      const [plate] = await tx<{ id: string }[]>`
        select id from job_plates where print_job_id = ${id} and state = 'cancelled'`
      const use = { share: 0.5, usedGrams: 15, printMinutes: 20, printerMinutes: 20 }
      await bookCancelledPlate(tx, plate?.id ?? '', use, { actor: SYSTEM_ACTOR, now: app.clock.now() })
    })
    expect(await taken(app, staff, id, 'undo')).toMatchObject({ used_grams: 15, print_minutes: 20 })
  })

  it('undoing a completion reverts only the last plate, and returns a job that was never started to the queue', async () => {
    const app = await buildTestApp()
    const staff = await app.as('staff')
    const itemId = await anItem(app, { quantity: 0 })
    const waiting = await aPrintJob(app, { itemId, quantity: 2 })
    await taken(app, staff, waiting, 'complete')
    expect(await taken(app, staff, waiting, 'undo')).toMatchObject({ status: 'pending', started_at: null })
    expect(await stockOf(app, itemId)).toBe(0)

    const divided = await aPrintJob(app, { itemId, quantity: 8 })
    await app.database.sql`update print_jobs set pieces_per_plate = 4 where id = ${divided}`
    for (const good of [4, 3]) {
      await taken(app, staff, divided, 'start')
      await taken(app, staff, divided, 'complete', { good_quantity: good, rejected_quantity: 4 - good })
    }
    expect(await taken(app, staff, divided, 'undo')).toMatchObject({
      status: 'in_progress',
      good_quantity: 4,
      rejected_quantity: 0,
      plates_done: 1,
    })
    expect(await stockOf(app, itemId)).toBe(4)
  })

  it('undoing a completion is refused with a reason, and changes nothing, if later changes depend on the completion', async () => {
    const app = await buildTestApp()
    const staff = await app.as('staff')
    const refusal = async (id: string) => {
      const answer = await step(app, staff, id, 'undo')
      expect(answer.statusCode).toBe(409)
      return answer.json<{ detail: string }>().detail
    }
    const completed = async (job: object, said: object = {}) => {
      const itemId = await anItem(app, { quantity: 0 })
      const id = await aPrintJob(app, { itemId, quantity: 5, ...job })
      await taken(app, staff, id, 'start', { printer: 'MK4' })
      await taken(app, staff, id, 'complete', said)
      return { id, itemId }
    }
    const sold = await completed({})
    const orderId = await anOrder(app)
    await aMovement(app, { itemId: sold.itemId, kind: 'ship', delta: -2, orderId })
    expect(await refusal(sold.id)).toContain('Only 3 pieces are free')
    expect(await stockOf(app, sold.itemId)).toBe(3)

    const recounted = await completed({})
    await aMovement(app, { itemId: recounted.itemId, kind: 'count', delta: 1 })
    expect(await refusal(recounted.id)).toContain('was counted later')

    const spoolId = await aSpool(app)
    const weighed = await completed({ spoolId }, { used_grams: 30 })
    const scale = { remaining_grams: 500, reason: 'Scale' }
    await app.http.inject({
      method: 'POST',
      url: `/api/filament/${spoolId}/correct`,
      headers: staff,
      payload: scale,
    })
    expect(await refusal(weighed.id)).toContain('weighed or corrected later')
    expect(await stockOf(app, weighed.itemId)).toBe(5)

    const repeated = await completed({}, { rejected_quantity: 1 })
    await taken(app, staff, repeated.id, 'requeue')
    expect(await refusal(repeated.id)).toContain('queued again since')

    const covered = await completed({})
    await app.database.sql`
      update printers set kind = 'moonraker', state = 'needs_clearing' where name = 'MK4'`
    expect(await refusal(covered.id)).toContain('Another print is on the bed of MK4')
    await app.database.sql`update printers set kind = 'manual', state = 'available' where name = 'MK4'`

    const followed = await completed({})
    await taken(app, staff, await aPrintJob(app), 'start', { printer: 'MK4' })
    expect(await refusal(followed.id)).toContain('MK4 is printing another plate')
    expect(await refusal(await aPrintJob(app))).toContain('no completion')
  })

  it("after an undo, an agent's plate waits for a new count, and a repeated report from the agent changes nothing", async () => {
    const app = await buildTestApp()
    const staff = await app.as('staff')
    const itemId = await anItem(app, { quantity: 0 })
    const id = await aPrintJob(app, { itemId, quantity: 4 })
    const { key } = await anAgent(app)
    const { lease_id } = await claimed(app, key)
    await sendReport(app, key, id, 'complete', { lease_id })
    expect(await stockOf(app, itemId)).toBe(4)
    await taken(app, staff, id, 'undo')
    const plates = await read<Plate[]>(app, staff, `${QUEUE}/${id}/plates`)
    expect(plates.map(({ state }) => state)).toEqual(['cancelled', 'printed'])
    expect((await sendReport(app, key, id, 'complete', { lease_id })).statusCode).toBeGreaterThanOrEqual(400)
    expect(await stockOf(app, itemId)).toBe(0)
    expect(await taken(app, staff, id, 'complete', { good_quantity: 3, rejected_quantity: 1 })).toMatchObject(
      {
        status: 'completed',
        good_quantity: 3,
      },
    )
    expect(await stockOf(app, itemId)).toBe(3)
  })

  it('ten simultaneous calls that undo a completion remove the pieces from stock only once', async () => {
    const app = await buildTestApp()
    const staff = await app.as('staff')
    const itemId = await anItem(app, { quantity: 1 })
    const id = await aPrintJob(app, { itemId, quantity: 4 })
    await taken(app, staff, id, 'start')
    await taken(app, staff, id, 'complete')
    const answers = await Promise.all(Array.from({ length: 10 }, () => step(app, staff, id, 'undo')))
    expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1)
    expect(await stockOf(app, itemId)).toBe(1)
  })

  it('undoing a completion is refused to viewers and for unknown jobs', async () => {
    const app = await buildTestApp()
    const id = await aPrintJob(app)
    expect((await step(app, await app.as('viewer'), id, 'undo')).statusCode).toBe(403)
    expect((await step(app, {}, id, 'undo')).statusCode).toBe(401)
    const unknown = '0198c0de-0000-7000-8000-000000000001'
    expect((await step(app, await app.as('staff'), unknown, 'undo')).statusCode).toBe(404)
  })
})
