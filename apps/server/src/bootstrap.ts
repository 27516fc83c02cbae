import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { fileURLToPath } from 'node:url'
import type { FastifyBaseLogger } from 'fastify'
import type { Config } from './config.ts'
import type { OwnerSignIn } from './modules/auth/index.ts'
import { SECOND_MS, systemClock } from './platform/clock.ts'
import { createDemoShops } from './demo-shop/demo-shops.ts'
import type { DatabaseSource } from './demo-shop/demo-database.ts'
import { type Database, openDatabase } from './platform/database/database.ts'
import { startEmbeddedPostgres } from './platform/database/embedded/embedded-postgres.ts'
import { migrate } from './platform/database/migrate.ts'
import { endsWithin } from './platform/ends-within.ts'
import { listenOn } from './platform/http/listen-on.ts'
import { loadRootSecret, readRootSecret, rootSecretPath } from './platform/root-secret.ts'
import { StartupError } from './platform/startup-error.ts'
import { makeDataFolder } from './platform/storage/data-folder.ts'
import { openStorage } from './platform/storage/open-storage.ts'
import { refuseOtherDatabase } from './platform/storage/store-claim.ts'
import { identifyStore } from './platform/storage/store-identity.ts'
import { beginStoreUse } from './platform/storage/store-uses.ts'
import { createTasks } from './platform/tasks/tasks.ts'
import { startTracing } from './platform/tracing/start-tracing.ts'

const MIGRATIONS = fileURLToPath(new URL('../migrations', import.meta.url))
const WEB_FOLDER = fileURLToPath(new URL('../../web/dist', import.meta.url))
const PACKAGE = fileURLToPath(new URL('../../../package.json', import.meta.url))

const STORE_USE_STOP_MS = 5 * SECOND_MS

export interface RunningServer {
  /** The address at which the server listens, such as `http://127.0.0.1:3000`. */
  address: string
  /** The address that is used in links and tokens. */
  publicUrl: string
  /** Null if a hosted project holds the accounts. */
  owner: OwnerSignIn | null
  /** Call this after the generated owner password was shown, so that it is not shown again. */
  markPasswordShown(): Promise<void>
  /** Contacts every network printer now, without waiting for its next regular poll. */
  visitPrinters(): Promise<void>
  /** Lets running requests and tasks finish, then closes everything in the reverse order of the start. */
  close(): Promise<void>
}

/** Collects the functions that close what was started, and calls them in reverse order. A failed start uses it, too. */
class Closers {
  readonly #closers: (() => Promise<unknown>)[] = []

  add(close: () => Promise<unknown>): void {
    this.#closers.push(close)
  }

