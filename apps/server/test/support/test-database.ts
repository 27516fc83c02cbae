import { randomUUID } from 'node:crypto'
import { inject } from 'vitest'
import { type Database, openDatabase } from '../../src/platform/database/database.ts'
import type { DatabaseConnection } from '../../src/platform/database/embedded/embedded-postgres.ts'
import { resetDatabase } from './database-reset.ts'
import { silentLog } from './silent-log.ts'

export interface TestDatabase {
  database: Database
  connection: DatabaseConnection
  /** Closes the pool, ends every other session and returns the database for reuse. */
  drop(): Promise<void>
}

/** Databases of this process that equal the template again. */
const free: string[] = []

/** A database of its own for a test: a copy of the migrated template, or an empty one. */
export async function createTestDatabase(options: { isEmpty?: boolean } = {}): Promise<TestDatabase> {
  const { isEmpty = false } = options
  const name = (isEmpty ? undefined : free.pop()) ?? (await cloneDatabase(isEmpty))
  const own = { ...inject('postgres').connection, database: name }
  const database = await openDatabase({
    connection: own,
    log: silentLog,
    applicationName: 'test',
    maxConnections: 5,
  })
  return {
    database,
    connection: own,
    async drop() {
      await database.close()
      if (!isEmpty && (await reset(own))) free.push(name)
      else await asAdmin((admin) => admin.sql`drop database if exists ${admin.sql(name)} with (force)`)
    },
  }
}

async function cloneDatabase(isEmpty: boolean): Promise<string> {
  const { template } = inject('postgres')
  const name = `test_${randomUUID().replaceAll('-', '')}`
  await asAdmin(
    (admin) => admin.sql`
      create database ${admin.sql(name)} template ${admin.sql(isEmpty ? 'template1' : template)}
      strategy file_copy`,
  )
  return name
}

/**
 * Emptying a database is cheaper than cloning the template, because no files are created and PostgreSQL keeps its
 * caches.
 */
async function reset(connection: DatabaseConnection): Promise<boolean> {
  const own = await openDatabase({
    connection,
    log: silentLog,
    applicationName: 'test reset',
    maxConnections: 1,
  })
  try {
    await own.sql`
      select pg_terminate_backend(pid, 5000) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`
    return await resetDatabase(own, inject('postgres').state)
  } finally {
    await own.close()
  }
}

async function asAdmin(work: (admin: Database) => Promise<unknown>): Promise<void> {
  const { connection } = inject('postgres')
  const admin = await openDatabase({
    connection,
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
