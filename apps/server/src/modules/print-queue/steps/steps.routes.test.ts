import type { SpoolEntry } from '@pegasus/contracts/filament/ledger'
import type { PrintJob, PrintJobStep } from '@pegasus/contracts/print-queue/jobs'
import {
  PRINT_JOB_ACTIONS,
  PRINT_JOB_STATUSES,
  type PrintJobAction,
  isPrintJobActionAllowed,
  requeueMode,
} from '@pegasus/contracts/statuses'
import { describe, expect, it } from 'vitest'
import { auditOf } from '../../../../test/support/accounts/api-keys.ts'
import { type TestApp, buildTestApp } from '../../../../test/support/build-test-app.ts'
import { anAgent, claimed, sendReport } from '../../../../test/support/print-agents.ts'
import { aPrintJob, aSpool, advance, anItem } from '../../../../test/support/stock-factories.ts'

type Headers = Record<string, string>

const QUEUE = '/api/print-queue'

const tryTo = (app: TestApp, headers: Headers, id: string, step: string, payload?: object) =>
  app.http.inject({ method: 'POST', url: `${QUEUE}/${id}/${step}`, headers, ...(payload && { payload }) })

const done = async (app: TestApp, headers: Headers, id: string, step: string, payload?: object) => {
  const answer = await tryTo(app, headers, id, step, payload)
  if (answer.statusCode > 201) throw new Error(`${step}: ${answer.statusCode} ${answer.body}`)
  return answer.json<PrintJob>()
}

const stockOf = async (app: TestApp, itemId: string): Promise<number> => {
  const [row] = await app.database.sql<
    [{ quantity: number }]
  >`select quantity from items where id = ${itemId}`
  return row.quantity
}

const ledgerOf = async (app: TestApp, headers: Headers, spoolId: string) =>
  (await app.http.inject({ url: `/api/filament/${spoolId}/ledger`, headers })).json<SpoolEntry[]>()

