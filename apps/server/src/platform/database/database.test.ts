import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { silentLog } from '../../../test/support/silent-log.ts'
import { createTestDatabase, type TestDatabase } from '../../../test/support/database/test-database.ts'
import { StartupError } from '../startup-error.ts'
import { constraintOf, type Database, openDatabase } from './database.ts'

let test: TestDatabase
let database: Database

beforeAll(async () => {
  test = await createTestDatabase({ isEmpty: true })
  database = test.database
})

afterAll(() => test.drop())

describe('values in the database client', () => {
  it('timestamps and numbers from the database are read with their full precision', async () => {
    const rows = await database.sql`
      select '2026-03-29 01:30:00.123456+02'::timestamptz as moment, '2026-03-29'::date as day,
        '2026-03-29 01:30'::timestamp as local, 12.50::numeric as price, count(*) as count,
        array['2026-01-01 00:00Z'::timestamptz] as moments, array[1::bigint, 2] as counts`
    expect([...rows]).toEqual([
      {
        moment: '2026-03-28T23:30:00.123456Z',
        day: '2026-03-29',
        local: '2026-03-29 01:30:00',
        price: '12.50',
        count: 1,
        moments: ['2026-01-01T00:00:00Z'],
        counts: [1, 2],
      },
    ])
  })

  it('a query accepts a Date, and values in the form in which the database returns them', async () => {
    const moment = '2026-03-28T23:30:00.123456Z'
    const rows = await database.sql`
      select ${moment}::timestamptz as text, ${new Date(moment)}::timestamptz as date, ${'2026-03-29'}::date as day,
        ${database.sql.json({ a: [1] })}::jsonb as json`
    expect([...rows]).toEqual([
      { text: moment, date: '2026-03-28T23:30:00.123Z', day: '2026-03-29', json: { a: [1] } },
    ])
  })

  it('the database client refuses values that would be rounded or dropped', async () => {
    await expect(database.sql`select 9007199254740993::bigint`).rejects.toThrow('too large to be exact')
    // @ts-expect-error: a query does not accept undefined, but untyped code could pass it
    await expect(database.sql`select ${undefined}::text`).rejects.toThrow('Undefined values are not allowed')
    expect([...(await database.sql`select 1 as fine`)]).toEqual([{ fine: 1 }])
  })
})