  /** Closes everything, even if closing one part fails. Then throws the first error. */
  async close(): Promise<void> {
    const failures: unknown[] = []
    for (const close of this.#closers.splice(0).reverse())
      await close().catch((error: unknown) => failures.push(error))
    if (failures.length > 0) throw failures[0]
  }
}

async function openProductDatabase(
  config: Config,
  log: FastifyBaseLogger,
  closers: Closers,
): Promise<{ database: Database; source: DatabaseSource }> {
  const source =
    config.databaseUrl === null ? await startEmbedded(config, log, closers) : { url: config.databaseUrl }
  const database = await openDatabase({ ...source, log, applicationName: 'pegasus-ops' })
  closers.add(() => database.close())
  await migrate({ database, folder: MIGRATIONS, log })
  return { database, source }
}

async function startEmbedded(config: Config, log: FastifyBaseLogger, closers: Closers) {
  const postgres = await startEmbeddedPostgres({ dataDir: config.dataDir, log })
  closers.add(() => postgres.stop())
  return { connection: postgres.connection }
}

/** If the port is 0 (any free port), chooses a free port now, because tokens and links contain the port. */
async function resolvePort(config: Config): Promise<Config> {
  if (config.port !== 0) return config
  const server = createServer()
  await listen({ listen: async (at) => void (await once(server.listen(at), 'listening')) }, config)
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return {
    ...config,
    port,
    publicUrl: config.publicUrl.replace(/^http:\/\/localhost:0$/, `http://localhost:${port}`),
  }
}

async function listen<T>(
  http: { listen(at: { host: string; port: number }): Promise<T> },
  config: Config,
): Promise<T> {
  try {
    return await http.listen({ host: config.host, port: config.port })
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? cause.code : ''
    if (code === 'EADDRINUSE')
      throw new StartupError(
        `PORT holds "${config.port}", but another program uses this port; it should hold a free port.`,
        { cause },
      )
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
      throw new StartupError(`HOST holds "${config.host}", but should hold an address of this machine.`, {
        cause,
      })
    throw cause
  }
}

/** Creates the data folder if the server needs it. Uploads to a bucket also pass through this folder. */
async function prepareDataFolder({ databaseUrl, storageUrl, rootSecret, dataDir }: Config): Promise<void> {
  if (databaseUrl === null || storageUrl === null || rootSecret === null) await makeDataFolder(dataDir)
}

/**
 * Throws StartupError if the database has accounts but their root secret is missing. A new secret could not
 * decrypt their data.
 */
async function refuseLostSecret(config: Config, { sql }: Database): Promise<void> {
  if (config.rootSecret !== null || (await readRootSecret(config.dataDir)) !== null) return
  const [account] = await sql`select 1 from accounts limit 1`
  if (account === undefined) return
  throw new StartupError(
    `The database has accounts, but ${rootSecretPath(config.dataDir)} is missing. ` +
      'Restore your copy of the file, or set ROOT_SECRET to its content. Nothing was changed.',
  )
}

/**
 * Starts all parts of the server. Opens the port last, when the server is ready to respond. Throws StartupError. If
 * `stopping` aborts before that, closes what was started and throws its reason or an AbortError.
 */
export async function startServer(
  given: Config,
  log: FastifyBaseLogger,
  stopping: AbortSignal,
): Promise<RunningServer> {
  const closers = new Closers()
  try {
    const config = await resolvePort(given)
    const { version } = JSON.parse(await readFile(PACKAGE, 'utf8')) as { version: string }
    // Stop it last, so that it sends the spans of the shutdown.
    closers.add(await startTracing(config.traces, { version, log }))
    if (config.unknownAuthSettings.length > 0)
      log.warn(
        { variables: config.unknownAuthSettings },
        'settings that this product does not know have no effect',
      )
    await prepareDataFolder(config)
    // Import the modules while PostgreSQL starts.
    const [{ database, source }, { buildApp }, { registerServer }, { refuseForeignFiles }] =
      await Promise.all([
        openProductDatabase(config, log, closers),
        import('./app.ts'),
        import('./modules/system/index.ts'),
        import('./refuse-foreign-files.ts'),
      ])
    stopping.throwIfAborted()
    await refuseLostSecret(config, database)
    const secret = await loadRootSecret({
      dataDir: config.dataDir,
      ...(config.rootSecret !== null && { configured: config.rootSecret }),
    })
    const storage = await openStorage(config, log)
    const store = await identifyStore(config)
    const role = config.serverRole
    const server = await registerServer({ database, clock: systemClock, role, version, store, log })
    closers.add(() => server.remove())
    server.heartbeat.start()
    closers.add(() => server.heartbeat.stop())
    const acceptedBefore = config.deleteUnknownFilesBefore
    await refuseForeignFiles({ database, storage, store, acceptedBefore })
    await refuseOtherDatabase({ database, storage, store, log, stopping })
    const storeUse = await beginStoreUse({ database, storage, store, acceptedBefore, log })
    storeUse.start()
    // A store that does not respond must not hold up the shutdown.
    closers.add(() => endsWithin(storeUse.stop(), STORE_USE_STOP_MS))
    const tasks = createTasks({ database, log })
    const shared = { storage, secret, log, version, webFolder: WEB_FOLDER }
    const demoShops = createDemoShops({
      ...shared,
      config,
      database,
      source,
      buildApp,
      migrations: MIGRATIONS,
    })
    const app = await buildApp({ ...shared, config, database, tasks, clock: systemClock, demoShops })
    // Close both at the same time: background tasks need not wait for the last request.
    closers.add(() => settleAll([app.http.close(), tasks.stop()]))
    // A hosted project has its own owner, so the server creates none.
    const owner = config.hostedProject ? null : await app.auth.owner.ensure(config.owner)
    // A server without background work can still create tasks.
    await (role === 'web' ? tasks.prepare() : tasks.start())
    stopping.throwIfAborted()
    const address = await listen({ listen: (at) => listenOn(app.http, at) }, config)
    if (role !== 'web') for (const poller of app.backgroundWork) poller.start()
    // Remove demos that a crash has left incomplete.
    void app.demo.keeper
      .run()
      .catch((error: unknown) => log.warn({ err: error }, 'the demo was not looked at'))
    app.demo.keeper.start()
    return {
      address,
      publicUrl: config.publicUrl,
      owner,
      markPasswordShown: () => app.auth.owner.markPasswordShown(),
      visitPrinters: () => app.printers.run(),
      close: () => closers.close(),
    }
  } catch (error) {
    // The caller needs the startup error, so an error during closing is only logged.
    await closers.close().catch((failure: unknown) => log.error({ err: failure }, 'closing failed'))
    throw error
  }
}

/** Waits until all promises have settled, and then throws the first error, if there is one. */
async function settleAll(work: readonly Promise<unknown>[]): Promise<void> {
  const outcomes = await Promise.allSettled(work)
  const failed = outcomes.find((outcome) => outcome.status === 'rejected')
  if (failed) throw failed.reason
}
