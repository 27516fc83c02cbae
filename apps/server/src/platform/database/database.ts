import { setTimeout as wait } from 'node:timers/promises'
import { type ClientConfig, DatabaseError } from 'pg'
import type { ServiceLog } from '../log/service-log.ts'
import { StartupError } from '../startup-error.ts'
import { type BulkConnection, withBulkConnection } from './bulk-copy.ts'
import { codeOf, explainConnectError } from './connections/connect-error.ts'
import {
  type ConnectionPool,
  type Sql,
  createConnectionPool,
  isPlanOutdated,
} from './connections/connection-pool.ts'
import { parseDatabaseUrl } from './connections/database-url.ts'
import type { StatementTime } from './connections/statement-times.ts'
import { traceTransaction } from './connections/trace-statement.ts'
import type { DatabaseConnection } from './embedded/embedded-postgres.ts'
import { type Listener, Notifications } from './notifications.ts'
import type { Queryable } from './sql.ts'

export type { StatementTime } from './connections/statement-times.ts'
export type { Sql } from './connections/connection-pool.ts'
export type { Listener } from './notifications.ts'
export type { Queryable } from './sql.ts'
/** The transaction in which a function runs its statements. */
export type TransactionSql = Queryable

export interface Database {
  /** The pool, for a single query outside of any transaction. */
  sql: Sql
  /**
   * Like `sql`, but PostgreSQL plans each statement for its actual values. Searches need this: a generic plan reads the
   * whole table even for a rare word.
   */
  planned: Queryable
  /**
   * Runs the work in one transaction and returns its result. The work may run up to four times, because a
   * transaction that fails with a deadlock or serialization error is repeated. Use only `tx` inside: another
   * connection might not be free, and would not see the transaction's changes.
   */
  transaction<T>(work: (tx: TransactionSql) => Promise<T>): Promise<T>
  /**
   * Receives notifications until `close` is called. `onListening` runs again after an outage, because
   * notifications may have been lost.
   */
  listen(
    channel: string,
    onNotification: (payload: string) => void,
    onListening?: () => void,
  ): Promise<Listener>
  /**
   * Returns how many connections have been lost so far. After a crash, the database server may use a transaction number
   * a second time. So anything cached under a value of `stateNow` becomes invalid when a connection is lost.
   */
  lostConnections(): number
  /** Returns how many connections are open, how many are idle, and how many statements wait for one. */
  connections(): { total: number; idle: number; waiting: number }
  /**
   * Returns the statements of this process with a call of at least this duration, the one with the longest mean first.
   */
  statementTimes(options: { leastMs: number; limit: number }): StatementTime[]
  /** Runs the work with a connection outside the pool that has no time limits, for copying whole tables. */
  withBulkConnection<T>(work: (connection: BulkConnection) => Promise<T>): Promise<T>
  /** Throws if the database does not respond within this time. */
  ping(timeoutMs: number): Promise<void>
  /** Gives running queries a few seconds to finish, then closes all connections. */
  close(): Promise<void>
}

export type DatabaseOptions = {
  log: ServiceLog
  /** The name of these connections in `pg_stat_activity`. */
  applicationName: string
  /** The default is 10. */
  maxConnections?: number
} & ({ url: string } | { connection: DatabaseConnection })

const MIN_SERVER_VERSION = 150_000
const MAX_REPEATS = 3
const STARTING_UP = '57P03'
const STARTING_UP_MS = 30_000
const FIRST_ANSWER_MS = 20_000

// The settings of each connection. A query that exceeds `statement_timeout` is a bug, and its client no longer waits.
const SESSION: ClientConfig = {
  options: '-c TimeZone=UTC -c DateStyle=ISO,YMD',
  statement_timeout: 30_000,
  lock_timeout: 10_000,
  // A healthy transaction never pauses this long. Without this limit, a hung transaction would keep its locks forever.
  idle_in_transaction_session_timeout: 60_000,
}

