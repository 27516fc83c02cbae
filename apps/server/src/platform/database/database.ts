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
/** What a query function takes first: the pool, or the transaction it joins. */
export type Queryable = postgres.ISql

export interface Database {
  /** The pool. A query of its own, outside of any transaction. */
  sql: Sql
  /**
   * Runs the work in one transaction and answers what it answers. The work may run up to four times:
   * a transaction that lost against another one (deadlock, serialization) is repeated. Inside, use only
   * `tx`: another connection might not be free, and would not see what the transaction did.
   */
  transaction<T>(work: (tx: TransactionSql) => Promise<T>): Promise<T>
  /** Receives notifications until `close` is called. After an outage `onListening` runs again: some may be lost. */
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
  /** What `pg_stat_activity` shows. */
  applicationName: string
  /** Default 10. */
  maxConnections?: number
} & ({ url: string } | { connection: DatabaseConnection })

const MIN_SERVER_VERSION = 150_000
const MAX_REPEATS = 3
// The driver waits all of it for a connection that was cut in the middle of a query.
const CLOSE_SECONDS = 2
const CONNECT_SECONDS = 10
const STARTING_UP = '57P03'
const STARTING_UP_MS = 30_000
const FIRST_ANSWER_MS = 20_000
// After an outage a connection is tried again at the latest after this, so that the product heals soon.
const MAX_BACKOFF_SECONDS = 2

const SESSION = {
  TimeZone: 'UTC',
  DateStyle: 'ISO, YMD',
  // A query that takes longer is a mistake, and a client that waits for it has long gone.
  statement_timeout: 30_000,
  lock_timeout: 10_000,
  // Higher than any pause a healthy transaction makes; a hung one would hold its locks for ever.
  idle_in_transaction_session_timeout: 60_000,
}

/**
 * Opens a pool of connections and makes sure that the server is one we can use.
 * Throws StartupError, never with the password in it, when it is not.
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
  // The driver documents `socket`, its types do not have it.
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
  // All of it explicit: what is left out the driver would take from PG… variables of the environment.
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

/** A server that has only just been started refuses for some seconds; that is no reason to give up. */
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
      // Wrapped, since the driver would take an array for a list of promises.
      const { value } = (await sql.begin(async (tx) => ({ value: await work(tx) }))) as { value: T }
      return value
    } catch (error) {
      const isConflict = ['40001', '40P01'].includes(codeOf(error))
      if (!isConflict || repeats >= MAX_REPEATS) throw error
      // At different times, or the same two meet again.
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
