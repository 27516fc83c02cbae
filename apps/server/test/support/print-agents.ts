import type { IssuedApiKey } from '@pegasus/contracts/api-keys'
import { type AgentJob, LEASE_SECONDS } from '@pegasus/contracts/print-queue/agents'
import type { PrintJob } from '@pegasus/contracts/print-queue/jobs'
import { SECOND_MS } from '../../src/platform/clock.ts'
import { LOOK_FOR_SILENT_AGENTS_MS } from '../../src/modules/print-queue/agents/print-agents.service.ts'
import { aKey, keyHeader } from './accounts/api-keys.ts'
import type { TestApp } from './build-test-app.ts'

export const LEASE_MS = LEASE_SECONDS * SECOND_MS

export const anAgent = (app: TestApp): Promise<IssuedApiKey> => aKey(app, { scope: ['print-jobs'] })

/**
 * Advances the clock while each of the processes checks all leases in regular steps, as in operation. The last check is
 * shortly before the end.
 */
export async function passTime(durationMs: number, ...processes: [TestApp, ...TestApp[]]): Promise<void> {
  const [{ clock }] = processes
  const look = async () => {
    for (const each of processes) await each.leases.run()
  }
  // The server does not count time in which it makes no checks, so check only in the last part, which is as long as a
  // lease.
  const unseenMs = Math.max(0, durationMs - LEASE_MS)
  clock.advance(unseenMs)
  for (let left = durationMs - unseenMs; left > 0; left -= LOOK_FOR_SILENT_AGENTS_MS) {
    await look()
    clock.advance(Math.min(left, LOOK_FOR_SILENT_AGENTS_MS))
  }
}

/** Claims a job for an agent. `more` describes what the agent's printer can print. */
export const claim = (app: TestApp, key: string, agent = 'bench-1', more: object = {}) =>
  app.http.inject({
    method: 'POST',
    url: '/api/print-jobs/claim',
    headers: keyHeader(key),
    payload: { agent, ...more },
  })

/** Sends a report of an agent about a job that it has claimed. */
export const sendReport = (
  app: TestApp,
  key: string,
  id: string,
  report: 'heartbeat' | 'complete' | 'fail',
  payload?: object,
) =>
  app.http.inject({
    method: 'POST',
    url: `/api/print-jobs/${id}/${report}`,
    headers: keyHeader(key),
    ...(payload && { payload }),
  })

export const fileOf = (app: TestApp, key: string, id: string) =>
  app.http.inject({ url: `/api/print-jobs/${id}/file`, headers: keyHeader(key) })

export const claimed = async (app: TestApp, key: string, agent?: string): Promise<AgentJob> => {
  const answer = await claim(app, key, agent)
  if (answer.statusCode !== 200) throw new Error(`claim: ${answer.statusCode} ${answer.body}`)
  return answer.json<AgentJob>()
}

/** Returns a print job as people see it. */
export const shownJob = async (app: TestApp, id: string): Promise<PrintJob | undefined> => {
  const headers = await app.as('viewer')
  for (const status of ['pending', 'in_progress', 'on_hold', 'completed', 'failed', 'cancelled']) {
    const jobs = (await app.http.inject({ url: `/api/print-queue?status=${status}`, headers })).json<
      PrintJob[]
    >()
    const found = jobs.find((each) => each.id === id)
    if (found) return found
  }
  return undefined
}

export const transitionsOf = (app: TestApp, id: string) =>
  app.database.sql<{ to_status: string; reason: string | null; actor_kind: string; actor_name: string }[]>`
    select to_status, reason, actor_kind, actor_name from job_transitions where print_job_id = ${id}
    order by created_at, id`
