import { setTimeout as wait } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import type { App, AppDependencies, buildApp } from '../app.ts'
import type { Config } from '../config.ts'
import type { HashingCost } from '../modules/auth/index.ts'
import { type Clock, SECOND_MS, systemClock } from '../platform/clock.ts'
import { ADVISORY_LOCKS, tryAdvisoryLock } from '../platform/database/advisory-lock.ts'
import { type Database, openDatabase } from '../platform/database/database.ts'
import { noHosts } from '../platform/outbound/resolve-host.ts'
import { type RootSecret, createRootSecret } from '../platform/root-secret.ts'
import type { ObjectStorage } from '../platform/storage/object-storage.ts'
import { type Tasks, createTasks } from '../platform/tasks/tasks.ts'
import type { DatabaseSource } from './demo-database.ts'

/**
 * The number of database connections of a demo. It is low, because few people visit a demo and the shop needs the rest.
 */
const CONNECTIONS = 4
const LOCK_PAUSE_MS = 10 * SECOND_MS
/** The cost of hashing passwords in a demo. All passwords are random keys, so a cheap hash is safe. It saves time. */
const CHEAP_HASHING: HashingCost = { memoryKib: 1024, passes: 1 }

/** The parts of a demo's server. */
export interface DemoServerOptions {
  /** The configuration of the demo, as `demoConfig` returns it. */
  config: Config
  /** The root secret of the demo. Secrets of the shop cannot be derived from it. */
  secret: string
  source: DatabaseSource
  storage: ObjectStorage
  log: FastifyBaseLogger
  version: string
  webFolder: string
  buildApp: typeof buildApp
}

/** The opened server of a demo, with its own database. `close` also closes the database connections. */
export interface DemoServer {
  app: App
  database: Database
  /** Starts the background work of the demo, unless another server already does it. */
  startWork(): void
  close(): Promise<void>
}

/** Returns the secrets of a demo. They are derived from the root secret of the shop, so that they need not be stored. */
export const demoSecrets = (secret: RootSecret, id: string): { secret: string; password: string } => ({
  secret: secret.deriveKey(`demo/${id}/root-secret`).toString('base64url'),
  password: secret.deriveKey(`demo/${id}/password`).toString('base64url'),
})

/**
 * Opens the server of a demo, without a port. The server has its own database, files and keys, and makes no outgoing
 * connections. So a demo cannot reach the shop, its customers or its printers.
 */
export async function openDemoServer(
  options: DemoServerOptions,
  { clock = systemClock, isFilling = false }: { clock?: Clock; isFilling?: boolean } = {},
): Promise<DemoServer> {
  const { source, log, config } = options
  const database = await openDatabase({
    ...source,
    log,
    applicationName: 'pegasus-ops demo',
    maxConnections: CONNECTIONS,
  })
  try {
    const tasks = createTasks({ database, log })
    const dependencies: AppDependencies = {
      config: isFilling ? { ...config, requestsPerSecond: 1_000_000 } : config,
      database,
      storage: options.storage,
      tasks,
      secret: createRootSecret(options.secret),
      clock,
      log,
      version: options.version,
      webFolder: options.webFolder,
      outbound: { resolve: noHosts },
      devices: { resolve: noHosts },
      isDemo: true,
      ...(isFilling && { hashingCost: CHEAP_HASHING }),
    }
    const app = await options.buildApp(dependencies)
    await tasks.prepare()
    if (isFilling) await app.auth.owner.ensure(config.owner)
    await app.http.ready()
    const background = createBackground(app, tasks, database, log)
    return {
      app,
      database,
      startWork: () => background.start(),
      async close() {
        await background.stop()
        await app.http.close()
        await database.close()
      },
    }
  } catch (error) {
    await database.close()
    throw error
  }
}

/** Creates the background work of a demo. It runs as long as this process holds the demo's lock. */
function createBackground(app: App, tasks: Tasks, { sql }: Database, log: FastifyBaseLogger) {
  const stopping = new AbortController()
  const stopped = new Promise<void>((resolve) => stopping.signal.addEventListener('abort', () => resolve()))
  let kept: Promise<void> | undefined
  let hasTasks = false

  const work = async (): Promise<void> => {
    if (stopping.signal.aborted) return
    hasTasks = true
    await tasks.start()
    // A demo has no main site, network printers, channels or backups, so their pollers are not started.
    for (const poller of [app.leases, app.planner, app.alerts, app.cleanup]) poller.start()
    await stopped
  }
  const keep = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      await tryAdvisoryLock(sql, ADVISORY_LOCKS.demoWork, work).catch((error: unknown) =>
        log.warn({ err: error }, 'the background work of the demo was put off'),
      )
      await wait(LOCK_PAUSE_MS, undefined, { signal: stopping.signal }).catch(() => undefined)
    }
  }
  return {
    start: () => {
      kept ??= keep()
    },
    async stop() {
      stopping.abort()
      await kept
      if (hasTasks) await tasks.stop()
    },
  }
}
