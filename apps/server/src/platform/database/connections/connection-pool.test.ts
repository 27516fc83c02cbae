import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { silentLog } from '../../../../test/support/silent-log.ts'
import { createTestDatabase, type TestDatabase } from '../../../../test/support/database/test-database.ts'
import { type Database, openDatabase, type Queryable } from '../database.ts'

// The pool has a single connection. So if a lost connection left anything behind, the next user would get it.
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

it('the connection pool still works after connections were lost repeatedly in the middle of a transaction', async () => {
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

it('the connection pool counts lost connections, including connections that were idle', async () => {
  const before = single.lostConnections()
  await end(await backendOf(single.sql))
  await expect.poll(() => single.lostConnections()).toBe(before + 1)
  await answersSoon()
  expect(single.lostConnections()).toBe(before + 1)
})

it('statements of a transaction that lost its connection do not run in the next transaction', async () => {
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

it('a reserved connection that was lost can still be released to the connection pool', async () => {
  const reserved = await single.sql.reserve()
  const pid = await backendOf(reserved)
  const gone = expect(reserved`select pg_sleep(10)`).rejects.toThrow()
  await end(pid)
  await gone
  await expect(reserved`rollback`).rejects.toThrow()
  reserved.release()
  await answersSoon()
})

it('the connection pool still works after a connection was lost during its setup', async () => {
  const { host, port } = test.connection
  let cuts = 0
  const proxy = createServer((socket) => {
    const behind = connect(host.startsWith('/') ? { path: join(host, `.s.PGSQL.${port}`) } : { host, port })
    socket.on('data', (bytes) => {
      // Matches the first query on a new connection.
      if (bytes.includes('server_version_num') && cuts < 3) {
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
  // Each attempt must only reject. An unhandled rejection elsewhere would fail the test run.
  for (let attempt = 1; attempt <= 3; attempt += 1) {
    await expect(opening()).rejects.toThrow()
    expect(cuts).toBe(attempt)
  }
  const opened = await opening()
  expect([...(await opened.sql`select array[1, 2] as numbers`)]).toEqual([{ numbers: [1, 2] }])
  await opened.close()
  proxy.close()
})

it('a transaction that continues after a failed statement rejects with the error of that statement', async () => {
  await test.database.sql`create table counted (n int check (n > 0))`
  const swallowing = single.transaction(async (tx) => {
    await tx`insert into counted values (1)`
    await tx`insert into counted values (0)`.catch(() => undefined)
    return 'done'
  })
  await expect(swallowing).rejects.toThrow('counted_n_check')
  const repeating = single.transaction(async (tx) => {
    await tx`insert into counted values (0)`.catch(() => undefined)
    await tx`insert into counted values (1)`
  })
  await expect(repeating).rejects.toThrow('counted_n_check')
  expect(await test.database.sql`select * from counted`).toEqual([])
})

it('a statement after the end of its transaction is refused', async () => {
  const { tx } = await single.transaction(async (inside) => ({ tx: inside }))
  await expect(tx`select 1`).rejects.toThrow('has ended')
  await answersSoon()
})

it('a prepared statement still works after another process has changed the table, even inside a transaction', async () => {
  await test.database.sql`create table changing (a int)`
  await test.database.sql`insert into changing values (1)`
  const read = () => single.sql`select * from changing`
  const readInside = () => single.transaction((tx) => tx`select * from changing limit 9`)
  for (let time = 0; time < 3; time += 1) {
    expect(await read()).toEqual([{ a: 1 }])
    expect(await readInside()).toEqual([{ a: 1 }])
  }
  await test.database.sql`alter table changing add column b int default 2`
  expect(await read()).toEqual([{ a: 1, b: 2 }])
  expect(await readInside()).toEqual([{ a: 1, b: 2 }])
})

it('the pool prepares a statement at its second use, and replaces a connection with too many prepared statements', async () => {
  const prepared = async () => {
    const [row] = await single.sql<[{ count: number; pid: number }]>`
      select (select count(*) from pg_prepared_statements) as count, pg_backend_pid() as pid`
    return row
  }
  const { pid } = await prepared()
  const before = (await prepared()).count
  const ask = (n: number) => single.sql.unsafe(`select $1::int as n${n}`, [n])
  await ask(0)
  expect((await prepared()).count).toBe(before)
  await ask(0)
  expect((await prepared()).count).toBe(before + 1)
  for (let n = 1; n <= 1000; n += 1) {
    await ask(n)
    await ask(n)
  }
  const after = await prepared()
  expect(after.pid).not.toBe(pid)
  expect(after.count).toBeLessThan(50)
})
