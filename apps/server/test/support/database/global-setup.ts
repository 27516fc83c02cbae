import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { TestProject } from 'vitest/node'
import { openDatabase } from '../../../src/platform/database/database.ts'
import {
  type DatabaseConnection,
  startEmbeddedPostgres,
} from '../../../src/platform/database/embedded/embedded-postgres.ts'
import { choosePostgresAccount } from '../../../src/platform/database/embedded/postgres-account.ts'
import { locatePostgres } from '../../../src/platform/database/embedded/postgres-binaries.ts'
import { DATABASE_USER, ensureCluster } from '../../../src/platform/database/embedded/postgres-cluster.ts'
import { runCommand } from '../../../src/platform/database/embedded/run-command.ts'
import { migrate } from '../../../src/platform/database/migrate.ts'
import { createTasks } from '../../../src/platform/tasks/tasks.ts'
import { type DatabaseState, readState } from './database-reset.ts'
import { silentLog } from '../silent-log.ts'

const MIGRATIONS = fileURLToPath(new URL('../../../migrations', import.meta.url))
const TEMPLATE = 'pegasus_template'
// The data in a test's database need not survive a crash.
const SETTINGS = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  // The write-ahead log is not copied anywhere, so the minimum content is enough.
  wal_level: 'minimal',
  max_wal_senders: '0',
  // The databases are small, and less shared memory makes the server's processes cheaper to start.
  shared_buffers: '64MB',
  // The operating system caches all data, so PostgreSQL needs no worker processes for reading.
  io_method: 'sync',
  max_connections: '200',
  // Autovacuum is off: only a superuser can end its worker, which would keep a database from being dropped.
  autovacuum: 'off',
}

declare module 'vitest' {
  interface ProvidedContext {
    /**
     * The PostgreSQL cluster of this test run. `template` is a migrated database to clone, and `state`
     * describes its contents. `folder` is removed after the run.
     */
    postgres: { connection: DatabaseConnection; folder: string; template: string; state: DatabaseState }
  }
}

/** Starts one PostgreSQL for the whole test run, with a migrated template database. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = await mkdtemp(join(tmpdir(), 'pegasus-test-'))
  // If the test runs as root, PostgreSQL runs under another account, which must be able to enter this folder.
  await chmod(dataDir, 0o755)
  await makeCluster(dataDir)
  const postgres = await startEmbeddedPostgres({ dataDir, log: silentLog, settings: SETTINGS })
  const tearDown = async () => {
    await postgres.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
  try {
    const state = await makeTemplate(postgres.connection)
    project.provide('postgres', {
      connection: postgres.connection,
      folder: dataDir,
      template: TEMPLATE,
      state,
    })
  } catch (error) {
    await tearDown()
    throw error
  }
  return tearDown
}

/** Creates the server's cluster, and lets its user disable triggers, because emptying a database requires that. */
async function makeCluster(dataDir: string): Promise<void> {
  const binaries = await locatePostgres()
  const account = await choosePostgresAccount({ binaries: binaries.folder, data: dataDir })
  const { folder } = await ensureCluster({ dataDir, binaries, account, sync: false, log: silentLog })
  const single = ['--single', '-F', '-D', folder, '-c', 'exit_on_error=on', 'template1']
  const grant = `grant set on parameter session_replication_role to ${DATABASE_USER}\n`
  await runCommand(account, binaries.postgres, single, grant)
}

async function makeTemplate(connection: DatabaseConnection): Promise<DatabaseState> {
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
  const state = await readState(database.sql)
  await database.close()
  return state
}
