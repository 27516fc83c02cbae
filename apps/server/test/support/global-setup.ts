import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { TestProject } from 'vitest/node'
import { openDatabase } from '../../src/platform/database/database.ts'
import {
  type DatabaseConnection,
  startEmbeddedPostgres,
} from '../../src/platform/database/embedded/embedded-postgres.ts'
import { migrate } from '../../src/platform/database/migrate.ts'
import { createTasks } from '../../src/platform/tasks/tasks.ts'
import { silentLog } from './silent-log.ts'

const MIGRATIONS = fileURLToPath(new URL('../../migrations', import.meta.url))
const TEMPLATE = 'pegasus_template'
// Nothing of a test's database has to survive anything.
const SETTINGS = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  max_connections: '200',
  // A vacuum worker in a database that is to be dropped can be ended by a superuser only.
  autovacuum: 'off',
}

declare module 'vitest' {
  interface ProvidedContext {
    /** The cluster of this run; `template` is a migrated database to clone. */
    postgres: { connection: DatabaseConnection; template: string }
  }
}

/** One PostgreSQL for the whole run, with a migrated template database. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = await mkdtemp(join(tmpdir(), 'pegasus-test-'))
  // As root PostgreSQL runs under another account, which must be able to walk in.
  await chmod(dataDir, 0o755)
  const postgres = await startEmbeddedPostgres({ dataDir, log: silentLog, settings: SETTINGS })
  const tearDown = async () => {
    await postgres.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
  try {
    await makeTemplate(postgres.connection)
  } catch (error) {
    await tearDown()
    throw error
  }
  project.provide('postgres', { connection: postgres.connection, template: TEMPLATE })
  return tearDown
}

async function makeTemplate(connection: DatabaseConnection): Promise<void> {
  const admin = await openDatabase({
    connection,
    log: silentLog,
    applicationName: 'test set-up',
    maxConnections: 1,
  })
  await admin.sql`create database ${admin.sql(TEMPLATE)}`
  await admin.close()
  const template = { ...connection, database: TEMPLATE }
  const database = await openDatabase({
    connection: template,
    log: silentLog,
    applicationName: 'test set-up',
  })
  await migrate({ database, folder: MIGRATIONS, log: silentLog })
  await createTasks({ database, log: silentLog }).prepare()
  await database.close()
}