describe('database transactions', () => {
  it('a transaction returns the result of its function, and is rolled back if the function throws', async () => {
    await database.sql`create table stock (id int primary key, quantity int not null check (quantity >= 0))`
    const answer = await database.transaction(async (tx) => {
      await tx`insert into stock values (1, 5), (2, 5)`
      return ['done']
    })
    const failing = database.transaction(async (tx) => {
      await tx`delete from stock`
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow('no')
    expect(answer).toEqual(['done'])
    expect([...(await database.sql`select count(*) from stock`)]).toEqual([{ count: 2 }])
  })

  it('a transaction is repeated after a deadlock', async () => {
    let attempts = 0
    let held = 0
    const both = Promise.withResolvers<void>()
    const take = (first: number, second: number) =>
      database.transaction(async (tx) => {
        attempts += 1
        await tx`update stock set quantity = quantity - 1 where id = ${first}`
        // Both transactions have locked their first row now, so they must collide.
        held += 1
        if (held === 2) both.resolve()
        await both.promise
        await tx`update stock set quantity = quantity - 1 where id = ${second}`
      })
    await Promise.all([take(1, 2), take(2, 1)])
    const rows = await database.sql`select quantity from stock order by id`
    expect(rows.map((row) => row.quantity)).toEqual([3, 3])
    expect(attempts).toBe(3)
  })

  it('constraintOf returns the constraint that a statement violated', async () => {
    const twice = database.sql`insert into stock values (1, 1)`.catch(constraintOf)
    const negative = database.sql`update stock set quantity = -1`.catch(constraintOf)
    expect(await twice).toBe('stock_pkey')
    expect(await negative).toBe('stock_quantity_check')
    expect(constraintOf(new Error('other'))).toBe(null)
  })
})

describe('database notifications', () => {
  it('notifications arrive when their transaction commits, even after a connection was lost', async () => {
    const received: string[] = []
    let listenings = 0
    const listener = await database.listen(
      'news',
      (payload) => received.push(payload),
      () => {
        listenings += 1
      },
    )
    await database.transaction(async (tx) => {
      await tx`select pg_notify('news', 'committed')`
      expect(received).toEqual([])
    })
    await expect.poll(() => received).toEqual(['committed'])
    await database.sql`
      select pg_terminate_backend(pid) from pg_stat_activity where query ilike 'listen%' and datname = current_database()`
    await expect.poll(() => listenings, { timeout: 5_000 }).toBe(2)
    await database.sql`select pg_notify('news', 'again')`
    await expect.poll(() => received).toEqual(['committed', 'again'])
    await listener.close()
  })
})

describe('database connections', () => {
  it('all database connections recover after they are cut', async () => {
    const other = await openDatabase({
      connection: test.connection,
      log: silentLog,
      applicationName: 'cutter',
    })
    await other.sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and application_name = 'test' and pid <> pg_backend_pid()`
    await other.close()
    await expect.poll(() => database.ping(1_000).then(() => 'up', String), { timeout: 5_000 }).toBe('up')
  })

  it('a query on a dropped connection fails with an error that is marked as a database error', async () => {
    const sockets: Socket[] = []
    const { port, host } = test.connection
    const proxy = createServer((socket) => {
      sockets.push(socket)
      const behind = connect(join(host, `.s.PGSQL.${port}`))
      socket.pipe(behind).pipe(socket)
      for (const end of [socket, behind]) end.on('error', () => undefined)
    })
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
    const at = proxy.address() as AddressInfo
    const other = await openDatabase({
      connection: { ...test.connection, host: '127.0.0.1', port: at.port },
      log: silentLog,
      applicationName: 'test',
      maxConnections: 1,
    })
    const asked = other.sql`select pg_sleep(5)`.catch((error: unknown) => error)
    await expect.poll(() => sockets.length).toBeGreaterThan(0)
    await expect
      .poll(
        async () =>
          (
            await database.sql`select 1 from pg_stat_activity where query like 'select pg_sleep%' and state = 'active' and pid <> pg_backend_pid()`
          ).length,
      )
      .toBe(1)
    for (const socket of sockets) socket.resetAndDestroy()
    expect(await asked).toMatchObject({ code: 'ECONNRESET', isDatabase: true })
    await other.close()
    await new Promise((resolve) => proxy.close(resolve))
  })

  it('a ping times out if the database is busy', async () => {
    const single = await openDatabase({
      connection: test.connection,
      log: silentLog,
      applicationName: 'slow',
      maxConnections: 1,
    })
    const busy = single.sql`select pg_sleep(0.5)`.execute()
    await expect(single.ping(50)).rejects.toThrow('did not respond within 50 ms')
    await busy
    await single.ping(1_000)
    await single.close()
  })
})

describe('database addresses', () => {
  const opening = (url: string) => openDatabase({ url, log: silentLog, applicationName: 'test' })
  const { host, port, user } = { host: 'localhost', port: 1, user: 'pegasus' }

  it('the error for a wrong database address is readable and does not contain the password', async () => {
    for (const url of [
      'mysql://a:s3cret@b/c',
      'not an address s3cret',
      `postgres://${user}:s3cret@${host}:${port}/shop`,
    ]) {
      const error = await opening(url).catch((caught: unknown) => caught)
      expect(error).toBeInstanceOf(StartupError)
      expect(String(error)).not.toContain('s3cret')
    }
    await expect(opening(`postgres://${user}:s3cret@${host}:${port}/shop`)).rejects.toThrow(
      'The database localhost:1/shop cannot be used: no PostgreSQL server responds there',
    )
  })

  it('the error for a missing database says that the server has no database with this name', async () => {
    const { password, host: folder } = test.connection
    const missing = opening(`postgres://pegasus:${password}@localhost/nowhere?host=${folder}`)
    await expect(missing).rejects.toThrow('it has no database with this name')
  })

  it('a database address can name the folder of a socket', async () => {
    const { password, host: folder, database: name } = test.connection
    const opened = await opening(`postgres://pegasus:${password}@localhost/${name}?host=${folder}`)
    await opened.ping(1_000)
    await opened.close()
  })

  it('a connection fails quickly if a proxy responds at the address but its database server is missing', async () => {
    const server = createServer((socket) => socket.end())
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const address = server.address()
    const at = typeof address === 'object' ? address?.port : 0
    const refused = opening(`postgres://a:s3cret@127.0.0.1:${at}/b`)
    await expect(refused).rejects.toThrow('closed the connection without a response')
    server.close()
  })
})
