import type { PrintJob, PrintJobStep } from '@pegasus/contracts/print-queue/jobs'
import { describe, expect, it } from 'vitest'
import { auditOf } from '../../../../test/support/accounts/api-keys.ts'
import { type TestApp, buildTestApp } from '../../../../test/support/build-test-app.ts'
import { aPrintJob, aSpool, anItem, anOrder } from '../../../../test/support/stock-factories.ts'

type Headers = Record<string, string>

const QUEUE = '/api/print-queue'

const post = (app: TestApp, headers: Headers, path: string, payload?: object) =>
  app.http.inject({ method: 'POST', url: `${QUEUE}/${path}`, headers, ...(payload && { payload }) })

const done = async (app: TestApp, headers: Headers, path: string, payload?: object): Promise<PrintJob> => {
  const answer = await post(app, headers, path, payload)
  if (answer.statusCode > 201) throw new Error(`${path}: ${answer.statusCode} ${answer.body}`)
  return answer.json<PrintJob>()
}

const read = async (app: TestApp, headers: Headers, id: string): Promise<PrintJob> =>
  (await app.http.inject({ url: `${QUEUE}/${id}`, headers })).json<PrintJob>()

const historyOf = async (app: TestApp, headers: Headers, id: string): Promise<PrintJobStep[]> =>
  (await app.http.inject({ url: `${QUEUE}/${id}/history`, headers })).json<PrintJobStep[]>()

/** Adds a job with four pieces per plate. Its first plate is done. */
const aPartlyPrintedJob = async (app: TestApp, headers: Headers, quantity: number) => {
  const itemId = await anItem(app, { quantity: 0 })
  const id = await aPrintJob(app, { itemId, quantity, piecesPerPlate: 4, estimatedGrams: quantity * 10 })
  await done(app, headers, `${id}/start`)
  await done(app, headers, `${id}/complete`, { rejected_quantity: 1, reason: 'Warped' })
  return { id, itemId }
}

