import type { PrintJob, PrintJobStep } from '@pegasus/contracts/print-queue/jobs'
import { expect, it } from 'vitest'
import { auditOf } from '../../../../test/support/accounts/api-keys.ts'
import { type TestApp, buildTestApp } from '../../../../test/support/build-test-app.ts'
import { aPrinterSetup, clearBed, setupState } from '../../../../test/support/network-printers.ts'
import { anAgent, claim, claimed, sendReport } from '../../../../test/support/print-agents.ts'
import { aPrintJob, advance } from '../../../../test/support/stock-factories.ts'

const post = async (
  app: TestApp,
  id: string,
  step: string,
  payload: object = {},
  role: 'staff' | 'viewer' = 'staff',
) => {
  app.clock.advance(1000)
  const url = `/api/print-queue/${id}/${step}`
  return app.http.inject({ method: 'POST', url, headers: await app.as(role), payload })
}

/** Starts a job and reports that its print failed. */
async function fail(app: TestApp, id: string, reason = 'Came loose'): Promise<PrintJob> {
  await post(app, id, 'start')
  return (await post(app, id, 'fail', { reason })).json<PrintJob>()
}

/** Queues the next attempt at a failed, cancelled or completed job. */
const requeued = async (app: TestApp, job: PrintJob | undefined): Promise<PrintJob> =>
  (await post(app, job?.id ?? '', 'requeue')).json<PrintJob>()

/**
 * Fails a job and requeues it, this many times. Returns the job and its next attempts, each in its state after the
 * failure.
 */
async function failTimes(app: TestApp, id: string, times: number): Promise<PrintJob[]> {
  const failed: PrintJob[] = []
  for (let time = 0, next = id; time < times; time += 1) {
    const job = await fail(app, next)
    failed.push(job)
    if (job.status === 'failed' && time < times - 1) next = (await requeued(app, job)).id
  }
  return failed
}

const historyOf = async (app: TestApp, id: string) => {
  const answer = await app.http.inject({
    url: `/api/print-queue/${id}/history`,
    headers: await app.as('viewer'),
  })
  return answer.json<PrintJobStep[]>().map((step) => [step.from_status, step.to_status, step.reason])
}

it.each([
  ['attempts', null],
  ['plates', 2],
] as const)(
  'a job is on hold after every three failed %s in a row, until a person requeues it',
  async (what, piecesPerPlate) => {
    const app = await buildTestApp()
    const id = await aPrintJob(app, { quantity: 4, piecesPerPlate })
    const failed = await failTimes(app, id, 2)
    const lastId = piecesPerPlate === null ? (await requeued(app, failed.at(-1))).id : id
    const held = await fail(app, lastId, 'Clogged nozzle')
    const holdReason = `3 ${what} failed in a row. The last one: Clogged nozzle`
    expect(held).toMatchObject({
      status: 'on_hold',
      hold_reason: holdReason,
      failure_reason: 'Clogged nozzle',
      finished_at: null,
      waits_for: [{ code: 'on_hold' }],
    })
    const [[from, to, reason] = []] = await historyOf(app, lastId)
    expect([from, to]).toEqual(['in_progress', 'on_hold'])
    expect(reason).toContain(holdReason)
    const alerts = await app.database.sql`
      select reason from failed_print_jobs where print_job_id = ${lastId}`
    expect(alerts).toEqual([{ reason: holdReason }])

    // A viewer cannot take the job off hold, and nobody can start the job while it is on hold.
    expect((await post(app, lastId, 'requeue', {}, 'viewer')).statusCode).toBe(403)
    expect((await post(app, lastId, 'start')).statusCode).toBe(409)
    const answer = await post(app, lastId, 'requeue')
    expect([answer.statusCode, answer.json()]).toMatchObject([
      200,
      { id: lastId, status: 'pending', hold_reason: null },
    ])
    expect((await historyOf(app, lastId))[0]).toEqual(['on_hold', 'pending', null])
    expect((await auditOf(app, 'print_job')).map(({ action }) => action)).toContain('print_job.requeued')

    const again = await failTimes(app, lastId, 3)
    expect(again.map(({ status }) => status)).toEqual([
      ...(piecesPerPlate === null ? ['failed', 'failed'] : ['pending', 'pending']),
      'on_hold',
    ])
  },
)

it('the count of failures in a row starts again after a good print, but not after a cancelled one', async () => {
  const app = await buildTestApp()
  const id = await aPrintJob(app, { quantity: 2 })
  const failed = await failTimes(app, id, 2)
  const third = await requeued(app, failed.at(-1))
  await post(app, third.id, 'start')
  await post(app, third.id, 'complete', { good_quantity: 1, rejected_quantity: 1 })
  const fourth = await requeued(app, third)
  const more = await failTimes(app, fourth.id, 2)
  expect(more.map(({ status, attempt }) => [status, attempt])).toEqual([
    ['failed', 4],
    ['failed', 5],
  ])
  const sixth = await requeued(app, more.at(-1))
  await post(app, sixth.id, 'cancel')
  const seventh = await requeued(app, sixth)
  expect(await fail(app, seventh.id)).toMatchObject({ status: 'on_hold', attempt: 7 })
})

it('the third failed attempt that an agent reports puts the job on hold, and a repeated report changes nothing', async () => {
  const app = await buildTestApp()
  const { key } = await anAgent(app)
  const id = await aPrintJob(app)
  const failed = await failTimes(app, id, 2)
  const third = await requeued(app, failed.at(-1))
  const { lease_id: leaseId } = await claimed(app, key)
  for (let report = 0; report < 2; report += 1) {
    const answer = await sendReport(app, key, third.id, 'fail', { lease_id: leaseId, reason: 'Warped' })
    expect([answer.statusCode, answer.json()]).toMatchObject([200, { id: third.id, status: 'on_hold' }])
  }
  expect(
    await app.database.sql`select 1 from failed_print_jobs where print_job_id = ${third.id}`,
  ).toHaveLength(1)
  await advance(app, third.id, { to: 'cancelled' })
})

it('a job with three failures in a row gets no further plate on any printer, until a good plate ends the count', async () => {
  const app = await buildTestApp()
  const setup = await aPrinterSetup(app, 'moonraker')
  const { key } = await anAgent(app)
  const id = await aPrintJob(app, { itemId: setup.itemId, quantity: 9, piecesPerPlate: 1 })
  await app.database.sql`update printers set takes_jobs = true`
  await post(app, id, 'start', { printer: 'By hand' })
  const visits = async () => {
    app.clock.advance(1000)
    await app.planner.run()
    await app.printers.run()
    return (await setupState(app, setup, id)).plates.map(({ state }) => state)
  }
  for (let failures = 1; failures <= 3; failures += 1) {
    expect((await visits()).at(-1)).toBe('printing')
    setup.printer.machine.cancel()
    expect((await visits()).filter((state) => state === 'failed')).toHaveLength(failures)
    await clearBed(app, setup)
  }
  expect(await visits()).toEqual(['printing', 'failed', 'failed', 'failed'])
  const refused = await post(app, id, 'start', { printer: 'Other' })
  expect([refused.statusCode, refused.json()]).toMatchObject([
    409,
    { detail: expect.stringMatching(/^The last three plates of this print job failed/) },
  ])
  expect((await claim(app, key)).statusCode).toBe(204)
  const good = await post(app, id, 'complete', { printer: 'By hand' })
  expect(good.json()).toMatchObject({ status: 'pending', good_quantity: 1 })
  expect((await visits()).at(-1)).toBe('printing')
  expect((await claim(app, key)).statusCode).toBe(200)
})
