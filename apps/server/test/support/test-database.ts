import { randomUUID } from 'node:crypto'
import { inject } from 'vitest'
import { type Database, openDatabase } from '../../src/platform/database/database.ts'
import type { DatabaseConnection } from '../../src/platform/database/embedded/embedded-postgres.ts'
import { silentLog } from './silent-log.ts'

export interface TestDatabase {
  database: Database
  connection: DatabaseConnection
  /** Closes the pool and drops the database, whoever is still connected. */
  drop(): Promise<void>
}

/** A database of its own for a test: a clone of the migrated template, or an empty one. */
export async function createTestDatabase(options: { isEmpty?: boolean } = {}): Promise<TestDatabase> {
  const { connection, template } = inject('postgres')
  const name = `test_${randomUUID().replaceAll('-', '')}`
  await asAdmin(
    (admin) => admin.sql`
    create database ${admin.sql(name)} template ${admin.sql(options.isEmpty ? 'template1' : template)}`,
  )
  const own = { ...connection, database: name }
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
      await asAdmin((admin) => admin.sql`drop database if exists ${admin.sql(name)} with (force)`)
    },
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
