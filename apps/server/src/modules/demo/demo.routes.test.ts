import { DEMO_COOKIE, DEMO_HEADER, type DemoStatus } from '@pegasus/contracts/demo'
import type { HostedSession } from '@pegasus/contracts/auth/hosted-auth'
import { readdir } from 'node:fs/promises'
import { connect } from 'node:net'
import { fileURLToPath } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'
import { POSTGRES_SERVERS, startExternalPostgres } from '../../../test/servers/external-postgres.ts'
import { type TestApp, buildTestApp } from '../../../test/support/build-test-app.ts'
import { silentLog } from '../../../test/support/silent-log.ts'
import { openDatabase } from '../../platform/database/database.ts'
import { listenOn } from '../../platform/http/listen-on.ts'
import { migrate } from '../../platform/database/migrate.ts'

const MIGRATIONS = fileURLToPath(new URL('../../../migrations', import.meta.url))

const PAGE = '<!doctype html><html lang="en"><head><title>The app</title></head><body></body></html>'

interface Shop {
  app: TestApp
  owner: string
  ask(
    path: string,
    options?: { method?: string; headers?: Record<string, string>; body?: object },
  ): Promise<Response>
  status(): Promise<DemoStatus>
}

async function openShop(options: Parameters<typeof buildTestApp>[0] = {}): Promise<Shop> {
  const app = await buildTestApp({ hasDemos: true, page: PAGE, ...options })
  const address = await app.http.listen({ port: 0, host: '127.0.0.1' })
  const owner = `Bearer ${await app.signIn('owner', 'correct horse battery')}`
  const ask: Shop['ask'] = (path, { method = 'GET', headers = {}, body } = {}) =>
    fetch(`${address}${path}`, {
      method,
      headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    })
  const status = async () =>
    (await ask('/api/demo', { headers: { authorization: owner } })).json() as Promise<DemoStatus>
  return { app, owner, ask, status }
}

async function makeDemo({ ask, owner, status }: Shop): Promise<void> {
  const made = await ask('/api/demo', { method: 'POST', headers: { authorization: owner } })
  expect(made.status).toBe(200)
  await expect.poll(async () => (await status()).state, { timeout: 170_000, interval: 300 }).toBe('ready')
}

async function enter({ ask }: Shop, authorization: string) {
  const entered = await ask('/api/demo/visit', { method: 'POST', headers: { authorization } })
  expect(entered.status).toBe(200)
  const setCookie = entered.headers.get('set-cookie') ?? ''
  const cookie = setCookie.split(';')[0] ?? ''
  const session = (await entered.json()) as HostedSession
  return {
    setCookie,
    cookie,
    session,
    inDemo: { cookie, [DEMO_HEADER]: '1', authorization: `Bearer ${session.access_token}` },
  }
}

const databasesOfDemos = async ({ app }: Shop) => {
  const rows = await app.database.sql<{ datname: string }[]>`
    select datname from pg_database where datname in (
      select 'pegasus_demo_' || replace(id::text, '-', '') from demos)`
  return rows.length
}

async function countFiles({ storage }: TestApp): Promise<number> {
  let count = 0
  for await (const _file of storage.list('demos/')) count += 1
  return count
}