describe('splitting a job with POST /api/print-queue/{id}/split', () => {
  it('a split moves missing pieces to a new job without losing a printed piece', async () => {
    const app = await buildTestApp()
    const staff = await app.as('staff')
    const { id, itemId } = await aPartlyPrintedJob(app, staff, 10)
    const [before, history] = [await read(app, staff, id), await historyOf(app, staff, id)]
    const part = await done(app, staff, `${id}/split`, { quantity: 5 })
    expect(part).toMatchObject({
      status: 'pending',
      quantity: 5,
      good_quantity: 0,
      inventory_item_id: itemId,
      pieces_per_plate: 4,
      plates: 2,
      priority: before.priority,
      estimated_grams: 50,
    })
    expect(await read(app, staff, id)).toMatchObject({
      status: 'pending',
      quantity: 5,
      good_quantity: 3,
      rejected_quantity: 1,
      missing_quantity: 2,
      estimated_grams: 50,
    })
    const [given, ...earlier] = await historyOf(app, staff, id)
    expect(given).toMatchObject({
      reason: `5 pieces were split off as ${part.label_code}.`,
      other_job_id: part.id,
      other_job_code: part.label_code,
      actor: { kind: 'user' },
    })
    expect(earlier).toEqual(history)
    expect(await historyOf(app, staff, part.id)).toMatchObject([
      { from_status: null, reason: `Split off from ${before.label_code}`, other_job_id: id },
    ])
    const entries = (await auditOf(app, 'print_job')).filter(({ action }) => action === 'print_job.split')
    expect(entries).toHaveLength(2)
    // The new job is printed like any other job. Then the stock contains the pieces of both jobs.
    await done(app, staff, `${id}/complete`, { good_quantity: 2 })
    await done(app, staff, `${part.id}/complete`)
    const [stock] = await app.database.sql`select quantity from items where id = ${itemId}`
    expect(stock).toEqual({ quantity: 10 })
  })

  it('a split of all missing pieces completes a job that has good pieces', async () => {
    const app = await buildTestApp()
    const staff = await app.as('staff')
    const { id } = await aPartlyPrintedJob(app, staff, 8)
    await done(app, staff, `${id}/split`, { quantity: 5 })
    expect(await read(app, staff, id)).toMatchObject({ status: 'completed', quantity: 3, good_quantity: 3 })
    expect((await read(app, staff, id)).cost).not.toBeNull()
  })

  it('a split does not move pieces that are being printed, and runs once per idempotency key', async () => {
    const app = await buildTestApp()
    const staff = await app.as('staff')
    const id = await aPrintJob(app, { quantity: 8, piecesPerPlate: 4 })
    await done(app, staff, `${id}/start`)
    const tooMany = await post(app, staff, `${id}/split`, { quantity: 5 })
    expect([tooMany.statusCode, tooMany.json<{ detail: string }>().detail]).toEqual([
      422,
      'At most 4 pieces can be split off.',
    ])
    const keyed = { ...staff, 'idempotency-key': 'split-1' }
    const [one, two] = [
      await done(app, keyed, `${id}/split`, { quantity: 4 }),
      await done(app, keyed, `${id}/split`, { quantity: 4 }),
    ]
    expect(two.id).toBe(one.id)
    expect(await read(app, staff, id)).toMatchObject({ status: 'in_progress', quantity: 4 })
  })

  it('the new job of a split is on hold if the original job is on hold', async () => {
    const app = await buildTestApp()
    const staff = await app.as('staff')
    const id = await aPrintJob(app, { quantity: 4 })
    await done(app, staff, `${id}/hold`, { reason: 'Wait for the customer' })
    expect(await done(app, staff, `${id}/split`, { quantity: 1 })).toMatchObject({
      status: 'on_hold',
      hold_reason: 'Wait for the customer',
    })
  })

  it('two simultaneous splits never move the same piece twice', async () => {
    const app = await buildTestApp()
    const staff = await app.as('staff')
    const id = await aPrintJob(app, { quantity: 6 })
    const answers = await Promise.all([1, 2, 3].map(() => post(app, staff, `${id}/split`, { quantity: 2 })))
    expect(answers.filter(({ statusCode }) => statusCode === 201)).toHaveLength(2)
    const [sum] = await app.database.sql`select sum(quantity)::int as pieces from print_jobs`
    expect(sum).toEqual({ pieces: 6 })
  })

  it('a split is refused for an invalid quantity, for a job that is over, and for viewers', async () => {
    const app = await buildTestApp()
    const staff = await app.as('staff')
    const id = await aPrintJob(app, { quantity: 2 })
    for (const quantity of [0, -1, 1.5, 2, '1', null])
      expect((await post(app, staff, `${id}/split`, { quantity })).statusCode, `${quantity}`).toBe(422)
    expect((await post(app, await app.as('viewer'), `${id}/split`, { quantity: 1 })).statusCode).toBe(403)
    expect((await post(app, staff, `${crypto.randomUUID()}/split`, { quantity: 1 })).statusCode).toBe(404)
    await done(app, staff, `${id}/cancel`)
    expect((await post(app, staff, `${id}/split`, { quantity: 1 })).statusCode).toBe(409)
  })
})

