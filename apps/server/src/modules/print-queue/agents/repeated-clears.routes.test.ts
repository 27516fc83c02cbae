import type { AgentJob } from '@pegasus/contracts/print-queue/agents'
import type { PrintJob } from '@pegasus/contracts/print-queue/jobs'
import type { Printer } from '@pegasus/contracts/print-queue/printers'
import { expect, it } from 'vitest'
import { buildTestApp } from '../../../../test/support/build-test-app.ts'
import { anAgent, claim, shownJob, sendReport } from '../../../../test/support/print-agents.ts'
import { aPrintJob, anItem } from '../../../../test/support/stock-factories.ts'

/**
 * Creates a printer whose agent has printed a job of 4 pieces. The plate is still on the bed. A second job of 5 pieces
 * waits.
 */
async function aFullBed() {
  const app = await buildTestApp()
  const { key } = await anAgent(app)
  const itemId = await anItem(app, { quantity: 0 })
  await aPrintJob(app, { itemId, quantity: 4, priority: 1 })
  const next = await aPrintJob(app, { itemId, quantity: 5, priority: 2 })
  const claimNext = async () => {
    const { id } = (await claim(app, key, 'bench-1', { printer: 'Voron' })).json<AgentJob>()
    await sendReport(app, key, id, 'heartbeat', { progress: 0.01 })
    return id
  }
  await sendReport(app, key, await claimNext(), 'complete', { cleared: false })
  const headers = await app.as('staff')
  const printer = async () => {
    const [found] = (await app.http.inject({ url: '/api/printers', headers })).json<Printer[]>()
    if (!found) throw new Error('no printer')
    return found
  }
  const { id: printerId } = await printer()
  const clear = async (payload: object, more: object = {}) => {
    const url = `/api/printers/${printerId}/clear`
    const answer = await app.http.inject({ method: 'POST', url, headers: { ...headers, ...more }, payload })
    return [answer.statusCode, answer.json<unknown>()] as const
  }
  const stock = async () =>
    (await app.http.inject({ url: `/api/inventory/${itemId}`, headers })).json<{ quantity: number }>()
      .quantity
  return { app, key, next, claimNext, printer, clear, stock }
}

it('a repeated report that the bed is cleared does not end the job that the agent has begun in the meantime', async () => {
  const { app, key, next, claimNext, printer, clear, stock } = await aFullBed()
  expect((await printer()).state).toBe('needs_clearing')
  const sent = { 'idempotency-key': 'tap' }
  const first = await clear({}, sent)
  expect(first).toMatchObject([200, { state: 'available' }])
  expect(await claimNext()).toBe(next)
  const plateId = (await printer()).current_job?.plate_id

  // The same clearing is reported again: a retry after a lost response, a second tap, and another person.
  expect(await clear({}, sent)).toEqual(first)
  expect(await clear({})).toMatchObject([
    409,
    {
      code: 'printer_state',
      detail:
        'The agent of this printer still prints plate 1 of J-00002. If the plate is off the bed, reload the page and clear it.',
      plate_id: plateId,
    },
  ])
  expect(await clear({ plate_id: null })).toMatchObject([
    412,
    {
      detail: 'Plate 1 of J-00002 is on this printer now. It began in the meantime.',
      plate_id: plateId,
    },
  ])
  expect(await shownJob(app, next)).toMatchObject({ status: 'in_progress', good_quantity: 0 })
  expect(await stock()).toBe(4)
  const heartbeat = await sendReport(app, key, next, 'heartbeat', { progress: 0.1 })
  expect([heartbeat.statusCode, heartbeat.json<PrintJob>().status]).toEqual([200, 'in_progress'])

  // The person at the machine sees that this plate is off the bed, so the report names it.
  const counts = { good_quantity: 3, rejected_quantity: 2 }
  expect(await clear({ plate_id: plateId, ...counts })).toMatchObject([200, { state: 'available' }])
  expect(await clear({ plate_id: plateId, ...counts })).toMatchObject([
    412,
    {
      detail: 'This plate is no longer on the printer. It has been cleared or ended in the meantime.',
      plate_id: null,
    },
  ])
  expect(await stock()).toBe(7)
})

it('pieces are not counted on a bed without a plate', async () => {
  const { clear, printer, stock } = await aFullBed()
  for (const counts of [
    { good_quantity: 7, rejected_quantity: 2 },
    { plate_id: null, reason: 'Warped' },
  ])
    expect(await clear(counts)).toMatchObject([
      409,
      {
        detail:
          'No plate is on this printer, so its pieces cannot be counted. Please clear it without counts.',
      },
    ])
  expect([(await printer()).state, await stock()]).toEqual(['needs_clearing', 4])
  expect(await clear({ plate_id: null })).toMatchObject([200, { state: 'available' }])
})

async function aPrintOfAPerson() {
  const app = await buildTestApp()
  const headers = await app.as('staff')
  const call = async <T>(method: 'GET' | 'POST', url: string, payload?: object) => {
    const answer = await app.http.inject({ method, url, headers, ...(payload && { payload }) })
    return { status: answer.statusCode, body: answer.json<T>() }
  }
  const { id } = (await call<Printer>('POST', '/api/printers', { name: 'Ender' })).body
  const jobId = await aPrintJob(app, { itemId: await anItem(app, { quantity: 0 }), quantity: 4 })
  await call('POST', `/api/print-queue/${jobId}/start`, { printer: 'Ender' })
  const clear = (payload?: object) => call('POST', `/api/printers/${id}/clear`, payload)
  return { app, id, jobId, call, clear }
}

it("a person's print that has just begun is ended by clearing the bed only if the request names its plate", async () => {
  const { app, id, jobId, call, clear } = await aPrintOfAPerson()
  app.clock.advance(59_000)
  for (const payload of [undefined, {}, { good_quantity: 4 }])
    expect(await clear(payload)).toMatchObject({
      status: 409,
      body: {
        code: 'printer_state',
        detail:
          'This printer still prints plate 1 of J-00001. If the plate is off the bed, reload the page and clear it.',
        plate_id: expect.any(String),
      },
    })
  const [{ body: printer }, job] = [
    await call<Printer>('GET', `/api/printers/${id}`),
    await shownJob(app, jobId),
  ]
  expect([printer.state, job]).toMatchObject(['printing', { status: 'in_progress', good_quantity: 0 }])
  expect(await clear({ plate_id: printer.current_job?.plate_id })).toMatchObject({
    status: 200,
    body: { state: 'available' },
  })
  // An empty bed can be cleared without naming a plate.
  expect((await clear()).status).toBe(200)
  expect(await shownJob(app, jobId)).toMatchObject({ status: 'completed', good_quantity: 4 })
})

it("a person's print that has run for a minute is ended by clearing the bed, even if the request names no plate", async () => {
  const { app, jobId, clear } = await aPrintOfAPerson()
  app.clock.advance(60_000)
  expect(await clear({ good_quantity: 3, rejected_quantity: 1 })).toMatchObject({
    status: 200,
    body: { state: 'available' },
  })
  expect(await shownJob(app, jobId)).toMatchObject({ good_quantity: 3 })
})
