import type { Database, Listener, Queryable, Sql } from '../../../src/platform/database/database.ts'
import { createSql, type Statement } from '../../../src/platform/database/sql.ts'

/** The database of one test. The next test can use its connections. */
export interface DatabaseLease {
  database: Database
  /**
   * Refuses further statements, waits for running statements, and stops listening. Returns false if something
   * is still open, such as a transaction. In that case, the connections cannot be used again.
   */
  end(): Promise<boolean>
}

const END_MS = 2000

/**
 * Lends an open database to a test. Opening connections takes half of the time of a test, so the next test gets the
 * same connections. The lease keeps work of one test from reaching into the next test.
 */
export function lendDatabase(real: Database): DatabaseLease {
  const running = new Set<Promise<unknown>>()
  const listeners = new Set<Listener>()
  const reserved = new Set<object>()
  let isOver = false

  const run = async <T>(work: () => Promise<T>): Promise<T> => {
    if (isOver) throw new Error('The database of this test is closed.')
    const promise = work()
    running.add(promise)
    try {
      return await promise
    } finally {
      running.delete(promise)
    }
  }
  const through = (target: Queryable) => createSql((statement) => run(() => forward(target, statement)))

  const end = async (): Promise<boolean> => {
    isOver = true
    const isIdle = await endsWithin(Promise.allSettled(running), END_MS)
    for (const listener of listeners) await listener.close()
    return isIdle && reserved.size === 0
  }

  const sql: Sql = Object.assign(through(real.sql), {
    async reserve() {
      const connection = await run(() => real.sql.reserve())
      reserved.add(connection)
      const release = () => {
        reserved.delete(connection)
        connection.release()
      }
      return Object.assign(through(connection), { release })
    },
  })
  const database: Database = {
    sql,
    planned: through(real.planned),
    transaction: (work) => run(() => real.transaction(work)),
    async listen(...listenArgs) {
      const listener = await run(() => real.listen(...listenArgs))
      listeners.add(listener)
      return {
        async close() {
          listeners.delete(listener)
          await listener.close()
        },
      }
    },
    withBulkConnection: (work) => run(() => real.withBulkConnection(work)),
    lostConnections: () => real.lostConnections(),
    connections: () => real.connections(),
    statementTimes: (options) => real.statementTimes(options),
    ping: (timeoutMs) => run(() => real.ping(timeoutMs)),
    async close() {
      await end()
    },
  }
  return { database, end }
}

/** Sends a statement to `target` in the form in which it was given: a script, with values, or without values. */
export function forward(target: Queryable, { text, values, isScript }: Statement): Promise<unknown> {
  if (isScript || values.length > 0) return target.unsafe(text, values).execute()
  return target(Object.assign([text], { raw: [text] })).execute()
}

async function endsWithin(event: Promise<unknown>, timeoutMs: number): Promise<boolean> {
  const late = Promise.withResolvers<boolean>()
  const timer = setTimeout(() => late.resolve(false), timeoutMs)
  try {
    return await Promise.race([event.then(() => true), late.promise])
  } finally {
    clearTimeout(timer)
  }
}
