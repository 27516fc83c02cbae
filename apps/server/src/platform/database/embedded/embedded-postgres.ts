import { createHash } from 'node:crypto'
import { resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { ownIdentity } from '../../process-identity.ts'
import type { ServiceLog } from '../../log/service-log.ts'
import { StartupError } from '../../startup-error.ts'
import { makeDataFolder, unwritable } from '../../storage/data-folder.ts'
import { throttleLog } from '../../log/throttled-log.ts'
import { clearLeftovers, OWNER_SETTING } from './cluster-leftovers.ts'
import { type DataFolderLock, lockDataFolder } from './data-folder-lock.ts'
import { choosePostgresAccount } from './postgres-account.ts'
import { sharedBuffersMib } from './postgres-memory.ts'
import { locatePostgres } from './postgres-binaries.ts'
import { type Cluster, DATABASE_NAME, DATABASE_USER, ensureCluster } from './postgres-cluster.ts'
import { type Endpoint, endpointArgs, openEndpoint } from './postgres-endpoint.ts'
import { type Postmaster, PostmasterFailed, startPostmaster } from './postmaster.ts'
import { lastOutputLines } from './run-command.ts'

/** Where a database is, and with which account and password to connect. */
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
  /** Stops the server cleanly and frees the data folder. Close the connections first. */
  stop(): Promise<void>
}

export interface EmbeddedPostgresOptions {
  dataDir: string
  log: ServiceLog
  /**
   * Additional server settings. `fsync: 'off'` also speeds up the creation of a cluster and is for tests
   * only.
   */
  settings?: Record<string, string>
  /** How to connect. The default is `socket`; if no folder is suitable, a loopback port is used instead. */
  transport?: 'socket' | 'loopback'
}

const BASE_SETTINGS = {
  max_connections: '60',
  // Log only messages about the server itself. Failed statements of the application would contain personal
  // data.
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_checkpoints: 'off',
  log_error_verbosity: 'terse',
  jit: 'off',
  // The default of 4 is meant for spinning disks.
  random_page_cost: '1.1',
}
const MIN_RESTART_PAUSE_MS = 1_000
const MAX_RESTART_PAUSE_MS = 30_000
/** After this time without a crash, the next crash is followed by an immediate restart again. */
const STABLE_MS = 60_000

/**
 * Starts the PostgreSQL that ships with the server, on the folder `postgres` of the data folder. The first start
 * creates that folder. Leftovers of a killed run are cleared first. If the database server ends unexpectedly, it is
 * started again at the same address. Throws StartupError if another process uses the data folder, or if PostgreSQL
 * cannot run on this machine.
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
  await makeDataFolder(dataDir)
  try {
    return await lockDataFolder(dataDir, log)
  } catch (error) {
    throw error instanceof StartupError ? error : unwritable(dataDir, error)
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
    shared_buffers: `${sharedBuffersMib()}MB`,
    ...settings,
    cluster_name: clusterName,
    [OWNER_SETTING]: `${pid}:${startedAt}`,
  }

  const launchAt = async (endpoint: Endpoint) => {
    await clearLeftovers(cluster.folder, clusterName, endpoint.host, log)
    const launch = (asked: Record<string, string>) => {
      const args = ['-D', cluster.folder, ...endpointArgs(endpoint), ...settingArgs(asked)]
      return startPostmaster({ account, postgres: binaries.postgres, args, log })
    }
    try {
      return await launch(own)
    } catch (error) {
      if (!(error instanceof PostmasterFailed) || !error.output.includes('shared memory')) throw error
      // The machine reports more free memory than it gives out. Without this setting, PostgreSQL uses the smaller
      // amount that the first start has determined and saved in a file.
      const { shared_buffers: refused, ...modest } = own
      log.warn({ refused }, 'PostgreSQL gets less memory than it asked for')
      return launch(modest)
    }
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

/** Tries a socket first, then several loopback ports, because a port may be taken. */
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
  throw new StartupError(
    `The built-in PostgreSQL did not start: ${lastOutputLines(said) || 'it said nothing'}.`,
  )
}

/**
 * Restarts the server whenever it ends unexpectedly: first at once, then after growing pauses. The number of
 * restarts is not limited, because the cause (a full disk, lack of memory) may pass.
 */
function supervise(first: Postmaster, restart: () => Promise<Postmaster>, log: ServiceLog) {
  const stopping = new AbortController()
  const say = throttleLog(log)
  let current = first
  let pauseMs = 0

  const pause = async (): Promise<void> => {
    await wait(pauseMs, undefined, { signal: stopping.signal }).catch(() => undefined)
    pauseMs = Math.min(Math.max(pauseMs * 2, MIN_RESTART_PAUSE_MS), MAX_RESTART_PAUSE_MS)
  }
  /** Restarts the server after a pause, until a start succeeds. Returns null if the server stops in the meantime. */
  const revive = async (): Promise<Postmaster | null> => {
    for (;;) {
      await pause()
      if (stopping.signal.aborted) return null
      try {
        return await restart()
      } catch (error) {
        const words = error instanceof PostmasterFailed ? lastOutputLines(error.output) : undefined
        say('error', 'PostgreSQL could not be started again; trying on', { err: error, words })
      }
    }
  }
  const keepAlive = async (): Promise<void> => {
    for (;;) {
      const startedAt = performance.now()
      const how = await current.exited
      if (stopping.signal.aborted) return
      say('error', 'PostgreSQL ended unexpectedly', { how })
      if (performance.now() - startedAt > STABLE_MS) pauseMs = 0
      const revived = await revive()
      if (revived === null) return
      current = revived
      // If `stop` was called during the restart, it has stopped only the previous server, so stop the new server here.
      if (stopping.signal.aborted) await current.stop()
    }
  }
  const kept = keepAlive()

  return {
    async stop() {
      stopping.abort()
      await current.stop()
      await kept
    },
  }
}
