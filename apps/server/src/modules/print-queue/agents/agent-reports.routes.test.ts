import type { AgentJob } from '@pegasus/contracts/print-queue/agents'
import { describe, expect, it } from 'vitest'
import { keyHeader } from '../../../../test/support/accounts/api-keys.ts'
import { buildTestApp } from '../../../../test/support/build-test-app.ts'
import {
  LEASE_MS,
  passTime,
  anAgent,
  claim,
  claimed,
  shownJob,
  sendReport,
} from '../../../../test/support/print-agents.ts'
import { aPrintJob, aSpool, anItem } from '../../../../test/support/stock-factories.ts'

it('a printer agent can report time and filament; a repeated report books nothing, and unknown fields are refused', async () => {
  const app = await buildTestApp()
  const { key } = await anAgent(app)
  const spoolId = await aSpool(app)
  const booked = async () => {
    const [row] = await app.database.sql`
      select count(*)::int as entries, round(-sum(delta_grams), 2)::float8 as grams from spool_ledger
      where print_job_id is not null`
    return row
  }
  const first = await aPrintJob(app, { spoolId, priority: 1 })
  await claimed(app, key)
  for (const body of [
    { used_gram: 3 },
    { used_grams: 3, used_mm: 1000 },
    { used_grams: -1 },
    { used_mm: [] },
    { print_minutes: 1.5 },
  ])
    expect([body, (await sendReport(app, key, first, 'complete', body)).statusCode]).toEqual([body, 422])
  const said = { used_mm: 10_000, print_minutes: 75 }
  for (let i = 0; i < 2; i += 1) {
    const done = (await sendReport(app, key, first, 'complete', said)).json<AgentJob>()
    expect(done).toMatchObject({ status: 'completed', used_grams: 29.83, print_minutes: 75 })
  }
  expect(await booked()).toEqual({ entries: 1, grams: 29.83 })

  const second = await aPrintJob(app, { spoolId })
  await claimed(app, key)
  expect((await sendReport(app, key, second, 'fail', { reason: 'Warped', nozzle: 0.4 })).statusCode).toBe(422)
  // No spool is loaded for the second tool, so its 2.5 g are not booked on a spool and appear only in the history.
  const failed = await sendReport(app, key, second, 'fail', { reason: 'Warped', used_grams: [5, 2.5] })
  expect(failed.json()).toMatchObject({ status: 'failed', used_grams: 7.5 })
  expect(await booked()).toEqual({ entries: 2, grams: 34.83 })

  // A repeated report about the first plate does not end the second plate, because the report contains its `lease_id`.
  const plates = await aPrintJob(app, { quantity: 8, piecesPerPlate: 4 })
  const one = await claimed(app, key)
  await sendReport(app, key, plates, 'complete', { lease_id: one.lease_id })
  const two = await claimed(app, key)
  const again = await sendReport(app, key, plates, 'complete', { lease_id: one.lease_id })
  expect(again.json()).toMatchObject({ status: 'in_progress', good_quantity: 4 })
  const last = await sendReport(app, key, plates, 'complete', { lease_id: two.lease_id })
  expect(last.json()).toMatchObject({ status: 'completed', good_quantity: 8, plates_done: 2 })
})

it('the report of an agent changes nothing after a person has counted the pieces of its failed plate', async () => {
  const app = await buildTestApp()
  const { key } = await anAgent(app)
  const job = await aPrintJob(app, { quantity: 8, piecesPerPlate: 4 })
  const { lease_id } = await claimed(app, key)
  const counted = { status: 'pending', good_quantity: 2, rejected_quantity: 1, missing_quantity: 6 }
  const answer = await app.http.inject({
    method: 'POST',
    url: `/api/print-queue/${job}/fail`,
    headers: await app.as('staff'),
    payload: { reason: 'Power failure', good_quantity: 2, rejected_quantity: 1 },
  })
  expect([answer.statusCode, answer.json()]).toMatchObject([200, counted])
  const done = await sendReport(app, key, job, 'complete', { lease_id })
  expect([done.statusCode, done.json().good_quantity]).toEqual([200, 2])
  expect((await sendReport(app, key, job, 'fail', { lease_id, reason: 'Warped' })).statusCode).toBe(409)
  const after = await app.http.inject({ url: `/api/print-queue/${job}`, headers: await app.as('staff') })
  expect(after.json()).toMatchObject(counted)
})