it('a demo is made, visited and removed, and changes nothing in the shop', { timeout: 600_000 }, async () => {
  const shop = await openShop()
  const { app, owner, ask, status } = shop
  expect(await status()).toEqual({ state: 'none', percent: 0, can_be_made: true })
  await makeDemo(shop)
  expect(await databasesOfDemos(shop)).toBe(1)
  const [{ id }] = await app.database.sql<[{ id: string }]>`select id from demos`
  expect(await countFiles(app)).toBeGreaterThan(0)

  const { setCookie, cookie, session, inDemo } = await enter(shop, owner)
  expect(setCookie).toMatch(/; Path=\/; Max-Age=43200; HttpOnly; SameSite=Lax$/)
  const listed = await ask('/api/orders?limit=5', { headers: inDemo })
  expect(listed.status).toBe(200)
  expect(await listed.json()).toHaveLength(5)
  for (const path of [
    '/api/inventory',
    '/api/stl-files',
    '/api/filament',
    '/api/products',
    '/api/print-queue',
  ])
    expect([path, await (await ask(path, { headers: inDemo })).json()]).not.toEqual([path, []])

  // The shop must not contain an item that was added in the demo.
  const item = { name: 'Only in the demo', sku: 'DEMO-ONLY' }
  const added = await ask('/api/inventory', { method: 'POST', headers: inDemo, body: item })
  expect(added.status).toBe(201)
  const inShop = await ask('/api/inventory', { headers: { authorization: owner } })
  expect(await inShop.json()).toEqual([])
  for (const table of ['items', 'orders', 'stl_files', 'spools', 'print_jobs', 'products'])
    expect([...(await app.database.sql`select 1 from ${app.database.sql(table)}`)]).toEqual([])

  // A backup in the demo fails before it writes anything into the shop's folder for backups.
  const backup = await ask('/api/backups', { method: 'POST', headers: inDemo })
  expect(backup.status).toBe(202)
  const runs = async () =>
    ((await (await ask('/api/backups', { headers: inDemo })).json()) as { runs: { state: string }[] }).runs
  await expect.poll(async () => (await runs())[0]?.state, { timeout: 60_000 }).toBe('failed')
  expect(await readdir(app.dataDir)).not.toContain('backups')

  // A session of the demo is not valid in the shop, and a session of the shop is not valid in the demo.
  const demoToken = `Bearer ${session.access_token}`
  expect((await ask('/api/orders', { headers: { authorization: demoToken } })).status).toBe(401)
  expect((await ask('/api/orders', { headers: { ...inDemo, authorization: owner } })).status).toBe(401)

  // The cookie leads requests for the page and its pictures to the demo. Calls of the shop's page stay in the shop.
  const page = await ask('/', { headers: { cookie, accept: 'text/html' } })
  expect(page.headers.get('cache-control')).toBe('no-store')
  expect(await page.text()).toContain('<html data-demo lang="en"><head><script src="/demo.js"></script>')
  const ownPage = await ask('/', { headers: { accept: 'text/html' } })
  expect(await ownPage.text()).not.toContain('demo')
  expect((await ask('/api/orders', { headers: { cookie, authorization: owner } })).status).toBe(200)
  const written = await ask('/auth/login', {
    method: 'POST',
    headers: { cookie },
    body: { username: 'owner', password: 'correct horse battery' },
  })
  expect(written.status).toBe(200)
  const models = (await (await ask('/api/stl-files', { headers: inDemo })).json()) as {
    thumbnail_path: string | null
  }[]
  // On a busy machine, some pictures may not be drawn yet, so use any that exists.
  const drawn = models.find(({ thumbnail_path: path }) => path !== null)?.thumbnail_path ?? ''
  const picture = { cookie, accept: 'image/*' }
  expect((await ask(drawn, { headers: picture })).status).toBe(200)
  expect((await ask(drawn, { headers: { accept: 'image/*' } })).status).toBe(401)

  // The demo opens no outgoing connections, not even to an IP address.
  const imported = await ask('/api/channels', {
    method: 'POST',
    headers: inDemo,
    body: { name: 'Outside', kind: 'webhook', url: 'https://1.1.1.1/hook', events: [] },
  })
  expect(imported.status).toBeGreaterThanOrEqual(400)

  const removed = await ask('/api/demo', { method: 'DELETE', headers: { authorization: owner, cookie } })
  expect(removed.status).toBe(200)
  await expect.poll(async () => (await status()).state, { timeout: 20_000 }).toBe('none')
  expect([
    ...(await app.database
      .sql`select datname from pg_database where datname = ${`pegasus_demo_${id.replaceAll('-', '')}`}`),
  ]).toEqual([])
  expect(await countFiles(app)).toBe(0)

  // The visit has ended. The demo's page gets an error that says so, and the browser gets the shop again.
  const late = await ask('/api/orders', { headers: inDemo })
  expect([late.status, await late.json()]).toEqual([
    410,
    { detail: 'This visit to the demo has ended.', code: 'demo_ended' },
  ])
  expect(await (await ask('/', { headers: { cookie, accept: 'text/html' } })).text()).not.toContain(
    'data-demo',
  )
  const actions = await app.database.sql<{ action: string }[]>`
    select action from audit_entries where entity = 'demo' order by at, id`
  expect(actions.map(({ action }) => action)).toEqual(['demo.made', 'demo.removed'])
})

