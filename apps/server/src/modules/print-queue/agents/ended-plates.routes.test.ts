import { expect, it } from 'vitest'
import { type TestApp, buildTestApp } from '../../../../test/support/build-test-app.ts'
import {
  LEASE_MS,
  anAgent,
  claim,
  claimed,
  passTime,
  sendReport,
} from '../../../../test/support/print-agents.ts'
import { aPrintJob, aSpool } from '../../../../test/support/stock-factories.ts'

const STOP = {
  detail: 'This print was ended in Pegasus Ops. Stop the printer.',
  code: 'print_job_not_yours',
  command: 'cancel',
}

/** Performs a step of a job as a member of staff. */
async function byPerson(app: TestApp, id: string, step: string, payload: object = {}) {
  const url = `/api/print-queue/${id}/${step}`
  const answer = await app.http.inject({ method: 'POST', url, headers: await app.as('staff'), payload })
  if (answer.statusCode !== 200) throw new Error(`${answer.statusCode} ${answer.body}`)
}

const beat = async (app: TestApp, key: string, id: string, payload: object = {}) => {
  const { statusCode, json } = await sendReport(app, key, id, 'heartbeat', payload)
  return [statusCode, json()]
}

it.each([
  ['cancel', {}],
  ['fail', { reason: 'Came loose' }],
  ['complete', {}],
  ['hold', {}],
  ['requeue', {}],
])(
  'an agent whose print a person ends (%s) is told to stop its printer, with and without lease_id',
  async (step, body) => {
    const app = await buildTestApp()
    const { key } = await anAgent(app)
    const id = await aPrintJob(app)
    const { lease_id } = await claimed(app, key)
    expect(await beat(app, key, id, { lease_id, progress: 0.2 })).toMatchObject([200, {}])
    await byPerson(app, id, step, body)
    expect(await beat(app, key, id, { lease_id, progress: 0.3 })).toEqual([409, STOP])
    expect(await beat(app, key, id)).toEqual([409, STOP])
    // The next plate of the same agent is not affected.
    const next = await aPrintJob(app, { priority: 1 })
    const claim = await claimed(app, key)
    expect(claim.id).toBe(next)
    expect(await beat(app, key, next, { lease_id: claim.lease_id })).toMatchObject([200, {}])
  },
)

it('an agent whose job was cancelled and then deleted is told to stop its printer', async () => {
  const app = await buildTestApp()
  const { key } = await anAgent(app)
  const id = await aPrintJob(app)
  const { lease_id } = await claimed(app, key)
  await byPerson(app, id, 'cancel')
  const headers = { ...(await app.as('staff')), 'if-match': '*' }
  await app.http.inject({ method: 'DELETE', url: `/api/print-queue/${id}`, headers })
  expect(await beat(app, key, id, { lease_id })).toMatchObject([404, { command: 'cancel' }])
})

it('the print of a silent agent whose job is in the trash is booked once, and its bed can be cleared', async () => {
  const app = await buildTestApp()
  const { sql } = app.database
  const { key } = await anAgent(app)
  const spoolId = await aSpool(app, { material: 'PLA' })
  const id = await aPrintJob(app, { spoolId, estimatedGrams: 40 })
  const { lease_id } = (await claim(app, key, 'bench-1', { printer: 'Bench' })).json<{ lease_id: string }>()
  expect(await beat(app, key, id, { lease_id, progress: 0.4 })).toMatchObject([200, {}])
  const headers = await app.as('staff')
  const url = `/api/print-queue/${id}`
  const trash = async () => (await app.http.inject({ method: 'DELETE', url, headers })).statusCode
  expect(await trash()).toBe(409)
  await passTime(LEASE_MS, app)
  await app.leases.run()
  expect(await trash()).toBe(204)
  const booked = () => sql`
    select delta_grams::float8 as grams from spool_ledger where spool_id = ${spoolId} and kind = 'waste'`
  for (let nth = 0; nth < 2; nth += 1) {
    await app.leases.run()
    expect(await booked()).toEqual([{ grams: -16 }])
    expect(await beat(app, key, id, { lease_id, progress: 0.5 })).toMatchObject([404, { command: 'cancel' }])
  }
  const [printer] = await sql<{ id: string; state: string }[]>`select id, state from printers`
  expect(printer?.state).toBe('needs_clearing')
  const clear = { method: 'POST', url: `/api/printers/${printer?.id}/clear`, headers, payload: {} } as const
  expect((await app.http.inject(clear)).json()).toMatchObject({ state: 'available' })
  await app.http.inject({ method: 'POST', url: `${url}/restore`, headers, payload: {} })
  // The plate has been booked, so the agent cannot take it back.
  expect(await beat(app, key, id, { lease_id, progress: 0.5 })).toMatchObject([409, {}])
  expect(await booked()).toEqual([{ grams: -16 }])
})

it("an agent is told to stop only after a person has ended its print, not after its own report or another agent's claim", async () => {
  const app = await buildTestApp()
  const [{ key }, other] = [await anAgent(app), await anAgent(app)]
  const none = [409, { detail: expect.any(String), code: 'print_job_not_yours' }]
  for (const [step, body] of [
    ['complete', {}],
    ['fail', { reason: 'Warped' }],
  ] as const) {
    const id = await aPrintJob(app)
    const { lease_id } = await claimed(app, key)
    expect((await sendReport(app, key, id, step, { ...body, lease_id })).statusCode).toBe(200)
    expect(await beat(app, key, id, { lease_id, progress: 1 })).toEqual(none)
    expect(await beat(app, other.key, id)).toEqual(none)
  }
  const id = await aPrintJob(app)
  const { lease_id } = await claimed(app, key)
  await passTime(LEASE_MS, app)
  await app.leases.run()
  expect((await claim(app, other.key, 'other')).json()).toMatchObject({ id })
  expect(await beat(app, key, id, { lease_id, progress: 0.5 })).toEqual(none)
  await byPerson(app, id, 'cancel')
  expect(await beat(app, key, id, { lease_id, progress: 0.5 })).toEqual([409, STOP])
})

it('a silent agent is not told to stop if its filament could not be booked because its spool is in the trash', async () => {
  const app = await buildTestApp()
  const [{ key }, other] = [await anAgent(app), await anAgent(app)]
  const spoolId = await aSpool(app, { material: 'PLA' })
  const id = await aPrintJob(app, { spoolId, estimatedGrams: 40 })
  const { lease_id } = await claimed(app, key)
  expect(await beat(app, key, id, { lease_id, progress: 0.4 })).toMatchObject([200, {}])
  await app.database.sql`update spools set deleted_at = ${app.clock.now()} where id = ${spoolId}`
  await passTime(LEASE_MS, app)
  await app.leases.run()
  const { lease_id: second } = await claimed(app, other.key, 'other')
  await sendReport(app, other.key, id, 'complete', { lease_id: second })
  await app.leases.run()
  const [plate] = await app.database.sql`
    select failure_reason from job_plates where print_job_id = ${id} and number = 1`
  expect(plate?.['failure_reason']).toMatch(/^bench-1 stopped responding\. .*not booked/)
  const answer = await beat(app, key, id, { lease_id, progress: 0.5 })
  expect(answer).toEqual([409, { detail: expect.any(String), code: 'print_job_not_yours' }])
})
