import type { AgentJob } from '@pegasus/contracts/print-queue/agents'
import { expect, it } from 'vitest'
import { type TestApp, buildTestApp } from '../../../../test/support/build-test-app.ts'
import { anAgent, claim, tell } from '../../../../test/support/print-agents.ts'
import { aPrintJob, aPrinter } from '../../../../test/support/stock-factories.ts'

async function call(app: TestApp, method: 'POST' | 'DELETE', url: string, payload?: object) {
  const headers = { ...(await app.as('admin')), 'if-match': '*' }
  const answer = await app.http.inject({ method, url, headers, ...(payload && { payload }) })
  expect(answer.statusCode, answer.body).toBeLessThan(300)
}

it('an agent gets a job that is assigned to its printer while another printer prints a plate of the job', async () => {
  const app = await buildTestApp()
  const { key } = await anAgent(app)
  await aPrinter(app, 'Elsewhere')
  const printerId = await aPrinter(app, 'Mini')
  const id = await aPrintJob(app, { quantity: 8, piecesPerPlate: 4, priority: 5 })
  await call(app, 'POST', `/api/print-queue/${id}/assign`, { printer_id: printerId })
  await call(app, 'POST', `/api/print-queue/${id}/start`, { printer: 'Elsewhere' })
  const urgent = await aPrintJob(app, { priority: 1 })
  const claimOn = () => claim(app, key, 'bench-1', { printer: 'Mini' })
  const claimed = (await claimOn()).json<AgentJob>()
  expect(claimed.id).toBe(id)
  await tell(app, key, id, 'complete', { lease_id: claimed.lease_id })
  // The rest of the job is on the other printer.
  expect((await claimOn()).json<AgentJob>().id).toBe(urgent)
})
