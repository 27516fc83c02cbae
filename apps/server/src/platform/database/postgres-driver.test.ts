import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { silentLog } from '../../../test/support/silent-log.ts'
import { createTestDatabase, type TestDatabase } from '../../../test/support/test-database.ts'
import { type Database, openDatabase, type Queryable } from './database.ts'

// With a single connection, everything left behind by a lost one would reach the next user.
let test: TestDatabase
let single: Database

beforeAll(async () => {
  test = await createTestDatabase({ isEmpty: true })
  await test.database.sql`create table kept (word text)`
  const { connection } = test
  single = await openDatabase({ connection, log: silentLog, applicationName: 'single', maxConnections: 1 })
})

afterAll(async () => {
  await single.close()
  await test.drop()
})

const backendOf = async (sql: Queryable): Promise<number> => {
  const [row] = await sql<[{ pid: number }]>`select pg_backend_pid() as pid`
  return row.pid
}

const end = async (pid: number): Promise<void> => {
  await test.database.sql`select pg_terminate_backend(${pid})`
}

const answersSoon = () => expect.poll(() => single.ping(1_000).then(() => 'up', String)).toBe('up')

it('the PostgreSQL driver survives repeated connection losses during a query of a transaction', async () => {
  for (let round = 0; round < 5; round += 1) {
    const begun = Promise.withResolvers<number>()
    const dead = single.transaction(async (tx) => {
      begun.resolve(await backendOf(tx))
      await tx`select pg_sleep(10)`
    })
    const gone = expect(dead).rejects.toThrow()
    await end(await begun.promise)
    await gone
    await answersSoon()
    expect([...(await single.sql`select ${round} as round`)]).toEqual([{ round: String(round) }])
  }
})

it('the PostgreSQL driver keeps statements of a lost transaction out of the next one on the same connection', async () => {
  const [begun, resumed, over] = [
    Promise.withResolvers<number>(),
    Promise.withResolvers<void>(),
    Promise.withResolvers<string>(),
  ]
  const dead = single.transaction(async (tx) => {
    begun.resolve(await backendOf(tx))
    await resumed.promise
    const written = tx`insert into kept values ('of the dead')`
    over.resolve(
      await written.then(
        () => 'written',
        () => 'refused',
      ),
    )
    await written
  })
  const gone = expect(dead).rejects.toThrow()
  await end(await begun.promise)
  await gone
  await answersSoon()
  await single.transaction(async (tx) => {
    await tx`insert into kept values ('first')`
    resumed.resolve()
    await over.promise
    await tx`insert into kept values ('second')`
  })
  expect(await over.promise).toBe('refused')
  expect([...(await test.database.sql`select word from kept`)]).toEqual([
    { word: 'first' },
    { word: 'second' },
  ])
})

it('the PostgreSQL driver releases a reserved connection that was lost in the meantime', async () => {
  const reserved = await single.sql.reserve()
  const pid = await backendOf(reserved)
  const gone = expect(reserved`select pg_sleep(10)`).rejects.toThrow()
  await end(pid)
  await gone
  await expect(reserved`rollback`).rejects.toThrow()
  reserved.release()
  await answersSoon()
})

it('the PostgreSQL driver survives the loss of a connection during its setup', async () => {
  const { host, port } = test.connection
  let cuts = 0
  const proxy = createServer((socket) => {
    const behind = connect(host.startsWith('/') ? { path: join(host, `.s.PGSQL.${port}`) } : { host, port })
    socket.on('data', (bytes) => {
      // The driver's first query on a new connection.
      if (bytes.includes('typarray') && cuts < 3) {
        cuts += 1
        socket.resetAndDestroy()
      } else behind.write(bytes)
    })
    behind.pipe(socket)
    for (const end of [socket, behind])
      end.on('error', () => undefined).on('close', () => (socket.destroy(), behind.destroy()))
  }).listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  const at = { host: '127.0.0.1', port: (proxy.address() as AddressInfo).port }
  const opening = () =>
    openDatabase({ connection: { ...test.connection, ...at }, log: silentLog, applicationName: 'cut' })
  // An unhandled rejection would fail the run.
  for (let attempt = 1; attempt <= 3; attempt += 1) {
    await expect(opening()).rejects.toThrow()
    expect(cuts).toBe(attempt)
  }
  const opened = await opening()
  expect([...(await opened.sql`select array[1, 2] as numbers`)]).toEqual([{ numbers: [1, 2] }])
  await opened.close()
  proxy.close()
})
