import { createHash } from 'node:crypto'
import { chmod, mkdir } from 'node:fs/promises'
import { resolve } from 'node:path'
import { ownIdentity } from '../process-identity.ts'
import type { ServiceLog } from '../service-log.ts'
import { StartupError } from '../startup-error.ts'
import { clearLeftovers, OWNER_SETTING } from './cluster-leftovers.ts'
import { type DataFolderLock, lockDataFolder } from './data-folder-lock.ts'
import { choosePostgresAccount } from './postgres-account.ts'
import { locatePostgres } from './postgres-binaries.ts'
import { type Cluster, DATABASE_NAME, DATABASE_USER, ensureCluster } from './postgres-cluster.ts'
import { type Endpoint, endpointArgs, openEndpoint } from './postgres-endpoint.ts'
import { type Postmaster, PostmasterFailed, startPostmaster } from './postmaster.ts'
import { lastWords } from './run-to-end.ts'

/** How to sign in to a database. */
export interface DatabaseConnection {
  /** A host name, or the folder of a Unix socket. */
  host: string
  port: number
  user: string
  password: string
  database: string
}

export interface EmbeddedPostgres {
  connection: DatabaseConnection
  /** Ends the server in good order and frees the data folder. Close the connections first. */
  stop(): Promise<void>
}

export interface EmbeddedPostgresOptions {
  dataDir: string
  log: ServiceLog
  /** Further settings of the server; `fsync: 'off'` also makes a new cluster faster and is for tests only. */
  settings?: Record<string, string>
  /** How to connect; a socket unless there is no place for one. */
  transport?: 'socket' | 'loopback'
}

const BASE_SETTINGS = {
  max_connections: '60',
  // Lines of the server itself, not the failed statements of the application: those carry people's data.
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_checkpoints: 'off',
  log_error_verbosity: 'terse',
  jit: 'off',
}
const MAX_RESTARTS_PER_MINUTE = 3

/**
 * Starts the PostgreSQL that comes with the product on `postgres` in the data folder, which is made on
 * the first start. Whatever a killed run left behind is cleared first. A server that ends by itself is
 * started again at the same address. Throws StartupError when another process uses the data folder,
 * or PostgreSQL cannot run here.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const dataDir = resolve(options.dataDir)
  const lock = await claimDataDir(dataDir, options.log)
  try {
    const server = await startServer(dataDir, options)
    let stopped: Promise<void> | undefined
    const stop = async () => {
      try {
        await server.stop()
      } finally {
        await lock.release()
      }
    }
    return { connection: server.connection, stop: () => (stopped ??= stop()) }
  } catch (error) {
    await lock.release()
    throw error
  }
}

async function claimDataDir(dataDir: string, log: ServiceLog): Promise<DataFolderLock> {
  try {
    const made = await mkdir(dataDir, { recursive: true })
    // PostgreSQL under its own account must be able to walk through, whatever root's umask is.
    if (made !== undefined && process.getuid?.() === 0) await chmod(dataDir, 0o711)
    return await lockDataFolder(dataDir, log)
  } catch (error) {
    if (error instanceof StartupError) throw error
    const reason = error instanceof Error ? error.message : String(error)
    throw new StartupError(`The data folder ${dataDir} cannot be written: ${reason}.`, { cause: error })
  }
}

async function startServer(dataDir: string, options: EmbeddedPostgresOptions) {
  const { log, settings = {} } = options
  const binaries = await locatePostgres()
  const account = await choosePostgresAccount({ binaries: binaries.folder, data: dataDir })
  const cluster = await ensureCluster({ dataDir, binaries, account, sync: settings.fsync !== 'off', log })
  const clusterName = `pegasus-${createHash('sha256').update(cluster.folder).digest('hex').slice(0, 8)}`
  const { pid, startedAt } = await ownIdentity()
  const own = {
    ...BASE_SETTINGS,
    ...settings,
    cluster_name: clusterName,
    [OWNER_SETTING]: `${pid}:${startedAt}`,
  }

  const launchAt = async (endpoint: Endpoint) => {
    await clearLeftovers(cluster.folder, clusterName, endpoint.host, log)
    const args = ['-D', cluster.folder, ...endpointArgs(endpoint), ...settingArgs(own)]
    return startPostmaster({ account, postgres: binaries.postgres, args, log })
  }
  const first = await launchSomewhere(account, launchAt, options.transport)
  const supervised = supervise(first.postmaster, () => launchAt(first.endpoint), log)
  return {
    connection: connectionTo(first.endpoint, cluster),
    async stop() {
      await supervised.stop()
      await clearLeftovers(cluster.folder, clusterName, first.endpoint.host, log)
      await first.endpoint.close()
    },
  }
}

function settingArgs(settings: Record<string, string>): string[] {
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
}

function connectionTo(endpoint: Endpoint, cluster: Cluster): DatabaseConnection {
  const { host, port } = endpoint
  return { host, port, user: DATABASE_USER, password: cluster.password, database: DATABASE_NAME }
}

/** Tries a socket first, then a port of the loopback interface, a few of them if somebody takes it away. */
async function launchSomewhere(
  account: Parameters<typeof openEndpoint>[0],
  launchAt: (endpoint: Endpoint) => Promise<Postmaster>,
  transport: 'socket' | 'loopback' = 'socket',
): Promise<{ endpoint: Endpoint; postmaster: Postmaster }> {
  let said = ''
  for (const kind of [transport, 'loopback', 'loopback'] as const) {
    const endpoint = await openEndpoint(account, kind)
    try {
      return { endpoint, postmaster: await launchAt(endpoint) }
    } catch (error) {
      await endpoint.close()
      if (!(error instanceof PostmasterFailed)) throw error
      said = error.output
      if (!/could not (create|bind)/.test(said)) break
    }
  }
  throw new StartupError(`The built-in PostgreSQL did not start: ${lastWords(said) || 'it said nothing'}.`)
}

/** Starts the server again when it ends by itself, a few times; then the product is without a database. */
function supervise(postmaster: Postmaster, restart: () => Promise<Postmaster>, log: ServiceLog) {
  let isStopping = false
  let current: Promise<Postmaster> = Promise.resolve(postmaster)
  let restarts: number[] = []

  const watch = async (watched: Postmaster): Promise<void> => {
    const how = await watched.exited
    if (isStopping) return
    restarts = [...restarts.filter((at) => at > Date.now() - 60_000), Date.now()]
    log.error({ how }, 'PostgreSQL ended unexpectedly')
    if (restarts.length > MAX_RESTARTS_PER_MINUTE) return
    current = restart()
    current
      .then(watch)
      .catch((error: unknown) => log.error({ err: error }, 'PostgreSQL could not be started again'))
  }
  void watch(postmaster)

  return {
    async stop() {
      isStopping = true
      const last = await current.catch(() => null)
      await last?.stop()
    },
  }
}