/**
 * Opens a pool of connections and checks that the server can be used. Otherwise throws StartupError, whose
 * message never contains the password.
 */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const { label, settings, isTlsOptional } = targetOf(options)
  let target = settings
  let pool = createPool(options, target)
  try {
    await checkServer(pool.sql, label)
  } catch (error) {
    await pool.close()
    if (!isTlsOptional || !isWithoutTls(error)) throw explain(error, label)
    target = { ...settings, ssl: false }
    pool = createPool(options, target)
    await checkServer(pool.sql, label).catch(async (failure: unknown) => {
      await pool.close()
      throw explain(failure, label)
    })
  }
  const notifications = new Notifications(pool.connect, options.log)
  return {
    sql: pool.sql,
    planned: pool.planned,
    transaction: (work) => traceTransaction(() => runTransaction(pool, work)),
    listen: (channel, onNotification, onListening) =>
      notifications.listen(channel, onNotification, onListening),
    lostConnections: () => pool.lostConnections(),
    connections: () => pool.connections(),
    statementTimes: (options) => pool.statementTimes(options),
    withBulkConnection: (work) => withBulkConnection({ ...target, options: sessionOptionsOf(target) }, work),
    ping: (timeoutMs) => ping(pool.sql, timeoutMs),
    async close() {
      notifications.stop()
      await pool.close()
    },
  }
}

function targetOf(options: DatabaseOptions) {
  if ('url' in options) return parseDatabaseUrl(options.url)
  const { host, port, user, password, database } = options.connection
  // Set every option explicitly: the driver takes missing options from the PG… environment variables.
  return {
    settings: { host, port, user, password, database, ssl: false },
    label: `${host}/${database}`,
    isTlsOptional: false,
  }
}

const sessionOptionsOf = ({ options }: ClientConfig): string => [SESSION.options, options].join(' ')

function createPool({ log, applicationName, maxConnections = 10 }: DatabaseOptions, settings: ClientConfig) {
  return createConnectionPool(
    { ...settings, ...SESSION, options: sessionOptionsOf(settings), application_name: applicationName },
    { maxConnections, log },
  )
}

const explain = (error: unknown, label: string): StartupError =>
  error instanceof StartupError ? error : explainConnectError(error, label)

/** The driver's message for a server that refuses TLS. */
const isWithoutTls = (error: unknown): boolean =>
  error instanceof Error && error.message === 'The server does not support SSL connections'

async function checkServer(sql: Sql, label: string): Promise<void> {
  const ask = () => sql<{ version: number; name: string }[]>`
    select current_setting('server_version_num')::int as version, current_setting('server_version') as name`
  const version = await whenStarted(() => within(ask(), FIRST_ANSWER_MS))
  if ((version[0]?.version ?? 0) < MIN_SERVER_VERSION) {
    throw new StartupError(
      `The database ${label} is PostgreSQL ${version[0]?.name}; it should be PostgreSQL 15 or newer.`,
    )
  }
}

/** Repeats the attempt while PostgreSQL refuses connections because it is still starting. */
async function whenStarted<T>(connect: () => Promise<T>): Promise<T> {
  for (const until = Date.now() + STARTING_UP_MS; ; await wait(200)) {
    try {
      return await connect()
    } catch (error) {
      if (codeOf(error) !== STARTING_UP || Date.now() >= until) throw error
    }
  }
}

async function runTransaction<T>(pool: ConnectionPool, work: (tx: TransactionSql) => Promise<T>): Promise<T> {
  for (let repeats = 0; ; repeats += 1) {
    try {
      return await pool.transact(work)
    } catch (error) {
      const isConflict = ['40001', '40P01'].includes(codeOf(error)) || isPlanOutdated(error)
      if (!isConflict || repeats >= MAX_REPEATS) throw error
      // Wait for a random time. Otherwise the same two transactions would collide again.
      await wait(Math.random() * 20 * 2 ** repeats)
    }
  }
}

async function ping(sql: Sql, timeoutMs: number): Promise<void> {
  await within(sql`select 1`, timeoutMs)
}

async function within<T>(answer: Promise<T>, timeoutMs: number): Promise<T> {
  const late = Promise.withResolvers<never>()
  const error = Object.assign(new Error(`The database did not respond within ${timeoutMs} ms.`), {
    code: 'ETIMEDOUT',
  })
  const timer = setTimeout(() => late.reject(error), timeoutMs)
  try {
    return await Promise.race([answer, late.promise])
  } finally {
    clearTimeout(timer)
  }
}

/** Returns the name of the constraint that refused a write (unique, check, foreign key or exclusion), or null. */
export function constraintOf(error: unknown): string | null {
  return error instanceof DatabaseError && error.code?.startsWith('23') ? (error.constraint ?? null) : null
}
