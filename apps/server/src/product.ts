import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { FastifyBaseLogger } from 'fastify'
import { buildApp } from './app.ts'
import type { Config } from './config.ts'
import type { OwnerSignIn } from './modules/auth/index.ts'
import { systemClock } from './platform/clock.ts'
import { type Database, openDatabase } from './platform/database/database.ts'
import { startEmbeddedPostgres } from './platform/database/embedded-postgres.ts'
import { migrate } from './platform/database/migrate.ts'
import { loadRootSecret } from './platform/secrets/root-secret.ts'
import { StartupError } from './platform/startup-error.ts'
import { openDiskStorage } from './platform/storage/disk-storage.ts'
import { createTasks } from './platform/tasks/tasks.ts'

const MIGRATIONS = fileURLToPath(new URL('../migrations', import.meta.url))
const WEB_FOLDER = fileURLToPath(new URL('../../web/dist', import.meta.url))
const PACKAGE = fileURLToPath(new URL('../../../package.json', import.meta.url))

export interface RunningProduct {
  /** Where it listens, such as `http://127.0.0.1:3000`. */
  address: string
  owner: OwnerSignIn
  /** To be called once the owner's generated password has been told. */
  markPasswordShown(): Promise<void>
  /** Finishes what is in flight, then closes everything in the reverse order of its start. */
  close(): Promise<void>
}

/** Closes in the reverse order, also what was started before a later step failed. */
class Closers {
  readonly #closers: (() => Promise<unknown>)[] = []

  add(close: () => Promise<unknown>): void {
    this.#closers.push(close)
  }

  async close(): Promise<void> {
    for (const close of this.#closers.splice(0).reverse()) await close()
  }
}

async function openProductDatabase(
  config: Config,
  log: FastifyBaseLogger,
  closers: Closers,
): Promise<Database> {
  const source =
    config.databaseUrl === null ? await startEmbedded(config, log, closers) : { url: config.databaseUrl }
  const database = await openDatabase({ ...source, log, applicationName: 'pegasus-ops' })
  closers.add(() => database.close())
  await migrate({ database, folder: MIGRATIONS, log })
  return database
}

async function startEmbedded(config: Config, log: FastifyBaseLogger, closers: Closers) {
  const postgres = await startEmbeddedPostgres({ dataDir: config.dataDir, log })
  closers.add(() => postgres.stop())
  return { connection: postgres.connection }
}

function objectFolder(config: Config): string {
  if (config.storageUrl === null) return join(config.dataDir, 'objects')
  try {
    return fileURLToPath(config.storageUrl)
  } catch (cause) {
    throw new StartupError(
      `STORAGE_URL holds "${config.storageUrl}", but should hold a file: address such as file:///srv/pegasus/objects.`,
      { cause },
    )
  }
}

async function listen(http: { listen(at: object): Promise<string> }, config: Config): Promise<string> {
  try {
    return await http.listen({ host: config.host, port: config.port })
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? cause.code : ''
    if (code === 'EADDRINUSE')
      throw new StartupError(
        `PORT holds "${config.port}", but another program listens there; it should hold a free port.`,
        { cause },
      )
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
      throw new StartupError(`HOST holds "${config.host}", but should hold an address of this machine.`, {
        cause,
      })
    throw cause
  }
}

/** Starts everything; the port opens last, when the product can serve. Throws StartupError. */
export async function startProduct(config: Config, log: FastifyBaseLogger): Promise<RunningProduct> {
  const closers = new Closers()
  try {
    const { version } = JSON.parse(await readFile(PACKAGE, 'utf8')) as { version: string }
    const secret = await loadRootSecret({
      dataDir: config.dataDir,
      ...(config.rootSecret !== null && { configured: config.rootSecret }),
    })
    const database = await openProductDatabase(config, log, closers)
    const storage = await openDiskStorage({ folder: objectFolder(config), log })
    await storage.sweep()
    const tasks = createTasks({ database, log })
    const app = await buildApp({
      config,
      database,
      storage,
      tasks,
      secret,
      clock: systemClock,
      log,
      version,
      webFolder: WEB_FOLDER,
    })
    closers.add(() => app.http.close())
    const owner = await app.auth.owner.ensure(config.owner)
    await tasks.start()
    closers.add(() => tasks.stop())
    const address = await listen(app.http, config)
    return {
      address,
      owner,
      markPasswordShown: () => app.auth.owner.markPasswordShown(),
      close: () => closers.close(),
    }
  } catch (error) {
    await closers.close()
    throw error
  }
}
