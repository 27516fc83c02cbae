import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { pino } from 'pino'
import { type Database, openDatabase } from '../src/platform/database/database.ts'
import { startEmbeddedPostgres } from '../src/platform/database/embedded/embedded-postgres.ts'
import { migrate } from '../src/platform/database/migrate.ts'
import { readRelations } from './read-relations.ts'
import { renderRows } from './render-rows.ts'

export const ROWS_FILE = fileURLToPath(new URL('../src/platform/database/rows.ts', import.meta.url))
const MIGRATIONS = fileURLToPath(new URL('../migrations', import.meta.url))

/** Migrates an empty database and writes the types of its rows. Returns the path of the file. */
export async function generateRows(): Promise<string> {
  const source = await withMigratedDatabase(async ({ sql }) => renderRows(await readRelations(sql)))
  await writeFile(ROWS_FILE, source)
  return ROWS_FILE
}

async function withMigratedDatabase<T>(work: (database: Database) => Promise<T>): Promise<T> {
  const log = pino({ level: 'silent' })
  const dataDir = await mkdtemp(join(tmpdir(), 'pegasus-rows-'))
  try {
    // When this runs as root, PostgreSQL runs under another account, which needs access.
    await chmod(dataDir, 0o755)
    const postgres = await startEmbeddedPostgres({ dataDir, log, settings: { fsync: 'off' } })
    try {
      const { connection } = postgres
      const database = await openDatabase({ connection, log, applicationName: 'generate rows' })
      try {
        await migrate({ database, folder: MIGRATIONS, log })
        return await work(database)
      } finally {
        await database.close()
      }
    } finally {
      await postgres.stop()
    }
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
}
