import { readdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { Model } from '@pegasus/contracts/stl-library/models'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type Database, openDatabase } from '../../src/platform/database/database.ts'
import { POSTGRES_SERVERS, startExternalPostgres } from '../servers/external-postgres.ts'
import {
  bearer,
  isLongRun,
  makeDataFolder,
  OWNER,
  type ProductProcess,
  signIn,
  startProduct,
  until,
} from './product-process.ts'
import type { PostgresServer } from '../servers/postgres-server.ts'
import { silentLog } from '../support/silent-log.ts'
import { aModel, postJson, sha256Of, uploadModel } from './write-load.ts'

const UPLOADS = isLongRun ? 60 : 6
const REFRESH_RACES = isLongRun ? 100 : 5
const FAILURES_ALLOWED = 20
const PATIENCE_MS = 120_000
const MIGRATIONS = fileURLToPath(new URL('../../migrations', import.meta.url))

interface Replicas {
  one: ProductProcess
  other: ProductProcess
  database: Database
}

/** Starts two processes at the same time, on an empty database and an empty folder for objects. */
async function startReplicas(server: PostgresServer): Promise<Replicas> {
  const { url } = await startExternalPostgres(server)
  const folders = [await makeDataFolder(), await makeDataFolder()] as const
  const variables = {
    DATABASE_URL: url,
    STORAGE_URL: pathToFileURL(join(dirname(folders[0]), 'objects')).href,
    ROOT_SECRET: 'a secret of forty characters for replicas',
  }
  const [one, other] = await Promise.all([
    startProduct(folders[0], variables),
    startProduct(folders[1], variables),
  ])
  const database = await openDatabase({ url, log: silentLog, applicationName: 'test', maxConnections: 2 })
  onTestFinished(() => database.close())
  return { one, other, database }
}

/**
 * Starts to count how often processes start tasks. Returns a function that returns the number of starts and the number
 * of tasks.
 */
async function countTaskStarts({ sql }: Database): Promise<() => Promise<{ starts: number; tasks: number }>> {
  await sql.unsafe(`
    create table task_starts (task_id uuid not null);
    create function note_task_start() returns trigger language plpgsql as
      $$ begin insert into task_starts values (new.id); return new; end $$;
    create trigger note_task_start after update on pgboss.job for each row
      when (new.state = 'active' and old.state <> 'active') execute function note_task_start()`)
  return async () => {
    const [row] = await sql<[{ starts: number; tasks: number }]>`
      select count(*)::int as starts, count(distinct task_id)::int as tasks from task_starts`
    return row
  }
}

const statusOf = async (url: string, token: string): Promise<number> => {
  const response = await fetch(url, { headers: bearer(token) })
  await response.arrayBuffer()
  return response.status
}

async function judgeSessions({ one, other }: Replicas): Promise<void> {
  const { access_token: token } = await signIn(one.url)
  expect(await statusOf(`${other.url}/api/auth/me`, token)).toBe(200)
  expect((await postJson(`${other.url}/auth/v1/logout?scope=local`, bearer(token))).status).toBe(204)
  const after = await Promise.all([one, other].map(({ url }) => statusOf(`${url}/api/auth/me`, token)))
  expect(after).toEqual([401, 401])
}

async function judgeRefreshes({ one, other }: Replicas): Promise<number> {
  let forks = 0
  for (let race = 0; race < REFRESH_RACES; race += 1) {
    const { refresh_token: first } = await signIn(one.url)
    const refresh = async (url: string) => {
      const body = { refresh_token: first }
      const response = await postJson(`${url}/auth/v1/token?grant_type=refresh_token`, {}, body)
      expect(response.status).toBe(200)
      return ((await response.json()) as { refresh_token: string }).refresh_token
    }
    const urls = Array.from({ length: 10 }, (_, index) => (index % 2 ? one.url : other.url))
    const chains = new Set(await Promise.all(urls.map(refresh)))
    if (chains.size !== 1) forks += 1
  }
  return forks
}

async function judgeLimits({ one, other }: Replicas): Promise<void> {
  const guess = (url: string) =>
    postJson(`${url}/api/auth/login`, {}, { username: 'somebody', password: 'a guess' })
  for (let failure = 0; failure < FAILURES_ALLOWED; failure += 1)
    expect((await guess(failure % 2 ? one.url : other.url)).status).toBe(401)
  for (const { url } of [one, other]) {
    const response = await guess(url)
    expect(response.status).toBe(429)
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0)
  }
}

