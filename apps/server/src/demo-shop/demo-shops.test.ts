import { randomUUID } from 'node:crypto'
import { readFile, readdir } from 'node:fs/promises'
import type { DemoStatus } from '@pegasus/contracts/demo'
import { expect, it } from 'vitest'
import { type TestApp, OWNER_PASSWORD, buildTestApp } from '../../test/support/build-test-app.ts'
import { demoDatabaseName } from './demo-database.ts'

/** Adds a demo whose database is empty, because making a full demo takes long. */
async function addEmptyDemo({ database }: TestApp): Promise<string> {
  const id = randomUUID()
  await database.sql`insert into demos (id, state, worker) values (${id}, 'ready', gen_random_uuid())`
  await database.sql.unsafe(`create database ${demoDatabaseName(id)}`)
  return id
}

async function countConnections({ database }: TestApp, id: string): Promise<number> {
  const rows = await database.sql`select 1 from pg_stat_activity where datname = ${demoDatabaseName(id)}`
  return rows.length
}

/** Returns the ids of the processes that this process has started to make demos. */
async function findMakers(): Promise<number[]> {
  const found: number[] = []
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue
    const [line, status] = await Promise.all(
      ['cmdline', 'status'].map((file) => readFile(`/proc/${name}/${file}`, 'utf8').catch(() => '')),
    )
    if (line?.includes('make-demo.process.ts') && status?.includes(`\nPPid:\t${process.pid}\n`))
      found.push(Number(name))
  }
  return found
}

async function startMaking(app: TestApp) {
  const authorization = `Bearer ${await app.signIn('owner', OWNER_PASSWORD)}`
  const demo = async (method: 'GET' | 'POST') =>
    (await app.http.inject({ method, url: '/api/demo', headers: { authorization } })).json<DemoStatus>()
  expect((await demo('POST')).state).toBe('making')
  // Wait until the process has begun to fill the demo.
  await expect
    .poll(async () => (await demo('GET')).percent, { timeout: 170_000, interval: 100 })
    .toBeGreaterThan(5)
  const [maker] = await findMakers()
  return { maker: maker!, status: () => demo('GET') }
}

it('if the process that makes a demo is killed, no part of the demo remains', {
  timeout: 600_000,
}, async () => {
  const app = await buildTestApp({ hasDemos: true })
  const { maker, status } = await startMaking(app)
  const [{ id }] = await app.database.sql<[{ id: string }]>`select id from demos`
  process.kill(maker, 'SIGKILL')
  await expect.poll(async () => (await status()).state, { timeout: 60_000 }).toBe('failed')
  const databases = await app.database.sql`select 1 from pg_database where datname = ${demoDatabaseName(id)}`
  expect(databases.length).toBe(0)
  for await (const file of app.storage.list('demos/')) expect(file).toBeUndefined()
})

it('a server that stops also ends the process that is making a demo', { timeout: 600_000 }, async () => {
  const app = await buildTestApp({ hasDemos: true })
  const { maker } = await startMaking(app)
  await app.demo.close()
  await expect.poll(findMakers).not.toContain(maker)
})

it('a visit to a demo that opens too slowly gets an error, and the demo is closed once it is open', async () => {
  const app = await buildTestApp({ hasDemos: true, demoOpenMs: 1 })
  const id = await addEmptyDemo(app)
  const authorization = `Bearer ${await app.signIn('owner', OWNER_PASSWORD)}`
  const entered = await app.http.inject({
    method: 'POST',
    url: '/api/demo/visit',
    headers: { authorization },
  })
  expect([entered.statusCode, entered.json()]).toEqual([
    503,
    { detail: 'The demo did not open within 30 seconds. Please try again shortly.', code: 'demo_slow' },
  ])
  const isMigrated = async () => {
    const rows = await app.database.sql`
      select 1 from pg_stat_database where datname = ${demoDatabaseName(id)} and tup_inserted > 100`
    return rows.length
  }
  await expect.poll(isMigrated, { timeout: 60_000 }).toBe(1)
  await expect.poll(() => countConnections(app, id), { timeout: 60_000 }).toBe(0)
})

it('a demo in use stays open, an unused demo is closed, and a removed demo is not opened again', async () => {
  const app = await buildTestApp({ hasDemos: true, demoUnusedMs: -1 })
  const { demoShops } = app
  const id = await addEmptyDemo(app)
  const first = Promise.withResolvers<void>()
  // The first cleanup of unused servers runs while the server opens, and the second before it gets the request.
  const opening = demoShops!.serverOf(id, first.promise)
  await demoShops!.closeUnused(id)
  const server = await opening
  await demoShops!.closeUnused(id)
  expect(await countConnections(app, id)).toBeGreaterThan(0)
  expect(await demoShops!.serverOf(id, first.promise)).toBe(server)
  first.resolve()
  await first.promise
  await demoShops!.closeUnused(id)
  // PostgreSQL closes its side of a connection shortly after the client has closed it.
  await expect.poll(() => countConnections(app, id)).toBe(0)

  const second = Promise.withResolvers<void>()
  await demoShops!.serverOf(id, second.promise)
  await demoShops!.remove(id)
  await expect(demoShops!.serverOf(id, second.promise)).rejects.toThrow('the demo is removed')
  expect(await countConnections(app, id)).toBe(0)
})