it('a refused websocket of a demo page is closed, even if its client keeps it open, and the server keeps running', async () => {
  const app = await buildTestApp({ hasDemos: true, page: PAGE })
  const address = new URL(await app.http.listen({ port: 0, host: '127.0.0.1' }))
  const socket = connect({ port: Number(address.port), host: address.hostname, allowHalfOpen: true })
  onTestFinished(() => void socket.destroy())
  const closed = new Promise((resolve) => {
    socket.on('error', resolve)
    socket.on('close', resolve)
  })
  let answer = ''
  socket.on('data', (part: Buffer) => (answer += part.toString()))
  const lines = ['Host: shop', 'Connection: Upgrade', 'Upgrade: websocket', `${DEMO_HEADER}: 1`]
  socket.write(`GET /api/orders HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`)
  await expect.poll(() => answer).toMatch(/^HTTP\/1\.1 410 /)
  socket.resetAndDestroy()
  await closed
  expect((await fetch(new URL('/healthz', address))).status).toBe(200)
})

it('on both addresses of localhost, a call of a demo page never reaches the shop', async () => {
  const app = await buildTestApp({ hasDemos: true, page: PAGE })
  const addresses = async () => ['127.0.0.1', '::1']
  const { port } = new URL(await listenOn(app.http, { host: 'localhost', port: 0 }, addresses))
  for (const host of ['127.0.0.1', '[::1]']) {
    const address = `http://${host}:${port}/api/config`
    expect([host, (await fetch(address)).status]).toEqual([host, 200])
    expect([host, (await fetch(address, { headers: { [DEMO_HEADER]: '1' } })).status]).toEqual([host, 410])
  }
  await app.http.close()
  await expect(fetch(`http://[::1]:${port}/healthz`)).rejects.toThrow()
})

it('a page of the demo reaches no endpoint of the shop except the switch of the demo', async () => {
  const { ask } = await openShop()
  const bound = { [DEMO_HEADER]: '1' }
  for (const [path, headers] of [
    ['/healthz', {}],
    ['/auth/v1/verify?token=x', {}],
    ['/functions/v1/anything', {}],
    ['/api/orders', { 'x-api-key': 'pgk_unknown' }],
    ['/api/orders', { authorization: 'Bearer pgk_unknown' }],
  ] as const) {
    const answer = await ask(path, { headers: { ...bound, ...headers } })
    expect([path, answer.status, await answer.json()]).toEqual([
      path,
      410,
      { detail: 'This address belongs to the shop. Leave the demo to use it.', code: 'demo_only' },
    ])
  }
  expect((await ask('/api/demo/visit', { method: 'DELETE', headers: bound })).status).toBe(204)
})

it('refused calls of demo pages count towards the flood limit of their address', async () => {
  const { ask } = await openShop({ variables: { REQUESTS_PER_SECOND: '20' } })
  const answers = await Promise.all(
    Array.from({ length: 200 }, () => ask('/api/orders', { headers: { [DEMO_HEADER]: '1' } })),
  )
  const statuses = new Set(answers.map(({ status }) => status))
  expect(statuses).toEqual(new Set([410, 429]))
})

