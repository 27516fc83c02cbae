import { afterAll, beforeAll, expect, it } from 'vitest'
import { silentLog } from '../../../test/silent-log.ts'
import { createTestDatabase, type TestDatabase } from '../../../test/test-database.ts'
import { type Database, openDatabase, type Queryable } from './database.ts'

// With one connection everything meets on it: what a lost one leaves behind, the next user would find.
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

it('outlives a connection that is lost in the middle of a transaction’s query, again and again', async () => {
  for (let round = 0; round < 5; round += 1) {
    const begun = Promise.withResolvers<number>()
    const dead = single.transaction(async (tx) => {
      begun.resolve(await backendOf(tx))
      await tx`select pg_sleep(10)`
    })
    await end(await begun.promise)
    await expect(dead).rejects.toThrow()
    await answersSoon()
    expect([...(await single.sql`select ${round} as round`)]).toEqual([{ round: String(round) }])
  }
})

it('lets nothing of a lost transaction into the next one on the same connection', async () => {
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
  await end(await begun.promise)
  await expect(dead).rejects.toThrow()
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

it('gives back a reserved connection that was lost meanwhile', async () => {
  const reserved = await single.sql.reserve()
  const pid = await backendOf(reserved)
  const busy = reserved`select pg_sleep(10)`
  await end(pid)
  await expect(busy).rejects.toThrow()
  await expect(reserved`rollback`).rejects.toThrow()
  reserved.release()
  await answersSoon()
})
