import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import type { ServerRole } from '@pegasus/contracts/system'
import { type Clock, SECOND_MS } from '../../platform/clock.ts'
import { ADVISORY_LOCKS, withAdvisoryLock } from '../../platform/database/advisory-lock.ts'
import type { Database } from '../../platform/database/database.ts'
import { type Poller, createPoller } from '../../platform/poller.ts'
import type { ServiceLog } from '../../platform/log/service-log.ts'
import { StartupError } from '../../platform/startup-error.ts'
import type { StoreIdentity } from '../../platform/storage/store-identity.ts'
import {
  ENDED_AFTER_SECONDS,
  deleteEndedServers,
  deleteServer,
  findOtherStore,
  writeServer,
} from './server-processes.queries.ts'

const HEARTBEAT_MS = 10 * SECOND_MS

export interface RegisteredServer {
  /** Stores heartbeats of this server. */
  heartbeat: Poller
  /** Removes this server from the list. */
  remove(): Promise<void>
}

/**
 * Adds this server to the list of running servers. Throws StartupError if another running server stores its files in
 * another folder or bucket, because each server would lack the files of the other.
 */
export async function registerServer(options: {
  database: Database
  clock: Clock
  role: ServerRole
  version: string
  store: StoreIdentity
  log: ServiceLog
}): Promise<RegisteredServer> {
  const { database, clock, role, version, store, log } = options
  const id = randomUUID()
  const startedAt = clock.now()
  const show = () =>
    writeServer(database.sql, {
      id,
      role,
      host: hostname(),
      version,
      store_id: store.id,
      store: store.place,
      startedAt,
    })
  // Servers that start at the same time take turns, so that the second one sees the first.
  await withAdvisoryLock(database.sql, ADVISORY_LOCKS.servers, async () => {
    await deleteEndedServers(database.sql)
    const other = await findOtherStore(database.sql, store.id)
    if (other) throw differentStores(store, other)
    await show()
  })
  return {
    heartbeat: createPoller({ name: 'server heartbeat', pauseMs: HEARTBEAT_MS, work: show, log }),
    remove: () => deleteServer(database.sql, id),
  }
}

const differentStores = (own: StoreIdentity, other: { host: string; store: string }): StartupError =>
  new StartupError(
    `This server would store files in ${own.place}, but the server on ${other.host} that uses the same database ` +
      `stores them in ${other.store}. Set STORAGE_URL of all servers to one shared folder or bucket. ` +
      `If the other server was stopped less than ${ENDED_AFTER_SECONDS} seconds ago, start this one again later.`,
  )
