import type { AgentJob } from '@pegasus/contracts/print-queue/agents'
import { expect, it } from 'vitest'
import { buildTestApp } from '../../../../test/support/build-test-app.ts'
import { anAgent, claim, sendReport } from '../../../../test/support/print-agents.ts'
import { aPrintJob } from '../../../../test/support/stock-factories.ts'

it("an agent's plate cannot be paused, but can be resumed if an earlier version of the server has paused it", async () => {
  const app = await buildTestApp()
  const { key } = await anAgent(app)
  const id = await aPrintJob(app)
  const { lease_id } = (await claim(app, key, 'bench-1', { printer: 'Mini' })).json<AgentJob>()
  await sendReport(app, key, id, 'heartbeat', { lease_id, progress: 0.5 })
  const headers = await app.as('staff')
  const step = async (name: 'pause' | 'resume') => {
    const url = `/api/print-queue/${id}/${name}`
    const answer = await app.http.inject({ method: 'POST', url, headers, payload: {} })
    return [answer.statusCode, answer.json()]
  }
  const states = () =>
    app.database.sql`
      select p.state as plate, m.state as printer from job_plates p join printers m on m.id = p.printer_id`
  expect(await step('pause')).toEqual([
    409,
    {
      code: 'print_job_state',
      detail: 'bench-1 prints plate 1. An agent cannot be told to pause, so pause the print at the printer.',
    },
  ])
  expect(await states()).toEqual([{ plate: 'printing', printer: 'printing' }])
  await app.database.sql`update job_plates set state = 'paused'`
  expect(await step('resume')).toMatchObject([200, { status: 'in_progress' }])
  expect(await states()).toEqual([{ plate: 'printing', printer: 'printing' }])
})
