import type { SlowStatements } from '@pegasus/contracts/system'
import { describe, expect, it } from 'vitest'
import { startExternalPostgres, POSTGRES_SERVERS } from '../../../test/servers/external-postgres.ts'
import { buildTestApp, type TestApp } from '../../../test/support/build-test-app.ts'
import { silentLog } from '../../../test/support/silent-log.ts'
import { openDatabase } from '../../platform/database/database.ts'
import { listSlow } from './slow-statements.ts'

const listed = async (app: TestApp): Promise<SlowStatements> =>
  (await app.http.inject({ url: '/api/system/slow-statements', headers: await app.as('admin') })).json()

describe('slow statements', () => {
  it('the slow statements of a process are listed with their durations, but without their values', async () => {
    const app = await buildTestApp()
    const { sql } = app.database
    for (const seconds of [0, 0.15])
      await sql`select pg_sleep(${seconds}),
        ${'a secret value'}::text as slow_one`
    const answer = await listed(app)
    expect(answer.source).toBe('server')
    expect(Date.parse(answer.since)).toBeLessThan(app.clock.now().getTime())
    const slow = answer.statements.find(({ text }) => text.includes('slow_one'))
    expect(slow).toMatchObject({ text: 'select pg_sleep($1), $2::text as slow_one', count: 2 })
    expect(slow?.longest_ms).toBeGreaterThanOrEqual(150)
    expect(slow?.mean_ms).toBeLessThan(slow?.longest_ms ?? 0)
    expect(JSON.stringify(answer)).not.toContain('secret value')
  })

  it('a failed statement counts as slow, too, and many different fast statements do not displace a slow one', async () => {
    const app = await buildTestApp()
    const { sql } = app.database
    await app.database
      .transaction(async (tx) => {
        await tx`set local statement_timeout = 120`
        await tx`select pg_sleep(${9}) as timed_out`
      })
      .catch(() => undefined)
    for (let at = 0; at < 1200; at += 1) await sql`select ${sql.literal(at)} as each`
    const { statements } = await listed(app)
    expect(statements.find(({ text }) => text.includes('timed_out'))).toMatchObject({ count: 1 })
  })

  it.each(POSTGRES_SERVERS.filter(({ name }) => name !== 'the embedded PostgreSQL'))(
    'the counts of pg_stat_statements are listed on $name, if the extension is loaded',
    async (server) => {
      const postgres = await startExternalPostgres(server)
      const options = { url: postgres.url, log: silentLog, applicationName: 'test', maxConnections: 2 }
      const first = await openDatabase(options)
      await first.sql`create schema "the ""extensions"`
      await first.sql`create extension pg_stat_statements schema "the ""extensions"`
      // The database has the extension, but PostgreSQL was started without loading it.
      expect((await listSlow(first, new Date())).source).toBe('server')
      await first.sql`alter system set shared_preload_libraries = 'pg_stat_statements'`
      await first.sql`create role other login`
      await first.close()
      await postgres.stop()
      await postgres.start()

      const database = await openDatabase(options)
      await database.sql`select pg_sleep(${0.15}), ${'a secret value'}::text as slow_one`
      await database.sql.unsafe("do $$ begin perform pg_sleep(0.15), 'a secret value'; end $$")
      const answer = await listSlow(database, new Date())
      expect(answer.source).toBe('database')
      const slow = answer.statements.find(({ text }) => text.includes('slow_one'))
      expect(slow?.count).toBe(1)
      expect(slow?.longest_ms).toBeGreaterThanOrEqual(150)
      expect(JSON.stringify(answer)).not.toContain('secret value')

      const url = postgres.url.replace('pegasus@', 'other@')
      const other = await openDatabase({ ...options, url })
      expect(JSON.stringify(await listSlow(other, new Date()))).not.toContain('slow_one')
      await other.close()

      // After an upgrade, a database still has the old version of the extension with its old columns.
      await database.sql`drop extension pg_stat_statements`
      await database.sql`create extension pg_stat_statements version '1.7'`
      expect((await listSlow(database, new Date())).source).toBe('server')
      await database.close()
    },
    60_000,
  )
})
