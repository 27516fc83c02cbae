import { setTimeout as wait } from 'node:timers/promises'
import type { Queryable, Sql } from './database.ts'

const LOCK_POLL_MS = 50

/** The numbers of the locks. Each lock lets only one process at a time do its kind of work on a database. */
export const ADVISORY_LOCKS = {
  migrations: 7_310_001,
  taskSchema: 7_310_002,
  cleanup: 7_310_003,
  alerts: 7_310_004,
  siteChecks: 7_310_005,
  shopOrders: 7_310_006,
  shipments: 7_310_007,
  shopStock: 7_310_008,
  backup: 7_310_009,
  /**
   * A backup holds this lock from its snapshot until it has copied the objects. Deletions of objects share it, so they
   * are skipped during a backup.
   */
  objectDeletions: 7_310_010,
  servers: 7_310_011,
  /** A lock in the database of a demo. The server that does the background work of the demo holds it. */
  demoWork: 7_310_012,
} as const

/**
 * Runs the work while only this process holds the lock. The work gets its own connection, without a statement
 * timeout. If the process dies, the lock is released.
 */
export async function withAdvisoryLock<T>(
  sql: Sql,
  key: number,
  work: (connection: Queryable) => Promise<T>,
): Promise<T> {
  const connection = await sql.reserve()
  try {
    await connection.unsafe('set statement_timeout = 0; set lock_timeout = 0')
    // For the lock of the migrations, poll. A statement that waits for the lock would hold a snapshot, and `create
    // index concurrently` in a migration waits until all snapshots end. For the other locks, wait in the database,
    // because a process that waits there gets the lock without delay.
    if (key === ADVISORY_LOCKS.migrations) while (!(await tryLock(connection, key))) await wait(LOCK_POLL_MS)
    else await connection`select pg_advisory_lock(${key}::bigint)`
    try {
      return await work(connection)
    } finally {
      await connection`select pg_advisory_unlock(${key}::bigint)`
      await connection.unsafe('reset statement_timeout; reset lock_timeout')
    }
  } finally {
    connection.release()
  }
}

/** Tries to take the lock until the transaction ends. Returns false if another process holds it. */
export async function tryTransactionLock(tx: Queryable, key: number): Promise<boolean> {
  const [row] = await tx<{ held: boolean }[]>`select pg_try_advisory_xact_lock(${key}::bigint) as held`
  return row?.held === true
}

/** Runs the work while holding the lock. Does nothing if another process holds the lock. */
export async function tryAdvisoryLock(sql: Sql, key: number, work: () => Promise<void>): Promise<void> {
  const connection = await sql.reserve()
  try {
    if (!(await tryLock(connection, key))) return
    try {
      await work()
    } finally {
      await connection`select pg_advisory_unlock(${key}::bigint)`
    }
  } finally {
    connection.release()
  }
}

async function tryLock(connection: Queryable, key: number): Promise<boolean> {
  const [row] = await connection<{ held: boolean }[]>`select pg_try_advisory_lock(${key}::bigint) as held`
  return row?.held === true
}
