import type { AgentJob } from '@pegasus/contracts/print-queue/agents'
import type { PrintJob } from '@pegasus/contracts/print-queue/jobs'
import { expect, it } from 'vitest'
import { type TestApp, buildTestApp } from '../../../../test/support/build-test-app.ts'
import { anAgent, claim, fileOf, sendReport } from '../../../../test/support/print-agents.ts'
import { aPrintJob, aPrinter } from '../../../../test/support/stock-factories.ts'
import { MINUTE_MS } from '../../../platform/clock.ts'
import { readPlanStamp } from '../schedule/schedule.queries.ts'
import { LOOK_FOR_SILENT_AGENTS_MS } from './print-agents.service.ts'

/** Lets minutes pass. The server checks for silent agents in the usual interval. */
async function passSilence(app: TestApp, minutes: number) {
  for (let left = minutes * MINUTE_MS; left > 0; left -= LOOK_FOR_SILENT_AGENTS_MS) {
    app.clock.advance(LOOK_FOR_SILENT_AGENTS_MS)
    await app.leases.run()
  }
}

const printerOf = async (app: TestApp, name = 'Mini') => {
  const [printer] = await app.database.sql`
    select id, state, state_reason, seen_at = ${app.clock.now()} as is_seen_now from printers where name = ${name}`
  return printer
}
const OFFLINE = { state: 'offline', state_reason: 'Its agent has not reported for 5 minutes.' }
const AVAILABLE = { state: 'available', state_reason: null }
const MINI = { printer: 'Mini' }

/** Plans the day. Returns the reasons why a job waits, and the number of its planned prints. */
async function outlookOf(app: TestApp, id: string) {
  await app.planner.run()
  const headers = await app.as('staff')
  const job = (await app.http.inject({ url: `/api/print-queue/${id}`, headers })).json<PrintJob>()
  const [plan] = await app.database.sql`
    select count(*)::int as planned from planned_prints where print_job_id = ${id}`
  return { waits: job.waits_for.map(({ code, message }) => [code, message]), planned: plan?.['planned'] }
}

async function aSilentPrinter() {
  const app = await buildTestApp()
  const { key } = await anAgent(app)
  await claim(app, key, 'bench-1', MINI)
  await passSilence(app, 4.9)
  expect(await printerOf(app)).toMatchObject(AVAILABLE)
  await passSilence(app, 0.2)
  expect(await printerOf(app)).toMatchObject(OFFLINE)
  return { app, key }
}

it('the printer of an agent is offline from five minutes after its last call until the next one', async () => {
  const { app, key } = await aSilentPrinter()
  const id = await aPrintJob(app)
  const waits = async () =>
    (await app.http.inject({ url: `/api/print-queue/${id}`, headers: await app.as('staff') })).json()
      .waits_for
  expect(await waits()).toMatchObject([
    { code: 'offline', message: 'Mini: Offline: Its agent has not reported for 5 minutes.' },
  ])
  const answer = await claim(app, key, 'bench-1', MINI)
  expect(answer.json()).toMatchObject({ id })
  expect(await printerOf(app)).toMatchObject({ state: 'printing', state_reason: null })
  await sendReport(app, key, id, 'complete')
  expect(await printerOf(app)).toMatchObject(AVAILABLE)
  await passSilence(app, 5.1)
  expect(await printerOf(app)).toMatchObject(OFFLINE)
  // A claim also counts as a call if there is no job for it.
  expect((await claim(app, key, 'bench-1', MINI)).statusCode).toBe(204)
  expect(await printerOf(app)).toMatchObject({ ...AVAILABLE, is_seen_now: true })
})

it('each call of an agent about its job counts as a call for its printer, even if the call is refused', async () => {
  const app = await buildTestApp()
  const { key } = await anAgent(app)
  const id = await aPrintJob(app)
  const { lease_id } = (await claim(app, key, 'bench-1', MINI)).json<AgentJob>()
  const seen = async (call: () => Promise<unknown>) => {
    app.clock.advance(1000)
    await call()
    expect(await printerOf(app)).toMatchObject({ is_seen_now: true })
  }
  await seen(() => sendReport(app, key, id, 'heartbeat', { lease_id }))
  await seen(() => fileOf(app, key, id))
  await seen(() => sendReport(app, key, id, 'fail', { lease_id, reason: 'Warped' }))
  await seen(() => sendReport(app, key, id, 'complete', { lease_id }))
  const other = await anAgent(app)
  app.clock.advance(1000)
  await sendReport(app, other.key, id, 'heartbeat', { lease_id })
  expect(await printerOf(app)).toMatchObject({ is_seen_now: false })
})

