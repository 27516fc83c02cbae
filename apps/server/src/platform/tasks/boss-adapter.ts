import type { Db } from 'pg-boss'
import type { Database, Queryable, Sql } from '../database/database.ts'

type Rows = { rows: unknown[] }

/** Makes pg-boss use our connection pool instead of a second driver with its own connections. */
export function bossDatabase(database: Database): Db {
  return {
    executeSql: (text, values) => executeOnPool(database.sql, text, values),
    listen: (channel, onNotification, onReconnect) => database.listen(channel, onNotification, onReconnect),
  }
}

/** Makes pg-boss use the caller's transaction. */
export function bossTransaction(tx: Queryable): Db {
  return { executeSql: (text, values) => execute(tx, text, values) }
}

async function executeOnPool(sql: Sql, text: string, values: unknown[] | undefined): Promise<Rows> {
  const isTransaction = !values?.length && /\bbegin\s*;/i.test(text)
  return isTransaction ? executeTransaction(sql, text) : execute(sql, text, values)
}

async function execute(sql: Queryable, text: string, values: unknown[] | undefined): Promise<Rows> {
  if (!values?.length) return { rows: flatten(await sql.unsafe(text)) }
  return { rows: await sql.unsafe<object[]>(text, values) }
}

/**
 * Runs a text of pg-boss from BEGIN to COMMIT on a connection of its own, so that all statements are in one
 * transaction.
 */
async function executeTransaction(sql: Sql, text: string): Promise<Rows> {
  const connection = await sql.reserve()
  try {
    return { rows: flatten(await connection.unsafe(text)) }
  } finally {
    connection.release()
  }
}

/** Returns one list of rows. A text with several statements returns a list of rows for each of them. */
function flatten(result: readonly unknown[]): unknown[] {
  return result.some(Array.isArray)
    ? result.flatMap((part) => (Array.isArray(part) ? part : []))
    : [...result]
}
