import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Client, type ClientConfig } from 'pg'
import { from as copyFrom, to as copyTo } from 'pg-copy-streams'
import { toConnectError } from './connections/connect-error.ts'
import { Identifier } from './sql.ts'

/**
 * A connection for copying whole tables, without a statement timeout. It quotes the names of tables and
 * columns.
 */
export interface BulkConnection {
  /** Sends statements without parameters and returns the rows of the last statement. */
  run<Row extends object>(statements: string): Promise<Row[]>
  /** Reads the rows of a table in PostgreSQL's text format, in the table's own order. */
  readTable(table: string, columns: readonly string[]): Readable
  /** Reads the rows of a table as JSON objects, each on a line of its own. */
  readJsonLines(table: string, columns: readonly string[]): Readable
  /** Adds rows, given in PostgreSQL's text format, to a table. */
  writeTable(table: string, columns: readonly string[], rows: Readable): Promise<void>
}

const quote = (name: string): string => new Identifier(name).text
const listOf = (columns: readonly string[]): string => columns.map(quote).join(', ')

/**
 * Opens a bulk connection for the work and closes it afterwards. The work begins and commits its own
 * transaction.
 */
export async function withBulkConnection<T>(
  target: ClientConfig,
  work: (connection: BulkConnection) => Promise<T>,
): Promise<T> {
  const client = new Client({
    ...target,
    statement_timeout: 0,
    lock_timeout: 60_000,
    idle_in_transaction_session_timeout: 0,
  })
  // The running statement reports a lost connection.
  client.on('error', () => undefined)
  await client.connect().catch((error: unknown) => {
    throw toConnectError(error)
  })
  try {
    return await work({
      async run<Row extends object>(statements: string) {
        const answer: unknown = await client.query(statements)
        const last = (Array.isArray(answer) ? answer.at(-1) : answer) as { rows: Row[] }
        return last.rows
      },
      readTable: (table, columns) =>
        client.query(copyTo(`copy ${quote(table)} (${listOf(columns)}) to stdout`)),
      // JSON contains no control characters, so with these as quote and delimiter no text is quoted.
      readJsonLines: (table, columns) =>
        client.query(
          copyTo(
            `copy (select row_to_json(r) from (select ${listOf(columns)} from ${quote(table)}) r) to stdout with (format csv, quote e'\\x01', delimiter e'\\x02')`,
          ),
        ),
      writeTable: (table, columns, rows) =>
        pipeline(rows, client.query(copyFrom(`copy ${quote(table)} (${listOf(columns)}) from stdin`))),
    })
  } finally {
    // Without a commit, the server rolls back.
    await client.end().catch(() => undefined)
  }
}