it('a signed cookie of a live session of an admin opens the demo on every server, and an unused demo is closed', {
  timeout: 600_000,
}, async () => {
  const shop = await openShop({ demoUnusedMs: 0 })
  const { app, ask } = shop
  await makeDemo(shop)
  const username = await app.anAccount('admin')
  const admin = `Bearer ${await app.signIn(username)}`
  const { cookie, inDemo } = await enter(shop, admin)
  const me = async (headers: Record<string, string>) => (await ask('/api/auth/me', { headers })).status
  expect(await me(inDemo)).toBe(200)

  const replica = await app.replica()
  const address = await replica.http.listen({ port: 0, host: '127.0.0.1' })
  const onReplica = async () => (await fetch(`${address}/api/auth/me`, { headers: inDemo })).status
  expect(await onReplica()).toBe(200)
  const connections = async () => {
    const rows = await app.database.sql`
      select 1 from pg_stat_activity where application_name = 'pegasus-ops demo' and datname in (
        select 'pegasus_demo_' || replace(id::text, '-', '') from demos)`
    return rows.length
  }
  expect(await connections()).toBeGreaterThan(0)
  await replica.demo.keeper.run()
  await app.demo.keeper.run()
  await expect.poll(connections).toBe(0)
  expect(await onReplica()).toBe(200)

  for (const role of ['staff', 'viewer'] as const) {
    const low = await app.as(role)
    for (const [method, path] of [
      ['GET', '/api/demo'],
      ['POST', '/api/demo'],
      ['DELETE', '/api/demo'],
      ['POST', '/api/demo/visit'],
    ] as const)
      expect([role, method, path, (await ask(path, { method, headers: low })).status]).toEqual([
        role,
        method,
        path,
        403,
      ])
  }

  const value = cookie.slice(DEMO_COOKIE.length + 1)
  const [demo, account, session, ends, signature] = value.split('.')
  const forged = [
    '',
    'x',
    `${demo}.${account}.${session}.9999999999.${signature}`,
    `${account}.${account}.${session}.${ends}.${signature}`,
    `${demo}.${account}.${session}.${ends}.${'A'.repeat(43)}`,
    `${demo}.${account}.${session}.${ends}.${signature} OR 1=1`,
  ]
  for (const each of forged)
    expect([each, await me({ ...inDemo, cookie: `${DEMO_COOKIE}=${each}` })]).toEqual([each, 410])
  expect(await me({ [DEMO_HEADER]: '1', authorization: inDemo.authorization })).toBe(410)

  // Requests with an API key reach the shop, even if they send the cookie.
  const asProgram = { cookie, accept: 'text/html', 'x-api-key': 'pgk_unknown' }
  expect(await (await ask('/', { headers: asProgram })).text()).not.toContain('data-demo')

  // A visit ends when the person loses the role, or when the person's session in the shop ends.
  await app.database
    .sql`update user_roles set role_name = 'staff' where user_id = (select id from accounts where username = ${username})`
  expect(await me(inDemo)).toBe(410)
  await app.database
    .sql`update user_roles set role_name = 'admin' where user_id = (select id from accounts where username = ${username})`
  expect(await me(inDemo)).toBe(200)
  await ask('/auth/v1/logout', { method: 'POST', headers: { authorization: admin } })
  expect(await me(inDemo)).toBe(410)

  const left = await ask('/api/demo/visit', { method: 'DELETE', headers: { cookie } })
  expect([left.status, left.headers.get('set-cookie')]).toEqual([
    204,
    `${DEMO_COOKIE}=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax`,
  ])
})

it('a demo that a crash has left incomplete is removed by the next server', { timeout: 60_000 }, async () => {
  const shop = await openShop()
  const { app, status } = shop
  // Only the first round assumes that no other server is alive, so run it before the test.
  await app.demo.keeper.run()
  const id = '0198c0de-0000-4000-8000-00000000d310'
  const name = 'pegasus_demo_0198c0de00004000800000000000d310'
  for (const state of ['making', 'removing']) {
    await app.database.sql.unsafe(`create database ${name}`)
    await app.database.sql`
      insert into demos (id, state, worker, worked_at)
      values (${id}, ${state}, gen_random_uuid(), now() - interval '20 seconds')`
    // The server that made the demo may still be working, so the keeper leaves the demo alone.
    await app.demo.keeper.run()
    expect((await status()).state).toBe(state)
    await app.database.sql`update demos set worked_at = now() - interval '31 seconds'`
    await app.demo.keeper.run()
    await expect.poll(async () => (await status()).state, { timeout: 20_000 }).toBe('none')
    expect([...(await app.database.sql`select 1 from pg_database where datname = ${name}`)]).toEqual([])
  }
})

it('without the right to create databases, the response says so, and no demo is begun', {
  timeout: 60_000,
}, async () => {
  const postgres = await startExternalPostgres(POSTGRES_SERVERS[0]!)
  const admin = await openDatabase({ url: postgres.url, log: silentLog, applicationName: 'admin' })
  await admin.sql.unsafe('create role shop login nosuperuser nocreatedb')
  await admin.sql.unsafe('create database shop owner shop')
  await admin.close()
  const url = new URL(postgres.url)
  url.username = 'shop'
  url.pathname = '/shop'
  const database = await openDatabase({ url: url.href, log: silentLog, applicationName: 'shop' })
  onTestFinished(() => database.close())
  await migrate({ database, folder: MIGRATIONS, log: silentLog })
  const shop = await openShop({ demoDatabase: { database, source: { url: url.href } } })
  const { owner, ask, status } = shop
  expect(await status()).toEqual({ state: 'none', percent: 0, can_be_made: false })
  const refused = await ask('/api/demo', { method: 'POST', headers: { authorization: owner } })
  expect([refused.status, await refused.json()]).toEqual([
    409,
    expect.objectContaining({ code: 'demo_right_missing', detail: expect.stringContaining('CREATEDB') }),
  ])
  expect((await status()).state).toBe('none')
})