it('a printer that a person puts back into use stays in use until its agent has called and is silent again', async () => {
  const { app, key } = await aSilentPrinter()
  const url = `/api/printers/${(await printerOf(app))?.['id']}/resume`
  const headers = await app.as('staff')
  await app.http.inject({ method: 'POST', url, headers, payload: {} })
  await passSilence(app, 6)
  expect(await printerOf(app)).toMatchObject(AVAILABLE)
  await claim(app, key, 'bench-1', MINI)
  await passSilence(app, 5.1)
  expect(await printerOf(app)).toMatchObject(OFFLINE)
})

it("a person's printer, one whose agent has never called, and one whose bed must be cleared are never shown as offline", async () => {
  const app = await buildTestApp()
  const { key } = await anAgent(app)
  await aPrinter(app, 'By hand')
  await aPrinter(app, 'New')
  await app.database.sql`update printers set kind = 'agent' where name = 'New'`
  await aPrintJob(app)
  const { id } = (await claim(app, key, 'bench-1', MINI)).json<AgentJob>()
  await sendReport(app, key, id, 'complete', { cleared: false })
  await claim(app, key, 'bench-2', { printer: 'By hand' })
  await passSilence(app, 6)
  expect(await printerOf(app, 'By hand')).toMatchObject({ ...AVAILABLE, is_seen_now: false })
  expect(await printerOf(app, 'New')).toMatchObject({ ...AVAILABLE, is_seen_now: null })
  expect(await printerOf(app)).toMatchObject({ state: 'needs_clearing' })
})

it('neither a jump of the clock nor a time in which the server is down counts as silence', async () => {
  const app = await buildTestApp()
  const { key } = await anAgent(app)
  await claim(app, key, 'bench-1', MINI)
  await app.leases.run()
  app.clock.advance(60 * MINUTE_MS)
  await app.leases.run()
  await passSilence(app, 4.5)
  expect(await printerOf(app)).toMatchObject(AVAILABLE)
})

it('a job says that the agent of its printer has never called, and is not planned until the first claim, which gets it', async () => {
  const app = await buildTestApp()
  const { key } = await anAgent(app)
  await aPrinter(app, 'New')
  await app.database.sql`update printers set kind = 'agent'`
  const id = await aPrintJob(app)
  expect(await outlookOf(app, id)).toEqual({
    waits: [['offline', 'New: Its agent has never reported.']],
    planned: 0,
  })
  expect((await claim(app, key, 'bench-1', { printer: 'New' })).json()).toMatchObject({ id })
  await sendReport(app, key, id, 'complete')
  expect(await outlookOf(app, await aPrintJob(app))).toEqual({ waits: [], planned: 1 })
})

it('after a person has put a printer back into use, its jobs say that the agent is silent, until the agent calls', async () => {
  const app = await buildTestApp()
  const { key } = await anAgent(app)
  const petg = { ...MINI, materials: ['PETG'] }
  await claim(app, key, 'bench-1', petg)
  await passSilence(app, 5.1)
  const url = `/api/printers/${(await printerOf(app))?.['id']}/resume`
  const testUrl = url.replace('resume', 'test')
  const test = async () => {
    const headers = await app.as('staff')
    return (await app.http.inject({ method: 'POST', url: testUrl, headers })).json<{ ok: boolean }>()
  }
  expect(await test()).toMatchObject({ ok: false })
  await app.http.inject({ method: 'POST', url, headers: await app.as('staff'), payload: {} })
  expect(await test()).toEqual({
    ok: false,
    message: 'The agent of this printer has not reported since the printer was put back into use.',
  })
  const silent = ['offline', 'Mini: Its agent has not reported since the printer was put back into use.']
  const id = await aPrintJob(app)
  expect(await outlookOf(app, id)).toEqual({ waits: [silent], planned: 0 })
  // The first call after the silence changes the plan, although it changes neither a job nor what the agent has stated.
  await app.database.sql`update print_jobs set status = 'on_hold' where id = ${id}`
  const stamp = await readPlanStamp(app.database.sql)
  expect((await claim(app, key, 'bench-1', petg)).statusCode).toBe(204)
  expect(await test()).toMatchObject({ ok: true })
  expect(await readPlanStamp(app.database.sql)).not.toBe(stamp)
  await app.database.sql`update print_jobs set status = 'pending' where id = ${id}`
  expect(await outlookOf(app, id)).toEqual({ waits: [], planned: 1 })
})