describe('completing a print job', () => {
  it('completing a print job without a request body adds all pieces to stock once, even if several callers do it at once', async () => {
    const app = await buildTestApp()
    const staff = await app.as('staff')
    const itemId = await anItem(app, { quantity: 3 })
    const id = await aPrintJob(app, { itemId, quantity: 6 })
    await done(app, staff, id, 'start')
    const jobs = await Promise.all(Array.from({ length: 8 }, () => done(app, staff, id, 'complete')))
    for (const job of jobs)
      expect(job).toMatchObject({ status: 'completed', good_quantity: 6, rejected_quantity: 0, progress: 1 })
    expect(await stockOf(app, itemId)).toBe(9)
    const later = await done(app, staff, id, 'complete', { good_quantity: 1 })
    expect(later.good_quantity).toBe(6)
    expect(await stockOf(app, itemId)).toBe(9)
    const actions = (await auditOf(app, 'print_job')).map(({ action }) => action)
    expect(actions).toEqual(['print_job.started', 'print_job.completed'])
  })

  it('completing a print job keeps rejected pieces out of stock, and books the reported filament', async () => {
    const app = await buildTestApp()
    const staff = await app.as('staff')
    const [itemId, spoolId] = [await anItem(app, { quantity: 0 }), await aSpool(app)]
    const id = await aPrintJob(app, { itemId, quantity: 10, spoolId })
    await done(app, staff, id, 'start', { printer: 'MK4 · 02' })
    const said = { rejected_quantity: 2, reason: 'Warped', used_grams: 84.5 }
    const job = await done(app, staff, id, 'complete', said)
    expect(job).toMatchObject({
      good_quantity: 8,
      rejected_quantity: 2,
      used_grams: 84.5,
      printer: 'MK4 · 02',
    })
    expect(await stockOf(app, itemId)).toBe(8)
    const [entry] = await ledgerOf(app, staff, spoolId)
    expect(entry).toMatchObject({ kind: 'use', delta_grams: -84.5, print_job_id: id })
    await done(app, staff, id, 'complete', said)
    expect(await ledgerOf(app, staff, spoolId)).toHaveLength(2)
    const history = await app.http.inject({ url: `${QUEUE}/${id}/history`, headers: staff })
    expect(history.json<PrintJobStep[]>()).toMatchObject([
      {
        from_status: 'in_progress',
        to_status: 'completed',
        good_quantity: 8,
        rejected_quantity: 2,
        reason: 'Warped',
      },
      { from_status: 'pending', to_status: 'in_progress', actor: { kind: 'user' } },
      { from_status: null, to_status: 'pending', actor: { kind: 'system' } },
    ])
  })

  it('completing a plate books the grams of each tool once, on the spool in the slot of the tool', async () => {
    const app = await buildTestApp()
    const staff = await app.as('staff')
    const [first, second, other] = [await aSpool(app), await aSpool(app), await aSpool(app)]
    const slots = [
      { slot: 1, filament_id: first },
      { slot: 2, filament_id: second },
    ]
    const printer = { name: 'XL', slots }
    await app.http.inject({ method: 'POST', url: '/api/printers', headers: staff, payload: printer })
    const id = await aPrintJob(app, { quantity: 4 })
    await done(app, staff, id, 'start', { printer: 'XL' })
    const said = { used_grams: [12.5, 3], print_minutes: 95 }
    expect((await tryTo(app, staff, id, 'complete', { used_grams: [1, -1] })).statusCode).toBe(422)
    expect((await tryTo(app, staff, id, 'complete', { used_grams: [] })).statusCode).toBe(422)
    const job = await done(app, staff, id, 'complete', said)
    expect(job).toMatchObject({ status: 'completed', used_grams: 15.5, print_minutes: 95 })
    await done(app, staff, id, 'complete', said)
    expect(await ledgerOf(app, staff, first)).toMatchObject([{ delta_grams: -12.5, print_job_id: id }, {}])
    expect(await ledgerOf(app, staff, second)).toMatchObject([{ delta_grams: -3, print_job_id: id }, {}])

    const failed = await aPrintJob(app)
    await done(app, staff, failed, 'start', { printer: 'XL' })
    await done(app, staff, failed, 'fail', { reason: 'Warped', used_grams: [4, 2], filament_id: other })
    expect(await ledgerOf(app, staff, other)).toMatchObject([{ kind: 'waste', delta_grams: -4 }, {}])
    expect((await ledgerOf(app, staff, second))[0]).toMatchObject({ kind: 'waste', delta_grams: -2 })
  })

  it('a report without a spool books its filament on the spool of the printer, or notes it if there is none', async () => {
    const app = await buildTestApp()
    const staff = await app.as('staff')
    const loaded = await aSpool(app)
    const printer = { name: 'MK4', slots: [{ slot: 1, filament_id: loaded }] }
    await app.http.inject({ method: 'POST', url: '/api/printers', headers: staff, payload: printer })
    const [good, bad, other] = [await aPrintJob(app), await aPrintJob(app), await aPrintJob(app)]
    await done(app, staff, good, 'start', { printer: 'MK4' })
    await done(app, staff, good, 'complete', { used_grams: 12 })
    await done(app, staff, bad, 'start', { printer: 'MK4' })
    await done(app, staff, bad, 'fail', { reason: 'Warped', used_grams: 5 })
    expect(await ledgerOf(app, staff, loaded)).toMatchObject([
      { kind: 'waste', delta_grams: -5, print_job_id: bad },
      { kind: 'use', delta_grams: -12, print_job_id: good },
      {},
    ])
    await done(app, staff, other, 'start', { printer: 'Empty' })
    await done(app, staff, other, 'complete', { used_grams: 7 })
    const history = await app.http.inject({ url: `${QUEUE}/${other}/history`, headers: staff })
    expect(history.json<PrintJobStep[]>()[0]?.reason).toBe(
      '7 g were not booked, because no matching spool is loaded.',
    )
  })

  it('completing a print job succeeds even if its item is deleted, and reports that nothing was added to stock', async () => {
    const app = await buildTestApp()
    const staff = await app.as('staff')
    const itemId = await anItem(app, { quantity: 0 })
    const id = await aPrintJob(app, { itemId, quantity: 2 })
    await app.database.sql`update items set deleted_at = now() where id = ${itemId}`
    expect(await done(app, staff, id, 'complete')).toMatchObject({ status: 'completed', good_quantity: 2 })
    const history = await app.http.inject({ url: `${QUEUE}/${id}/history`, headers: staff })
    expect(history.json<PrintJobStep[]>()[0]?.reason).toBe(
      'The item is in the trash, so nothing was added to stock.',
    )
    expect(await stockOf(app, itemId)).toBe(0)
  })

  it('completing a print job succeeds even if its spool is deleted, and reports that no filament was booked', async () => {
    const app = await buildTestApp()
    const staff = await app.as('staff')
    const [itemId, spoolId] = [await anItem(app, { quantity: 0 }), await aSpool(app)]
    const id = await aPrintJob(app, { itemId, quantity: 2, spoolId })
    await app.http.inject({ method: 'DELETE', url: `/api/filament/${spoolId}`, headers: staff })
    const report = { used_grams: 12, reason: 'A little stringing.', rejected_quantity: 1 }
    expect(await done(app, staff, id, 'complete', report)).toMatchObject({
      status: 'completed',
      used_grams: 12,
    })
    const history = await app.http.inject({ url: `${QUEUE}/${id}/history`, headers: staff })
    expect(history.json<PrintJobStep[]>()[0]?.reason).toBe(
      'A little stringing. The spool is in the trash, so its filament was not booked.',
    )
    expect(await stockOf(app, itemId)).toBe(1)
  })

  it('if a person and an agent complete the same job at once, both succeed and its pieces are counted once', async () => {
    const app = await buildTestApp()
    const staff = await app.as('staff')
    const itemId = await anItem(app, { quantity: 0 })
    const { key } = await anAgent(app)
    const id = await aPrintJob(app, { itemId, quantity: 4 })
    await claimed(app, key)
    const [person, agent] = await Promise.all([
      done(app, staff, id, 'complete'),
      sendReport(app, key, id, 'complete'),
    ])
    expect([person.status, agent.statusCode]).toEqual(['completed', 200])
    expect(await stockOf(app, itemId)).toBe(4)
  })

  it('completing a print job with invalid counts or an unknown spool is refused, and books nothing', async () => {
    const app = await buildTestApp()
    const staff = await app.as('staff')
    const itemId = await anItem(app, { quantity: 0 })
    const id = await aPrintJob(app, { itemId, quantity: 2 })
    for (const [body, status] of [
      [{ rejected_quantity: 3 }, 422],
      [{ good_quantity: -1 }, 422],
      [{ good_quantity: 1.5 }, 422],
      [{ used_grams: -1 }, 422],
      [{ used_grams: 5, filament_id: crypto.randomUUID() }, 404],
    ] as const)
      expect([body, (await tryTo(app, staff, id, 'complete', body)).statusCode]).toEqual([body, status])
    // A job that nobody started can be completed with more pieces than its quantity. A plate that was started cannot.
    const started = await aPrintJob(app, { itemId, quantity: 2 })
    await done(app, staff, started, 'start')
    expect((await tryTo(app, staff, started, 'complete', { good_quantity: 200 })).statusCode).toBe(422)
    const over = { reason: 'Warped', rejected_quantity: 3 }
    expect((await tryTo(app, staff, started, 'fail', over)).statusCode).toBe(422)
    expect(await stockOf(app, itemId)).toBe(0)
    expect(await done(app, staff, id, 'complete', { good_quantity: 3 })).toMatchObject({ good_quantity: 3 })
    expect(await stockOf(app, itemId)).toBe(3)
  })
})

