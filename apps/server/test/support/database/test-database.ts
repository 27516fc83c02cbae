import { randomUUID } from 'node:crypto'
import { inject } from 'vitest'
import { type Database, openDatabase } from '../../../src/platform/database/database.ts'
import type { DatabaseConnection } from '../../../src/platform/database/embedded/embedded-postgres.ts'
import { lendDatabase } from './database-lease.ts'
import { resetDatabase } from './database-reset.ts'
import { silentLog } from '../silent-log.ts'

export interface TestDatabase {
  database: Database
  connection: DatabaseConnection
  /** Ends all statements and all other sessions. The database can then be used by another test, or is dropped. */
  drop(): Promise<void>
}

/** Open databases of this process that have the contents of the template again. */
const free: { name: string; real: Database }[] = []
/** The name of the sessions that stay open from one test to the next. */
const KEPT = 'kept for tests'

/** Creates a database for one test: a copy of the migrated template, or an empty database. */
export async function createTestDatabase(options: { isEmpty?: boolean } = {}): Promise<TestDatabase> {
  if (options.isEmpty) return createEmptyDatabase()
  const { name, real } = free.pop() ?? (await openClone())
  const { database, end } = lendDatabase(real)
  return {
    database,
    connection: connectionTo(name),
    async drop() {
      if ((await end()) && (await reset(real))) free.push({ name, real })
      else {
        await real.close()
        await dropDatabase(name)
      }
    },
  }
}

async function createEmptyDatabase(): Promise<TestDatabase> {
  const name = await cloneDatabase('template1')
  const database = await open(name, 'test')
  return {
    database,
    connection: connectionTo(name),
    async drop() {
      await database.close()
      await dropDatabase(name)
    },
  }
}

async function openClone() {
  const name = await cloneDatabase(inject('postgres').template)
  return { name, real: await open(name, KEPT) }
}

const connectionTo = (name: string): DatabaseConnection => ({
  ...inject('postgres').connection,
  database: name,
})

const open = (name: string, applicationName: string): Promise<Database> =>
  openDatabase({ connection: connectionTo(name), log: silentLog, applicationName, maxConnections: 5 })

async function cloneDatabase(template: string): Promise<string> {
  const name = `test_${randomUUID().replaceAll('-', '')}`
  await asAdmin(
    (admin) => admin.sql`
      create database ${admin.sql(name)} template ${admin.sql(template)} strategy file_copy`,
  )
  return name
}

const dropDatabase = (name: string): Promise<void> =>
  asAdmin((admin) => admin.sql`drop database if exists ${admin.sql(name)} with (force)`)

/**
 * Empties a database. This is cheaper than cloning the template, because no files are created and PostgreSQL
 * keeps its caches. Returns false if the kept sessions are still running something, or if emptying costs too
 * much.
 */
async function reset(real: Database): Promise<boolean> {
  await real.sql`
    select pg_terminate_backend(pid, 5000) from pg_stat_activity
    where datname = current_database() and application_name <> ${KEPT}`
  const [left] = await real.sql<{ count: number }[]>`
    select (select count(*) from pg_stat_activity
            where datname = current_database() and pid <> pg_backend_pid() and state <> 'idle')::int
         + (select count(*) from pg_locks l join pg_database d on d.oid = l.database
            where l.locktype = 'advisory' and d.datname = current_database())::int as count`
  return left?.count === 0 && (await resetDatabase(real, inject('postgres').state))
}

async function asAdmin(work: (admin: Database) => Promise<unknown>): Promise<void> {
  const admin = await openDatabase({
    connection: inject('postgres').connection,
    log: silentLog,
    applicationName: 'test admin',
    maxConnections: 1,
  })
  try {
    await work(admin)
  } finally {
    await admin.close()
  }
}