describe('reports without a lease_id', () => {
  /** Every plate prints for at least a minute. */
  const PRINT_MS = 60_000
  const aDividedJob = async () => {
    const app = await buildTestApp()
    const { key } = await anAgent(app)
    const itemId = await anItem(app, { quantity: 0 })
    const id = await aPrintJob(app, { itemId, quantity: 12, piecesPerPlate: 4 })
    const complete = async (body?: object) => {
      const { statusCode, json } = await sendReport(app, key, id, 'complete', body)
      return [statusCode, json()] as const
    }
    const stock = async () => {
      const [item] = await app.database.sql`select quantity from items where id = ${itemId}`
      return item?.['quantity']
    }
    return { app, key, id, complete, stock }
  }
  const repeated =
    'Your key has just ended another plate of this job with the same report. Please send the lease_id of the claim.'
  const manyPlates = 'Your key has claimed several plates of this job. Please send the lease_id of the claim.'

  it('an agent with its own key completes each plate of a job once without lease_id, even after it was silent', async () => {
    const { app, key, complete, stock } = await aDividedJob()
    for (const [plate, silence] of [0, 0, LEASE_MS].entries()) {
      await claimed(app, key)
      app.clock.advance(PRINT_MS)
      await passTime(silence, app)
      await app.leases.run()
      const good = 4 * (plate + 1)
      for (let call = 0; call < 2; call += 1)
        expect(await complete()).toMatchObject([200, { good_quantity: good, plates_done: plate + 1 }])
      expect(await stock()).toBe(good)
    }
  })

  it.each([
    { what: 'complete', body: undefined, after: { status: 'in_progress', good_quantity: 4 } },
    { what: 'complete', body: { rejected_quantity: 1 }, after: { status: 'in_progress', good_quantity: 3 } },
  ] as const)(
    'a late repetition of $what ($body) does not end the next plate, and the report of that plate counts',
    async ({ what, body, after }) => {
      const { app, key, id, stock } = await aDividedJob()
      await claimed(app, key)
      app.clock.advance(PRINT_MS)
      expect((await sendReport(app, key, id, what, body)).statusCode).toBe(200)
      await claimed(app, key)
      await sendReport(app, key, id, 'heartbeat', { progress: 0.1 })
      app.clock.advance(PRINT_MS - 1)
      const late = await sendReport(app, key, id, what, body)
      expect([late.statusCode, late.json()]).toEqual([409, { detail: repeated, code: 'print_job_not_yours' }])
      expect(await shownJob(app, id)).toMatchObject(after)
      // An equal report ends the next plate only if that plate has been printing for at least `PRINT_MS`. A different
      // report can end it at once.
      app.clock.advance(1)
      const next = await sendReport(app, key, id, what, body)
      expect([next.statusCode, next.json()]).toMatchObject([200, { good_quantity: 2 * after.good_quantity }])
      await claimed(app, key)
      const other = await sendReport(app, key, id, 'complete', { good_quantity: 2, rejected_quantity: 2 })
      expect([other.statusCode, await stock()]).toEqual([200, 2 * after.good_quantity + 2])
    },
  )

  it('plates that fail within seconds for the same reason all count, so the job is put on hold after the third', async () => {
    const { app, key, id } = await aDividedJob()
    for (const status of ['pending', 'pending', 'on_hold']) {
      await claimed(app, key)
      await sendReport(app, key, id, 'heartbeat', { progress: 0 })
      app.clock.advance(5000)
      for (let call = 0; call < 2; call += 1) {
        const failed = await sendReport(app, key, id, 'fail', { reason: 'Heater fault' })
        expect([failed.statusCode, failed.json()]).toMatchObject([200, { status, lease_id: null }])
      }
    }
    const plates = await app.database.sql`select state from job_plates where print_job_id = ${id}`
    expect(plates.map(({ state }) => state)).toEqual(['failed', 'failed', 'failed'])
  })

  it('a report with the lease_id of its plate counts at once, and so does a report after the clock was set back', async () => {
    const { app, key, complete } = await aDividedJob()
    await claimed(app, key)
    await complete()
    const { lease_id } = await claimed(app, key)
    expect(await complete()).toMatchObject([409, { detail: repeated }])
    expect(await complete({ lease_id })).toMatchObject([200, { good_quantity: 8 }])
    await claimed(app, key)
    app.clock.advance(-PRINT_MS)
    expect(await complete()).toMatchObject([200, { good_quantity: 12 }])
  })

  it('an Idempotency-Key names one report: a repetition changes nothing, and an equal report with another key ends the next plate', async () => {
    const { app, key, id } = await aDividedJob()
    const complete = async (idempotencyKey: string, payload: object = {}) => {
      const { statusCode, json } = await app.http.inject({
        method: 'POST',
        url: `/api/print-jobs/${id}/complete`,
        headers: { ...keyHeader(key), 'idempotency-key': idempotencyKey },
        payload,
      })
      return [statusCode, json()] as const
    }
    await claimed(app, key)
    const first = await complete('plate 1')
    expect(first).toMatchObject([200, { good_quantity: 4, lease_id: null }])
    await claimed(app, key)
    app.clock.advance(2 * PRINT_MS)
    expect(await complete('plate 1')).toEqual(first)
    expect(await complete('plate 1', { rejected_quantity: 1 })).toMatchObject([
      409,
      { code: 'idempotency_key_reused' },
    ])
    expect(await complete('plate 2')).toMatchObject([200, { good_quantity: 8 }])
    await claimed(app, key)
    expect(await complete('plate 3')).toMatchObject([200, { good_quantity: 12, status: 'completed' }])
  })

  it('an agent that printed two plates at the same time must send lease_id, because its report may mean either plate', async () => {
    const { app, key, complete, stock } = await aDividedJob()
    const older = await claimed(app, key)
    const { lease_id } = await claimed(app, key)
    app.clock.advance(PRINT_MS)
    expect(await complete()).toMatchObject([409, { code: 'print_job_not_yours', detail: manyPlates }])
    expect(await complete({ lease_id })).toMatchObject([200, { good_quantity: 4 }])
    // The machine that printed the reported plate repeats its report, now without the `lease_id`.
    expect(await complete()).toMatchObject([409, { code: 'print_job_not_yours', detail: manyPlates }])
    expect(await stock()).toBe(4)
    expect(await complete({ lease_id: older.lease_id })).toMatchObject([200, { good_quantity: 8 }])
    expect(await stock()).toBe(8)
  })

  it('an agent that completed its older plate must send lease_id for the newer one, even if the clock was set back', async () => {
    const { app, key, complete, stock } = await aDividedJob()
    const older = await claimed(app, key)
    app.clock.advance(PRINT_MS)
    const { lease_id } = await claimed(app, key)
    app.clock.advance(-3 * PRINT_MS)
    expect(await complete({ lease_id: older.lease_id })).toMatchObject([200, { good_quantity: 4 }])
    app.clock.advance(9 * PRINT_MS)
    expect(await complete()).toMatchObject([409, { code: 'print_job_not_yours', detail: manyPlates }])
    expect(await stock()).toBe(4)
    expect(await complete({ lease_id })).toMatchObject([200, { good_quantity: 8 }])
  })

  it.each([{}, { printer: 'Left' }])(
    'an agent that claims with %j completes plates one after the other without lease_id, although the clocks of two servers differ',
    async (more) => {
      const { app, key, complete } = await aDividedJob()
      for (const good of [4, 8, 12]) {
        expect((await claim(app, key, 'bench-1', more)).statusCode).toBe(200)
        app.clock.advance(2 * PRINT_MS)
        expect(await complete({ cleared: true })).toMatchObject([200, { good_quantity: good }])
        // The clock of the server that receives the next claim is 100 ms behind.
        app.clock.advance(-100)
      }
    },
  )

  it('agents that share a key must send lease_id if the call may repeat the report of the other agent', async () => {
    const { app, key, id, complete, stock } = await aDividedJob()
    const first = await claimed(app, key, 'bench-1')
    const second = await claimed(app, key, 'bench-2')
    await complete({ lease_id: second.lease_id })
    expect(await complete()).toMatchObject([409, { code: 'print_job_not_yours', detail: manyPlates }])
    expect(await stock()).toBe(4)
    const failed = await sendReport(app, key, id, 'fail', { reason: 'Warped' })
    expect([failed.statusCode, failed.json()]).toMatchObject([200, { good_quantity: 4 }])
    expect(await complete({ lease_id: first.lease_id })).toMatchObject([409, {}])
  })

  it("an agent that drives two printers under one name must send lease_id if the call may repeat the other printer's report", async () => {
    const { app, key, complete, stock } = await aDividedJob()
    const on = async (printer: string) => (await claim(app, key, 'bench', { printer })).json<AgentJob>()
    const [left, right] = [await on('Left'), await on('Right')]
    expect(await complete({ lease_id: right.lease_id })).toMatchObject([200, { good_quantity: 4 }])
    expect(await complete()).toMatchObject([409, { code: 'print_job_not_yours', detail: manyPlates }])
    expect(await stock()).toBe(4)
    expect(await complete({ lease_id: left.lease_id })).toMatchObject([200, { good_quantity: 8 }])
  })
})
