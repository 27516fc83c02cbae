import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { pino } from 'pino'
import { buildApp } from '../src/app.ts'
import { readConfig } from '../src/config.ts'
import { openDatabase } from '../src/platform/database/database.ts'
import { startEmbeddedPostgres } from '../src/platform/database/embedded/embedded-postgres.ts'
import { migrate } from '../src/platform/database/migrate.ts'
import { logOptions } from '../src/platform/log/log-options.ts'
import { loadRootSecret } from '../src/platform/root-secret.ts'
import { openDiskStorage } from '../src/platform/storage/disk-storage.ts'
import { createTasks } from '../src/platform/tasks/tasks.ts'
import { type MovableClock, OPENED_MS_AGO, type Shop } from './shop.ts'

const WEB_FOLDER = fileURLToPath(new URL('../../web/dist', import.meta.url))
const MIGRATIONS = fileURLToPath(new URL('../migrations', import.meta.url))

function createMovableClock(): MovableClock {
  let aheadMs = -OPENED_MS_AGO
  return {
    now: () => new Date(Date.now() + aheadMs),
    elapsedMs: () => performance.now() + aheadMs,
    advance: (durationMs) => {
      aheadMs += durationMs
    },
  }
}

/**
 * Opens the server on a data folder and runs `work` in it, without a port and without background tasks. The next start
 * of the server runs those tasks.
 */
export async function withShop<T>(
  variables: NodeJS.ProcessEnv,
  signal: AbortSignal,
  work: (shop: Shop) => Promise<T>,
): Promise<T> {
  const config = readConfig({ ...variables, REQUESTS_PER_SECOND: '1000000', LOG_LEVEL: 'warn' })
  const log = pino(logOptions(config.logLevel))
  const secret = await loadRootSecret({ dataDir: config.dataDir })
  const postgres = await startEmbeddedPostgres({ dataDir: config.dataDir, log })
  try {
    const database = await openDatabase({ connection: postgres.connection, log, applicationName: 'demo' })
    try {
      await migrate({ database, folder: MIGRATIONS, log })
      const storage = await openDiskStorage({ folder: join(config.dataDir, 'objects'), log })
      const tasks = createTasks({ database, log })
      const clock = createMovableClock()
      const app = await buildApp({
        config,
        database,
        storage,
        tasks,
        secret,
        clock,
        log,
        version: 'demo',
        webFolder: WEB_FOLDER,
      })
      try {
        await tasks.prepare()
        await app.auth.owner.ensure(config.owner)
        await app.http.ready()
        return await work({ app, database, clock, currency: config.currency, signal })
      } finally {
        await app.http.close()
      }
    } finally {
      await database.close()
    }
  } finally {
    await postgres.stop()
  }
}
