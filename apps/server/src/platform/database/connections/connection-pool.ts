import { Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { Client, type ClientConfig, DatabaseError, Pool, type PoolClient, type QueryResult } from 'pg'
import { FifoCache } from '../../fifo-cache.ts'
import { measure } from '../../measurements.ts'
import type { ServiceLog } from '../../log/service-log.ts'
import { currentTracing } from '../../tracing/tracing.ts'
import { codeOf, toConnectError, toQueryError } from './connect-error.ts'
import { createSql, type Queryable, type Statement } from '../sql.ts'
import { VALUE_TYPES } from '../value-types.ts'
import { type StatementTime, StatementTimes } from './statement-times.ts'
import { traceStatement, traceWait } from './trace-statement.ts'

/** A connection for several statements. Only its holder uses it, until it is released. */
export interface ReservedConnection extends Queryable {
  /** Returns the connection to the pool. An open transaction is rolled back. */
  release(): void
}

/** The pool as a template tag. Each query runs on any free connection. */
export interface Sql extends Queryable {
  reserve(): Promise<ReservedConnection>
}

export interface ConnectionPool {
  sql: Sql
  /** Like `sql`, but the server plans each statement for its actual values. */
  planned: Queryable
  /** Runs the work in one transaction and returns its result. The work is never repeated. */
  transact<T>(work: (tx: Queryable) => Promise<T>): Promise<T>
  /** Opens a connection outside the pool. `close` closes this connection as well. */
  connect(): Promise<Client>
  /** Returns how many connections have been lost so far. A server restart, for example, loses all of them. */
  lostConnections(): number
  /** Returns how many connections are open, how many are idle, and how many statements wait for one. */
  connections(): { total: number; idle: number; waiting: number }
  /** Returns the statements with a call of at least this duration, the one with the longest mean first. */
  statementTimes(options: { leastMs: number; limit: number }): StatementTime[]
  /** Gives running queries a few seconds to finish, then closes all connections. */
  close(): Promise<void>
}

const CONNECT_MS = 10_000
const KEEP_ALIVE_MS = 30_000
const IDLE_MS = 300_000
const LIFETIME_SECONDS = 3600
const CLOSE_MS = 2000
const IDLE = 'I'
const ABORTED = '25P02'
const command = (text: string): Statement => ({ text, values: [], isScript: true })
const [BEGIN, COMMIT, ROLLBACK] = [command('begin'), command('commit'), command('rollback')]
/**
 * How many statement texts are remembered. A connection with more prepared statements is replaced, because
 * the server keeps each of them.
 */
const MAX_PREPARED = 1000

/**
 * Opens connections as needed, at most `maxConnections`. If a connection is lost, its queries fail at once
 * with an error that `toQueryError` has marked, and the connection is never used again.
 */
export function createConnectionPool(
  target: ClientConfig,
  { maxConnections, log }: { maxConnections: number; log: ServiceLog },
): ConnectionPool {
  const names = new StatementNames()
  const times = new StatementTimes()
  const sockets = new Set<Socket>()
  const unpooled = new Set<Client>()
  let closing: Promise<void> | null = null
  let lost = 0

  class Connection extends Client {
    constructor() {
      super({
        ...target,
        stream: () => track(sockets),
        types: VALUE_TYPES,
        pipeline: true,
        connectionTimeoutMillis: CONNECT_MS,
        keepAlive: true,
        keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
      })
      // The queries of a lost connection report its error. Without this listener, the error would also end the process.
      this.on('error', (error) => {
        lost += 1
        log.debug({ error: error.message }, 'lost a database connection')
      })
      this.on('notice', (notice) => log.debug({ notice: notice.message }, 'notice of the database'))
    }
  }

  const pool = new Pool({
    Client: Connection,
    max: maxConnections,
    idleTimeoutMillis: IDLE_MS,
    maxLifetimeSeconds: LIFETIME_SECONDS,
  })
  pool.on('error', () => undefined)

  const take = async (): Promise<PoolClient> => {
    try {
      const connect = () => measure('database', 'connect', () => pool.connect())
      return await (currentTracing() === null || pool.idleCount > 0 ? connect() : traceWait(connect))
    } catch (error) {
      throw toConnectError(error)
    }
  }

  const send = (client: PoolClient, statement: Statement): Promise<QueryResult | QueryResult[]> =>
    currentTracing() === null
      ? sendMeasured(client, statement)
      : traceStatement(statement, () => sendMeasured(client, statement))

  const sendMeasured = async (
    client: PoolClient,
    statement: Statement,
  ): Promise<QueryResult | QueryResult[]> => {
    const startedAt = performance.now()
    try {
      return await measure('database', 'query', () => client.query(names.toQuery(client, statement)))
    } catch (error) {
      if (isPlanOutdated(error)) names.forget(statement.text)
      throw toQueryError(error)
    } finally {
      times.add(statement, performance.now() - startedAt)
    }
  }

  /**
   * Returns a connection to the pool. A connection inside a transaction is closed, because its next user
   * would be in that transaction.
   */
  const release = (client: PoolClient): void =>
    client.release(client.getTransactionStatus() !== IDLE || names.isFull(client))

  const sendOnAny = async (statement: Statement): Promise<unknown> => {
    const client = await take()
    try {
      // A statement whose prepared plan is outdated fails before it has any effect, so it can be sent again.
      return rowsOf(
        await send(client, statement).catch((error: unknown) => {
          if (isPlanOutdated(error)) return send(client, statement)
          throw error
        }),
      )
    } finally {
      release(client)
    }
  }

  const close = async (): Promise<void> => {
    const ended = Promise.all([pool.end(), ...[...unpooled].map((client) => client.end())])
    const timer = new AbortController()
    await Promise.race([ended, wait(CLOSE_MS, undefined, { signal: timer.signal }).catch(() => undefined)])
    timer.abort()
    for (const socket of sockets) socket.destroy()
    await ended
  }

  return {
    sql: Object.assign(createSql(sendOnAny), {
      async reserve() {
        const client = await take()
        const use = new Use(client, send)
        return Object.assign(use.sql, { release: () => use.end() && release(client) })
      },
    }),

    planned: createSql((statement) => sendOnAny({ ...statement, isPlannedAgain: true })),

    async transact(work) {
      const client = await take()
      const use = new Use(client, send)
      try {
        await send(client, BEGIN)
        const result = await unlessLost(client, work(use.sql))
        use.end()
        const committed = await send(client, COMMIT)
        // The database answers COMMIT with ROLLBACK if a statement has failed, even if the work caught the error.
        if (!Array.isArray(committed) && committed.command === 'ROLLBACK')
          throw use.firstError ?? new Error('The transaction was rolled back.')
        return result
      } catch (error) {
        use.end()
        // A lost connection cannot roll back, but the server has already rolled back.
        await send(client, ROLLBACK).catch(() => undefined)
        // Statements after a failed statement only report that the transaction is aborted, so throw the first
        // error.
        throw codeOf(error) === ABORTED ? (use.firstError ?? error) : error
      } finally {
        release(client)
      }
    },

    async connect() {
      const client = new Connection()
      try {
        await client.connect()
        unpooled.add(client)
        client.once('end', () => unpooled.delete(client))
        return client
      } catch (error) {
        throw toConnectError(error)
      }
    },

    lostConnections: () => lost,

    connections: () => ({ total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),

    statementTimes: (options) => times.list(options),

    close: () => (closing ??= close()),
  }
}

type SendOn = (client: PoolClient, statement: Statement) => Promise<QueryResult | QueryResult[]>

/** The use of a connection by one holder. It ends before the connection goes to the next holder. */
class Use {
  readonly sql: Queryable
  firstError: Error | undefined
  #isOver = false

  constructor(client: PoolClient, send: SendOn) {
    this.sql = createSql(async (statement) => {
      if (this.#isOver) throw new Error('The transaction of this statement has ended.')
      try {
        return rowsOf(await send(client, statement))
      } catch (error) {
        if (error instanceof Error) this.firstError ??= error
        throw error
      }
    })
  }

  /** Ends the use. Returns false if it had already ended. */
  end(): boolean {
    const wasOpen = !this.#isOver
    this.#isOver = true
    return wasOpen
  }
}

/**
 * Names statements that are sent repeatedly, which makes them prepared statements. The server then parses the text once
 * per connection and makes only a few plans.
 */
class StatementNames {
  /** The name of each statement text; null if it has been sent only once. */
  readonly #names = new FifoCache<string | null>(MAX_PREPARED)
  readonly #prepared = new WeakMap<PoolClient, Set<string>>()
  #count = 0

  toQuery(client: PoolClient, { text, values, isScript, isPlannedAgain }: Statement) {
    if (isScript) return { text }
    if (isPlannedAgain) return { text, values }
    const name = this.#nameOf(text)
    if (name === undefined) return { text, values }
    const prepared = this.#prepared.get(client) ?? new Set()
    this.#prepared.set(client, prepared.add(name))
    return { text, values, name }
  }

  /** Whether the server holds more prepared statements for the connection than it should. */
  isFull(client: PoolClient): boolean {
    return (this.#prepared.get(client)?.size ?? 0) > MAX_PREPARED
  }

  /** Gives the statement a new name at its next use, so that each connection prepares it again. */
  forget(text: string): void {
    this.#names.set(text, null)
  }

  #nameOf(text: string): string | undefined {
    const known = this.#names.get(text)
    if (known) return known
    if (known === undefined) {
      this.#names.set(text, null)
      return undefined
    }
    this.#count += 1
    const name = `s${this.#count}`
    this.#names.set(text, name)
    return name
  }
}

function track(sockets: Set<Socket>): Socket {
  const socket = new Socket()
  sockets.add(socket)
  socket.once('close', () => sockets.delete(socket))
  return socket
}

/** Rejects as soon as the connection is lost, even while the work waits for something other than the database. */
async function unlessLost<T>(client: PoolClient, work: Promise<T>): Promise<T> {
  const lost = Promise.withResolvers<never>()
  const onLost = (error: Error) => lost.reject(toQueryError(error))
  client.once('error', onLost)
  try {
    return await Promise.race([work, lost.promise])
  } finally {
    client.off('error', onLost)
  }
}

/** Returns the rows of a statement, or for a script with several statements, a list with the rows of each. */
const rowsOf = (result: QueryResult | QueryResult[]): unknown =>
  Array.isArray(result) ? result.map(({ rows }) => rows) : result.rows

/**
 * Whether the statement failed because another version of the server has changed a table since the statement was
 * prepared.
 */
export const isPlanOutdated = (error: unknown): boolean =>
  error instanceof DatabaseError && error.code === '0A000' && error.routine === 'RevalidateCachedQuery'