async function judgeIdempotency({ one, other }: Replicas, token: string): Promise<void> {
  const account = { email: 'twice@example.com', username: 'twice' }
  const headers = { ...bearer(token), 'idempotency-key': 'only once' }
  const answers = await Promise.all(
    [one, other].map(async ({ url }) => {
      const response = await postJson(`${url}/api/auth/users`, headers, account)
      return { status: response.status, id: ((await response.json()) as { id: string }).id }
    }),
  )
  expect(answers[0]).toEqual({ status: 201, id: expect.any(String) })
  expect(answers[1]).toEqual(answers[0])
}

/**
 * Uploads models to both replicas alternately. The other replica must return the bytes of each model
 * immediately, and its picture once it is drawn.
 */
async function judgeModels({ one, other }: Replicas, token: string): Promise<Model[]> {
  const pairs = [
    [one, other],
    [other, one],
  ] as const
  const models: Model[] = []
  for (let upload = 0; upload < UPLOADS; upload += 1) {
    const [here, there] = pairs[upload % 2 ? 1 : 0]
    const bytes = aModel()
    const model = (await (await uploadModel(here.url, token, bytes)).json()) as Model
    const found = await fetch(`${there.url}/api/stl-files/${model.id}/file`, { headers: bearer(token) })
    expect(sha256Of(Buffer.from(await found.arrayBuffer()))).toBe(sha256Of(bytes))
    models.push(model)
  }
  const listed = async (url: string) =>
    (await (await fetch(`${url}/api/stl-files?limit=1000`, { headers: bearer(token) })).json()) as Model[]
  const isDone = async () => (await listed(one.url)).every((model) => model.analysis_status === 'done')
  expect(await until(isDone, PATIENCE_MS, 250)).toBe(true)
  for (const [here, there] of pairs)
    for (const { thumbnail_path: path } of await listed(here.url)) {
      const picture = await fetch(`${there.url}${path}`)
      expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/webp'])
      expect((await picture.arrayBuffer()).byteLength).toBeGreaterThan(0)
    }
  return models
}

/** Reads the live events of a server. Returns a function that waits until an event names the given id. */
async function untilEvent(url: string, token: string): Promise<(id: string) => Promise<boolean>> {
  const response = await fetch(`${url}/api/events`, { headers: bearer(token) })
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  if (response.status !== 200 || !reader) throw new Error(`events: ${response.status}`)
  let text = ''
  text += (await reader.read()).value ?? ''
  return async (id) => {
    while (!text.includes(id)) {
      const { value, done } = await reader.read()
      if (done) return false
      text += value
    }
    await reader.cancel()
    return true
  }
}

describe.each(POSTGRES_SERVERS)('two processes on $name', (server) => {
  it('two processes on the same database behave like a single process', {
    timeout: isLongRun ? 1_800_000 : 600_000,
  }, async () => {
    const replicas = await startReplicas(server)
    const { one, other, database } = replicas
    const [begun] = await database.sql<[{ owners: number; migrations: number; version: string }]>`
      select (select count(*)::int from accounts) as owners,
             (select count(*)::int from schema_migrations) as migrations,
             current_setting('server_version') as version`
    const files = (await readdir(MIGRATIONS)).filter((name) => name.endsWith('.sql'))
    expect(begun).toMatchObject({ owners: 1, migrations: files.length })
    const countStarts = await countTaskStarts(database)

    await judgeSessions(replicas)
    const forks = await judgeRefreshes(replicas)
    const { access_token: token } = await signIn(other.url, OWNER)
    await judgeIdempotency(replicas, token)
    const sees = await untilEvent(other.url, token)
    const models = await judgeModels(replicas, token)
    expect(await sees(models[0]?.id ?? '')).toBe(true)
    await judgeLimits(replicas)
    const { starts, tasks } = await countStarts()

    console.info(
      `Replicas on PostgreSQL ${begun.version}: tasks run twice ${starts - tasks} of ${tasks}, forked refresh chains ${forks} of ${REFRESH_RACES}, owners ${begun.owners} of 1, migrations ${begun.migrations} of ${files.length}`,
    )
    expect({ starts, tasks, forks }).toEqual({ starts: UPLOADS, tasks: UPLOADS, forks: 0 })
    for (const product of [one, other]) product.signal('SIGTERM')
    const clean = { code: 0, signal: null }
    expect(await Promise.all([one.ended, other.ended])).toEqual([clean, clean])
    await database.ping(5_000)
  })
})
