import type { TransactionSql } from '../../../src/platform/database/database.ts'
import type { TestApp } from '../build-test-app.ts'

/**
 * Returns how many rows of a table an action reads, by scans and by index look-ups. PostgreSQL's counts can include
 * earlier transactions of the connection, so the result is the difference between two counts in one transaction.
 */
export const rowsRead = (app: TestApp, table: string, action: (tx: TransactionSql) => Promise<unknown>) =>
  app.database.transaction(async (tx) => {
    const count = async () => {
      const [row] = await tx<[{ rows: number }]>`
        select (seq_tup_read + idx_tup_fetch)::float8 as rows from pg_stat_xact_user_tables
        where relname = ${table}`
      return row.rows
    }
    const before = await count()
    await action(tx)
    return (await count()) - before
  })
