import { setTimeout as wait } from 'node:timers/promises'
import type postgres from 'postgres'
import type { ServiceLog } from '../service-log.ts'
import { StartupError } from '../startup-error.ts'
import { codeOf, explainConnectError } from './connect-error.ts'
import { parseDatabaseUrl } from './database-url.ts'
import type { DatabaseConnection } from './embedded/embedded-postgres.ts'
import { openFailFastSocket } from './fail-fast-socket.ts'
import { driver } from './postgres-driver.ts'
import { VALUE_TYPES } from './value-types.ts'

export type Sql = postgres.Sql
export type TransactionSql = postgres.TransactionSql
/** First argument of a query function: the pool, or the transaction it joins. */
export type Queryable = postgres.ISql

export interface Database {
  /** The pool, for a single query outside of any transaction. */
  sql: Sql
  /**
   * Runs the work in one transaction and returns its result. The work may run up to four times: a transaction that
   * fails with a deadlock or serialization error is repeated. Use only `tx` inside: another connection might not be
   * free, and would not see the transaction's changes.
   */
  transaction<T>(work: (tx: TransactionSql) => Promise<T>): Promise<T>
  /**
   * Receives notifications until `close` is called. After an outage `onListening` runs again, because some may be
   * lost.
   */
  listen(
    channel: string,
    onNotification: (payload: string) => void,
    onListening?: () => void,
  ): Promise<Listener>
  /** Throws if the database does not answer within the time. */
  ping(timeoutMs: number): Promise<void>
  /** Lets running queries finish for a few seconds, then closes all connections. */
  close(): Promise<void>
}

export interface Listener {
  close(): Promise<void>
}

export type DatabaseOptions = {
  log: ServiceLog
  /** Shown in `pg_stat_activity`. */
  applicationName: string
  /** Default 10. */
  maxConnections?: number
} & ({ url: string } | { connection: DatabaseConnection })

const MIN_SERVER_VERSION = 150_000
const MAX_REPEATS = 3
// If a connection is lost mid-query, the driver waits this whole time: keep it short.
const CLOSE_SECONDS = 2
const CONNECT_SECONDS = 10
const STARTING_UP = '57P03'
const STARTING_UP_MS = 30_000
const FIRST_ANSWER_MS = 20_000
// Longest pause between attempts to reconnect, so that the product recovers soon after an outage.
const MAX_BACKOFF_SECONDS = 2

const SESSION = {
  TimeZone: 'UTC',
  DateStyle: 'ISO, YMD',
  // A query that takes longer is a mistake, and its client has long gone.
  statement_timeout: 30_000,
  lock_timeout: 10_000,
  // Longer than any pause of a healthy transaction; a hung one would hold its locks forever.
  idle_in_transaction_session_timeout: 60_000,
}

/**
 * Opens a pool of connections and checks that the server can be used. Throws StartupError, never with the password in
 * it, if not.
 */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const { sql, label } = createPool(options)
  try {
    await checkServer(sql, label)
  } catch (error) {
    await sql.end({ timeout: 0 })
    throw error instanceof StartupError ? error : explainConnectError(error, label)
  }
  return {
    sql,
    transaction: (work) => runTransaction(sql, work),
    listen: async (channel, onNotification, onListening) => {
      const { unlisten } = await sql.listen(channel, onNotification, onListening)
      return { close: unlisten }
    },
    ping: (timeoutMs) => ping(sql, timeoutMs),
    close: () => sql.end({ timeout: CLOSE_SECONDS }),
  }
}

function createPool(options: DatabaseOptions): { sql: Sql; label: string } {
  // The driver documents `socket`, but its types lack it.
  const common: postgres.Options<Record<string, postgres.PostgresType>> & {
    socket: typeof openFailFastSocket
  } = {
    socket: openFailFastSocket,
    max: options.maxConnections ?? 10,
    idle_timeout: 300,
    connect_timeout: CONNECT_SECONDS,
    keep_alive: 30,
    backoff: (retries: number) => Math.min(0.05 * 2 ** retries, MAX_BACKOFF_SECONDS),
    types: VALUE_TYPES,
    connection: { application_name: options.applicationName, ...SESSION },
    onnotice: (notice) => options.log.debug({ notice: notice.message }, 'notice of the database'),
  }
  if ('url' in options) {
    const { url, label, socketFolder } = parseDatabaseUrl(options.url)
    return { sql: driver(url, { ...common, ...(socketFolder !== null && { host: socketFolder }) }), label }
  }
  const { host, port, user, password, database } = options.connection
  // Set every option explicitly: the driver takes missing ones from PG… environment variables.
  return {
    sql: driver({ ...common, host, port, user, password, database, ssl: false }),
    label: `${host}/${database}`,
  }
}

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

/** A server that has just started refuses connections for some seconds; keep trying. */
async function whenStarted<T>(connect: () => Promise<T>): Promise<T> {
  for (const until = Date.now() + STARTING_UP_MS; ; await wait(200)) {
    try {
      return await connect()
    } catch (error) {
      if (codeOf(error) !== STARTING_UP || Date.now() >= until) throw error
    }
  }
}

async function runTransaction<T>(sql: Sql, work: (tx: TransactionSql) => Promise<T>): Promise<T> {
  for (let repeats = 0; ; repeats += 1) {
    try {
      // Wrapped, because the driver would take an array for a list of promises.
      const { value } = (await sql.begin(async (tx) => ({ value: await work(tx) }))) as { value: T }
      return value
    } catch (error) {
      const isConflict = ['40001', '40P01'].includes(codeOf(error))
      if (!isConflict || repeats >= MAX_REPEATS) throw error
      // Wait for different times, otherwise the same two collide again.
      await wait(Math.random() * 20 * 2 ** repeats)
    }
  }
}

async function ping(sql: Sql, timeoutMs: number): Promise<void> {
  await within(sql`select 1`, timeoutMs)
}

async function within<T>(answer: Promise<T>, timeoutMs: number): Promise<T> {
  const late = Promise.withResolvers<never>()
  const error = Object.assign(new Error(`The database did not answer within ${timeoutMs} ms.`), {
    code: 'ETIMEDOUT',
  })
  const timer = setTimeout(() => late.reject(error), timeoutMs)
  try {
    return await Promise.race([answer, late.promise])
  } finally {
    clearTimeout(timer)
  }
}

/** The name of the constraint that refused a write (unique, check, foreign key, exclusion), or null. */
export function constraintOf(error: unknown): string | null {
  if (!(error instanceof driver.PostgresError) || !error.code.startsWith('23')) return null
  return error.constraint_name ?? null
}
