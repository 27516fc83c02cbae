import { once } from 'node:events'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { CurrentUser } from '@pegasus/contracts/auth/sign-in'
import type { IssuedApiKey } from '@pegasus/contracts/api-keys'
import { type AgentJob, LEASE_SECONDS } from '@pegasus/contracts/print-queue/agents'
import type { PrintJob } from '@pegasus/contracts/print-queue/jobs'
import type { Model } from '@pegasus/contracts/stl-library/models'
import { expect, it, onTestFinished } from 'vitest'
import { openDatabase } from '../../src/platform/database/database.ts'
import { POSTGRES_SERVERS, startExternalPostgres } from '../servers/external-postgres.ts'
import { silentLog } from '../support/silent-log.ts'
import {
  bearer,
  makeDataFolder,
  type ProductProcess,
  signIn,
  startProduct,
  until,
} from './product-process.ts'
import { aModel, postJson, uploadModel } from './write-load.ts'

const PATIENCE_MS = 60_000
const LEASE_MS = LEASE_SECONDS * 1000
const ADVANCE_CLOCK = new URL('advance-clock.ts', import.meta.url).href

/** Sets the monotonic clock of a server forwards. */
async function advance({ child }: ProductProcess, durationMs: number): Promise<void> {
  const done = once(child, 'message')
  child.send(durationMs)
  await done
}

it('a web server serves files to silent agents and ends no lease, because only a jobs server checks leases', {
  timeout: 600_000,
}, async () => {
  const [server] = POSTGRES_SERVERS
  if (!server) throw new Error('There is no PostgreSQL to test with.')
  const { url: databaseUrl } = await startExternalPostgres(server)
  const database = await openDatabase({ url: databaseUrl, log: silentLog, applicationName: 'test' })
  onTestFinished(() => database.close())
  // The web server uses its own database user, so that the test can tell which server waits for a lock.
  await database.sql`create role web superuser login password 'web'`
  const asWeb = Object.assign(new URL(databaseUrl), { username: 'web', password: 'web' }).href
  const settings = {
    DATABASE_URL: databaseUrl,
    STORAGE_URL: pathToFileURL(join(dirname(await makeDataFolder()), 'objects')).href,
    ROOT_SECRET: 'a secret of forty characters for replicas',
    NODE_OPTIONS: `--import ${ADVANCE_CLOCK}`,
  }
  const start = async (variables: Record<string, string>) =>
    startProduct(await makeDataFolder(), { ...settings, ...variables })
  const web = await start({ SERVER_ROLE: 'web', DATABASE_URL: asWeb })
  const owner = bearer((await signIn(web.url)).access_token)
  const created = async <T>(path: string, headers: Record<string, string>, body?: object): Promise<T> => {
    const response = await postJson(`${web.url}${path}`, headers, body)
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
    return (await response.json()) as T
  }
  const me = (await (await fetch(`${web.url}/api/auth/me`, { headers: owner })).json()) as CurrentUser
  const { key } = await created<IssuedApiKey>('/api/api-keys', owner, {
    user_id: me.id,
    label: 'Bench',
    scope: ['print-jobs'],
  })
  const model = (await (
    await uploadModel(web.url, owner.authorization.replace('Bearer ', ''), aModel())
  ).json()) as Model
  for (const priority of [1, 2])
    await created<PrintJob>('/api/print-queue', owner, { stl_file_id: model.id, quantity: 1, priority })

  const agent = { 'x-api-key': key }
  const claim = () => created<AgentJob>('/api/print-jobs/claim', agent, { agent: 'bench-1' })
  const beat = ({ id, lease_id }: AgentJob) =>
    created<AgentJob>(`/api/print-jobs/${id}/heartbeat`, agent, { lease_id })
  const fileStatus = async ({ id }: AgentJob) =>
    (await fetch(`${web.url}/api/print-jobs/${id}/file`, { headers: agent })).status
  const jobStatus = async ({ id }: AgentJob) => {
    const response = await fetch(`${web.url}/api/print-queue/${id}`, { headers: owner })
    return ((await response.json()) as PrintJob).status
  }

  const first = await claim()
  await advance(web, 2 * LEASE_MS)
  expect(await fileStatus(first)).toBe(200)
  // Before a claim looks for a job, it ends the leases of agents that are silent. A web server cannot know that this
  // agent is silent.
  const second = await claim()
  expect([second.id === first.id, await jobStatus(first)]).toEqual([false, 'in_progress'])
  await beat(second)
  await advance(web, 3 * LEASE_MS)
  expect([await fileStatus(first), await fileStatus(second)]).toEqual([200, 200])

  // While the test holds this lock, each server that checks all leases has to wait. A web server that checked them
  // would wait first, because the jobs server starts later and has the same pause before its first check.
  const waitingUsers = async () =>
    (
      await database.sql<{ name: string }[]>`
        select usename as name from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock' order by usename`
    ).map(({ name }) => name)
  await database.transaction(async (tx) => {
    await tx`lock table leases in access exclusive mode`
    await start({ SERVER_ROLE: 'jobs' })
    expect(
      await until(async () => (await waitingUsers()).some((name) => name !== 'web'), PATIENCE_MS, 100),
    ).toBe(true)
    expect(await waitingUsers()).not.toContain('web')
  })
  expect(await jobStatus(first)).toBe('in_progress')
})
