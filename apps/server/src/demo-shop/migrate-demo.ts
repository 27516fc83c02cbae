import { openDatabase } from '../platform/database/database.ts'
import { migrate } from '../platform/database/migrate.ts'
import type { DemoServerOptions } from './demo-server.ts'

/** Migrates the database of a demo. Throws if the connection leads to another database. */
export async function migrateDemo(
  { source, log }: Pick<DemoServerOptions, 'source' | 'log'>,
  migrations: string,
): Promise<void> {
  const wanted = 'url' in source ? new URL(source.url).pathname.slice(1) : source.connection.database
  const own = await openDatabase({ ...source, log, applicationName: 'pegasus-ops demo', maxConnections: 2 })
  try {
    // A connection pooler such as PgBouncer may ignore the database in the address, and connect to another one.
    const [reached] = await own.sql<{ name: string }[]>`select current_database() as name`
    if (reached?.name !== wanted) throw new Error('The connection does not reach the demo database.')
    await migrate({ database: own, folder: migrations, log })
  } finally {
    await own.close()
  }
}
