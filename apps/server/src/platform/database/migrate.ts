import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { ServiceLog } from '../log/service-log.ts'
import { StartupError } from '../startup-error.ts'
import { ADVISORY_LOCKS, withAdvisoryLock } from './advisory-lock.ts'
import { codeOf } from './connections/connect-error.ts'
import type { Database, Queryable } from './database.ts'
import { createExtensions } from './extensions.ts'
import { applyInSteps, createProgressTable, runsInSteps } from './migrations/apply-in-steps.ts'
import { type EarlierHashes, hashOf, isHashOf, readEarlierHashes } from './migrations/migration-hash.ts'

/** A migration: the name and the text of its file, and the hashes that earlier versions stored for all migrations. */
export interface Migration {
  name: string
  text: string
  earlierHashes: EarlierHashes
}

const MIGRATION_NAME = /^\d{4}-[a-z0-9-]+\.sql$/
// While a migration waits for a lock, all later statements on the table wait behind it. So it gives up after this time,
// lets them pass, and tries again.
const LOCK_TIMEOUT = '2s'
/**
 * PostgreSQL's error codes for a transaction that waited too long for a lock (55P03) or was part of a deadlock (40P01).
 */
const LOCK_CODES = new Set(['55P03', '40P01'])
const LOCK_TRIES = 60
const LOCK_PAUSE_MS = 500

/**
 * Updates the database: applies each file of the folder once, in order, in its own transaction. A file that begins with
 * `-- in steps` gets a transaction for each statement, and after an interruption continues where it stopped. Any number
 * of processes may call this at once while others use the database. Returns the names of the files applied by this call.
 * Throws StartupError in three cases:
 * - A file fails. Its changes are rolled back, except for finished steps.
 * - A statement of a file was changed after it was applied. Comments may be changed.
 * - A newer version has used the database.
 */
export async function migrate(options: {
  database: Database
  folder: string
  log: ServiceLog
  /**
   * Selects the migrations to apply; all by default. A restore first migrates the database only to the
   * version of the backup.
   */
  isWanted?: (name: string) => boolean
}): Promise<string[]> {
  const { database, folder, log, isWanted = () => true } = options
  const migrations = await readMigrations(folder)
  return withAdvisoryLock(database.sql, ADVISORY_LOCKS.migrations, async (connection) => {
    await createExtensions(connection, log)
    const applied = await readApplied(connection)
    checkHistory(migrations, applied)
    const pending = migrations.filter(({ name }) => !applied.has(name) && isWanted(name))
    for (const migration of pending) {
      await applyMigration(connection, migration)
      log.info({ migration: migration.name }, 'migrated the database')
    }
    return pending.map((migration) => migration.name)
  })
}

/** Returns the migrations of a folder, in order. Throws StartupError for a file with an invalid name. */
export async function readMigrations(folder: string): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort()
  const wrong = names.find(
    (name, index) => !MIGRATION_NAME.test(name) || name.slice(0, 4) === names[index + 1]?.slice(0, 4),
  )
  if (wrong)
    throw new StartupError(`The migration ${wrong} should have its own number, as in 0001-what-it-does.sql.`)
  const earlierHashes = await readEarlierHashes(folder)
  return Promise.all(
    names.map(async (name) => ({ name, text: await readFile(join(folder, name), 'utf8'), earlierHashes })),
  )
}

async function readApplied(connection: Queryable): Promise<Map<string, string>> {
  await connection.unsafe(`create table if not exists schema_migrations (
    name text primary key,
    sha256 text not null,
    applied_at timestamptz not null default now()
  )`)
  await createProgressTable(connection)
  const rows = await connection<
    { name: string; sha256: string }[]
  >`select name, sha256 from schema_migrations`
  return new Map(rows.map((row) => [row.name, row.sha256]))
}

function checkHistory(migrations: readonly Migration[], applied: ReadonlyMap<string, string>): void {
  const known = new Map(migrations.map((migration) => [migration.name, migration]))
  for (const [name, sha256] of applied) {
    const ours = known.get(name)
    if (ours === undefined) {
      throw new StartupError(
        `The database has been used by a newer version of Pegasus Ops (it knows ${name}): start that version, or restore a backup from before it.`,
      )
    }
    if (!isHashOf(sha256, ours.text, ours.earlierHashes)) {
      throw new StartupError(
        `The migration ${name} was changed after it had been applied: restore it, and write a new one.`,
      )
    }
  }
}

async function applyMigration(connection: Queryable, migration: Migration): Promise<void> {
  const { name, text } = migration
  const isInSteps = runsInSteps(text)
  const finish = () =>
    connection`insert into schema_migrations (name, sha256) values (${name}, ${hashOf(text)})`
  const inTransaction = (work: () => Promise<unknown>) => transact(connection, work)
  try {
    if (isInSteps) return await applyInSteps(connection, migration, inTransaction, finish)
    await inTransaction(async () => {
      await connection.unsafe(text)
      await finish()
    })
  } catch (error) {
    if (error instanceof StartupError) throw error
    const reason = error instanceof Error ? error.message : String(error)
    const state = isInSteps ? 'stopped; the next start continues it' : 'was undone'
    throw new StartupError(`The migration ${name} failed and ${state}: ${reason}.`, { cause: error })
  }
}

/**
 * Runs the work in a transaction. Tries again if another transaction holds a lock for too long, and after a deadlock.
 */
async function transact(connection: Queryable, work: () => Promise<unknown>): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    // Unlike a request, a migration of a large table may take a long time, so it has no statement timeout.
    await connection.unsafe(
      `begin; set local lock_timeout = '${LOCK_TIMEOUT}'; set local statement_timeout = 0`,
    )
    try {
      await work()
      await connection.unsafe('commit')
      return
    } catch (error) {
      // A lost connection cannot roll back, but the server has already rolled back.
      await connection.unsafe('rollback').catch(() => undefined)
      if (!LOCK_CODES.has(codeOf(error)) || tries >= LOCK_TRIES) throw error
      await wait(LOCK_PAUSE_MS)
    }
  }
}