describe('starting, failing and other steps of a print job', () => {
  it('only one of many concurrent callers starts a print job, and the others get the reason for the refusal', async () => {
    const app = await buildTestApp()
    const staff = await app.as('staff')
    const id = await aPrintJob(app)
    const answers = await Promise.all(Array.from({ length: 6 }, () => tryTo(app, staff, id, 'start')))
    expect(answers.map((answer) => answer.statusCode).toSorted((a, b) => a - b)).toEqual([
      200, 409, 409, 409, 409, 409,
    ])
    const refused = answers.find((answer) => answer.statusCode === 409)
    expect(refused?.json()).toEqual({
      detail: 'This print job is already being printed.',
      code: 'print_job_state',
    })
  })

  it('failing a print job requires a reason, and books the used filament as waste', async () => {
    const app = await buildTestApp()
    const staff = await app.as('staff')
    const spoolId = await aSpool(app)
    const id = await aPrintJob(app, { quantity: 3, spoolId })
    await done(app, staff, id, 'start')
    expect((await tryTo(app, staff, id, 'fail', {})).statusCode).toBe(422)
    const said = { reason: 'Came loose', rejected_quantity: 3, used_grams: 40 }
    expect(await done(app, staff, id, 'fail', said)).toMatchObject({
      status: 'failed',
      failure_reason: 'Came loose',
      rejected_quantity: 3,
    })
    const [entry] = await ledgerOf(app, staff, spoolId)
    expect(entry).toMatchObject({ kind: 'waste', delta_grams: -40, reason: 'Came loose' })
  })

  it('in every status, each action on a print job is allowed or refused according to the transition table', async () => {
    const app = await buildTestApp()
    const staff = await app.as('staff')
    const wayTo = {
      pending: [],
      in_progress: ['start'],
      on_hold: ['hold'],
      completed: ['complete'],
      failed: ['start', 'fail'],
      cancelled: ['cancel'],
    } as const
    const body = { reason: 'because' }
    for (const status of PRINT_JOB_STATUSES)
      for (const action of Object.keys(PRINT_JOB_ACTIONS) as PrintJobAction[]) {
        const id = await aPrintJob(app)
        for (const step of wayTo[status]) await done(app, staff, id, step, body)
        const answer = await tryTo(app, staff, id, action, body)
        const isAllowed =
          isPrintJobActionAllowed(action, status) || (action === 'complete' && status === 'completed')
        expect([status, action, answer.statusCode]).toEqual([status, action, isAllowed ? 200 : 409])
      }
  })

  it('viewers cannot start, hold, complete, fail, cancel, requeue or restore a print job', async () => {
    const app = await buildTestApp()
    const viewer = await app.as('viewer')
    const id = await aPrintJob(app)
    for (const step of [...Object.keys(PRINT_JOB_ACTIONS), 'requeue', 'restore'])
      expect((await tryTo(app, viewer, id, step)).statusCode).toBe(403)
  })
})