describe('merging jobs with POST /api/print-queue/{id}/merge', () => {
  it('a merge moves the missing pieces of a waiting job and ends it, and the ended job keeps its plates and history', async () => {
    const app = await buildTestApp()
    const staff = await app.as('staff')
    const { id: otherId, itemId } = await aPartlyPrintedJob(app, staff, 10)
    const other = await read(app, staff, otherId)
    const id = await aPrintJob(app, { itemId, quantity: 2, piecesPerPlate: 4, dueAt: new Date('2031-02-01') })
    await app.database.sql`
      update print_jobs set priority = 1, due_at = '2031-01-01T00:00:00Z', expected_rejects = 4 where id = ${otherId}`
    const merged = await done(app, staff, `${id}/merge`, { job_id: otherId })
    expect(merged).toMatchObject({
      status: 'pending',
      quantity: 9,
      priority: 1,
      due_at: '2031-01-01T00:00:00Z',
      expected_rejects: 4,
      plates: 4,
    })
    const ended = await read(app, staff, otherId)
    expect(ended).toMatchObject({
      status: 'completed',
      quantity: 3,
      good_quantity: 3,
      rejected_quantity: 1,
      plates_done: 1,
      merged_into_job_id: id,
    })
    expect(ended.cost).not.toBeNull()
    expect((await historyOf(app, staff, id))[0]).toMatchObject({
      reason: `7 pieces of ${other.label_code} were added.`,
      other_job_id: otherId,
    })
    const history = await historyOf(app, staff, otherId)
    expect(history).toHaveLength(4)
    expect(history[0]).toMatchObject({
      to_status: 'completed',
      reason: `7 pieces were added to ${merged.label_code}.`,
      other_job_id: id,
    })
    // The merged job cannot be queued again, because its pieces are now part of the other job.
    expect((await post(app, staff, `${otherId}/requeue`)).statusCode).toBe(409)
    await done(app, staff, `${id}/complete`, { good_quantity: 9 })
    const [stock] = await app.database.sql`select quantity from items where id = ${itemId}`
    expect(stock).toEqual({ quantity: 12 })
    const entries = (await auditOf(app, 'print_job')).filter(({ action }) => action === 'print_job.merged')
    expect(entries).toHaveLength(2)
  })

  it('merging a waiting job without good pieces cancels it, and simultaneous merges never add its pieces twice', async () => {
    const app = await buildTestApp()
    const staff = await app.as('staff')
    const itemId = await anItem(app)
    const [one, two, other] = [
      await aPrintJob(app, { itemId, quantity: 1 }),
      await aPrintJob(app, { itemId, quantity: 1 }),
      await aPrintJob(app, { itemId, quantity: 5 }),
    ]
    const answers = await Promise.all([
      post(app, staff, `${one}/merge`, { job_id: other }),
      post(app, staff, `${two}/merge`, { job_id: other }),
      post(app, staff, `${other}/merge`, { job_id: one }),
    ])
    expect(answers.filter(({ statusCode }) => statusCode === 200).length).toBeGreaterThan(0)
    const [sum] = await app.database.sql`
      select sum(quantity) filter (where status = 'pending')::int as pieces from print_jobs`
    expect(sum).toEqual({ pieces: 7 })
  })

  it('a merge is refused for jobs that print different things, are being printed or are over, and for viewers', async () => {
    const app = await buildTestApp()
    const staff = await app.as('staff')
    const itemId = await anItem(app)
    const [id, other] = [await aPrintJob(app, { itemId }), await aPrintJob(app, { itemId })]
    const merge = async (payload: object, headers = staff) => {
      const answer = await post(app, headers, `${id}/merge`, payload)
      return [answer.statusCode, answer.json<{ detail: string }>().detail]
    }
    const different = await aPrintJob(app, {
      itemId,
      spoolId: await aSpool(app),
      orderId: await anOrder(app, { orderNumber: 'PO-1' }),
    })
    const inAnyColor = await aPrintJob(app, { itemId })
    await app.database.sql`update print_jobs set match_strictness = 'material' where id = ${inAnyColor}`
    expect(await merge({ job_id: inAnyColor })).toEqual([
      422,
      expect.stringContaining('has another strictness of the filament, so it cannot be merged.'),
    ])
    const { label_code: code } = await read(app, staff, different)
    const [status, detail] = await merge({ job_id: different })
    expect(status).toBe(422)
    expect(detail).toContain(`${code} has another`)
    expect(detail).toContain('order')
    expect((await merge({ job_id: id }))[0]).toBe(422)
    expect((await merge({ job_id: 'x' }))[0]).toBe(422)
    expect((await merge({ job_id: crypto.randomUUID() }))[0]).toBe(404)
    expect((await merge({ job_id: other }, await app.as('viewer')))[0]).toBe(403)
    await done(app, staff, `${other}/start`)
    expect((await merge({ job_id: other }))[0]).toBe(409)
    await done(app, staff, `${other}/cancel`)
    expect((await merge({ job_id: other }))[0]).toBe(409)
    // Once the print of an undivided job has started, its number of pieces is final.
    const waiting = await aPrintJob(app, { itemId })
    await done(app, staff, `${id}/start`)
    expect((await merge({ job_id: waiting }))[0]).toBe(409)
  })
})
