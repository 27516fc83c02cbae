import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Database, openDatabase } from '../../src/platform/database/database.ts'
import { silentLog } from '../support/silent-log.ts'

/** Opens the database of a running server from outside it. */
export async function databaseOf(dataDir: string): Promise<Database> {
  const lines = (await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8')).split('\n')
  const password = await readFile(join(dataDir, 'secrets', 'postgres-password'), 'utf8')
  const connection = {
    host: lines[4] ?? '',
    port: Number(lines[3]),
    user: 'pegasus',
    password,
    database: 'pegasus',
  }
  return openDatabase({ connection, log: silentLog, applicationName: 'test', maxConnections: 2 })
}

/** Opens the database of a running server from outside it, and runs `work` in it. */
export async function inDatabase<T>(dataDir: string, work: (database: Database) => Promise<T>): Promise<T> {
  const database = await databaseOf(dataDir)
  try {
    return await work(database)
  } finally {
    await database.close()
  }
}

/** Makes every start command a minute old, so that the server treats it as lost without a real wait. */
export const ageStarts = (database: Database) =>
  database.transaction(
    (tx) =>
      tx`update plate_dispatches set start_sent_at = start_sent_at - interval '1 minute' where start_sent_at is not null`,
  )

/** Makes every refused upload a minute old, so that the server tries it again without a real wait. */
export const ageRefusals = (database: Database) =>
  database.transaction(
    (tx) =>
      tx`update plate_dispatches set refused_at = refused_at - interval '1 minute' where refused_at is not null`,
  )

/**
 * Ends the claims of a killed process, and makes every start command a minute old, so that the server treats it as
 * lost. Without this, the test would wait half a minute for the claim, and then for the start.
 */
export const forgetTime = (database: Database) =>
  // The server may be running. A transaction is repeated if it deadlocks with a visit of a printer.
  database.transaction(async (tx) => {
    await tx`
      update printer_connections set claimed_until = now() - interval '1 second' where claimed_by is not null`
    await tx`
      update plate_dispatches set start_sent_at = start_sent_at - interval '1 minute' where start_sent_at is not null`
  })