describe('requeuing a print job', () => {
  it('requeuing an unfinished print job returns the same job to the queue', async () => {
    const app = await buildTestApp()
    const staff = await app.as('staff')
    const id = await aPrintJob(app)
    await done(app, staff, id, 'hold', { reason: 'no filament' })
    expect((await tryTo(app, staff, id, 'requeue')).statusCode).toBe(200)
    await done(app, staff, id, 'start')
    const again = await done(app, staff, id, 'requeue')
    expect(again).toMatchObject({ id, status: 'pending', attempt: 1, started_at: null })
    expect((await tryTo(app, staff, id, 'requeue')).json()).toMatchObject({
      detail: 'This print job is already waiting in the queue.',
    })
  })

  it('requeuing a failed print job creates one linked next attempt, even if several callers request it at the same time', async () => {
    const app = await buildTestApp()
    const staff = await app.as('staff')
    const spoolId = await aSpool(app)
    const id = await aPrintJob(app, {
      quantity: 5,
      spoolId,
      estimatedGrams: 50,
      priority: 2,
      notes: 'careful',
    })
    await done(app, staff, id, 'start')
    await done(app, staff, id, 'fail', { reason: 'Clogged nozzle' })
    const answers = await Promise.all([1, 2, 3, 4].map(() => tryTo(app, staff, id, 'requeue')))
    expect(answers.map((answer) => answer.statusCode).toSorted((a, b) => a - b)).toEqual([201, 409, 409, 409])
    const next = answers.find((answer) => answer.statusCode === 201)?.json<PrintJob>()
    const same = { quantity: 5, filament_id: spoolId, estimated_grams: 50, priority: 2, notes: 'careful' }
    expect(next).toMatchObject({
      ...same,
      status: 'pending',
      attempt: 2,
      previous_job_id: id,
      good_quantity: 0,
    })
    const first = await app.http.inject({ url: `${QUEUE}/${id}`, headers: staff })
    expect(first.json()).toMatchObject({ next_job_id: next?.id, status: 'failed' })
  })

  it('requeuing a print job twice with the same idempotency key returns the same attempt, and the key is refused for another job', async () => {
    const app = await buildTestApp()
    const staff = { ...(await app.as('staff')), 'idempotency-key': 'again-1' }
    const [id, other] = [await aPrintJob(app), await aPrintJob(app)]
    for (const each of [id, other]) await advance(app, each, { to: 'cancelled' })
    const answers = await Promise.all([1, 2, 3].map(() => tryTo(app, staff, id, 'requeue')))
    expect(answers.map((answer) => answer.statusCode)).toEqual([201, 201, 201])
    expect(new Set(answers.map((answer) => answer.json<PrintJob>().id)).size).toBe(1)
    expect(await app.database.sql`select 1 from print_jobs where previous_job_id = ${id}`).toHaveLength(1)
    expect((await tryTo(app, staff, other, 'requeue')).json()).toMatchObject({
      code: 'idempotency_key_reused',
    })
    const long = { ...staff, 'idempotency-key': 'x'.repeat(256) }
    expect((await tryTo(app, long, other, 'requeue')).statusCode).toBe(400)
  })

  it('requeuing a completed print job queues an attempt for its missing pieces, and is refused if enough pieces were good', async () => {
    const app = await buildTestApp()
    const staff = await app.as('staff')
    const [bad, good] = [await aPrintJob(app, { quantity: 10, estimatedGrams: 100 }), await aPrintJob(app)]
    await advance(app, bad, { to: 'completed', rejected: 3 })
    await advance(app, good, { to: 'completed' })
    expect(await done(app, staff, bad, 'requeue')).toMatchObject({
      quantity: 3,
      estimated_grams: 30,
      attempt: 2,
    })
    expect((await tryTo(app, staff, good, 'requeue')).statusCode).toBe(409)
    expect(requeueMode({ status: 'completed', quantity: 4, good_quantity: 4 })).toBeNull()
  })
})
