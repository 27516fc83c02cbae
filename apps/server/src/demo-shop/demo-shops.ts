import type { FastifyBaseLogger } from 'fastify'
import type { HostedSession } from '@pegasus/contracts/auth/hosted-auth'
import { hasRole } from '@pegasus/contracts/roles'
import type { buildApp } from '../app.ts'
import type { Config } from '../config.ts'
import type { DemoShops } from '../modules/demo/index.ts'
import { MINUTE_MS, SECOND_MS } from '../platform/clock.ts'
import type { Database } from '../platform/database/database.ts'
import { endsWithin } from '../platform/ends-within.ts'
import { AppError } from '../platform/errors/app-error.ts'
import type { RootSecret } from '../platform/root-secret.ts'
import { DEMOS, type ObjectStorage } from '../platform/storage/object-storage.ts'
import { prefixedStorage } from '../platform/storage/prefixed-storage.ts'
import { isUsedByOtherDatabase } from '../platform/storage/store-uses.queries.ts'
import { demoConfig } from './demo-config.ts'
import {
  type DatabaseSource,
  createDemoDatabase,
  demoSource,
  dropDemoDatabase,
  mayCreateDatabases,
} from './demo-database.ts'
import { type DemoServer, type DemoServerOptions, demoSecrets, openDemoServer } from './demo-server.ts'
import { makeInChild } from './make-in-child.ts'
import { migrateDemo } from './migrate-demo.ts'

/** The server of a demo is closed if it gets no requests for this long, so that it does not use memory. */
const UNUSED_MS = 15 * MINUTE_MS
/** How long a request waits for the server to open. The migrations after an update may take some seconds. */
const OPEN_MS = 30 * SECOND_MS

interface Entry {
  opening: Promise<DemoServer>
  /** The open server; null while it opens. */
  server: DemoServer | null
  usedAt: number
  /** The number of requests that wait for the server or are not finished yet. An event stream is one long request. */
  running: number
}

/** Makes, opens and removes the databases, files and servers of demos. */
export function createDemoShops(deps: {
  config: Config
  /** The shop's database. */
  database: Database
  source: DatabaseSource
  /** The shop's storage. The files of a demo are below a prefix of their own. */
  storage: ObjectStorage
  secret: RootSecret
  log: FastifyBaseLogger
  version: string
  webFolder: string
  migrations: string
  buildApp: typeof buildApp
  /** Replaces the time after which an unused server is closed, for tests. */
  unusedMs?: number
  /** Replaces the time in which a server must open, for tests. */
  openMs?: number
}): DemoShops {
  const { config, database, source, storage, secret, unusedMs = UNUSED_MS, openMs = OPEN_MS } = deps
  const log = deps.log.child({ instance: 'demo' })
  const opened = new Map<string, Entry>()
  /** Ids of the demos that were removed and must not be opened again. */
  const removed = new Set<string>()

  const prefixOf = (id: string): string => `${DEMOS}${id}/`
  const optionsOf = (id: string): DemoServerOptions => ({
    config: demoConfig(config, demoSecrets(secret, id).password),
    secret: demoSecrets(secret, id).secret,
    source: demoSource(source, id),
    storage: prefixedStorage(storage, prefixOf(id)),
    log,
    version: deps.version,
    webFolder: deps.webFolder,
    buildApp: deps.buildApp,
  })

  const openNew = async (id: string): Promise<DemoServer> => {
    const options = optionsOf(id)
    // The demo may be older than the server, and lack its newest migrations.
    await migrateDemo(options, deps.migrations)
    const server = await openDemoServer(options)
    server.startWork()
    return server
  }
  const closeServer = (server: DemoServer): Promise<void> =>
    server
      .close()
      .catch((error: unknown) => log.warn({ err: error }, 'the server of a demo was not closed cleanly'))

  const openShop = (id: string): Entry => {
    const known = opened.get(id)
    if (known) return known
    if (removed.has(id)) throw new AppError('DEMO_UNAVAILABLE', { detail: 'the demo is removed' })
    const opening = openNew(id)
    const entry: Entry = { opening, server: null, usedAt: performance.now(), running: 0 }
    opened.set(id, entry)
    opening.then(
      (server) => {
        // Nobody else knows a server that was forgotten while it opened, so close it here.
        if (opened.get(id) !== entry) return closeServer(server)
        entry.server = server
        return undefined
      },
      () => forget(id, entry),
    )
    return entry
  }
  /** Forgets a server, so that the next request opens the demo again. */
  const forget = (id: string, entry: Entry): void => {
    if (opened.get(id) === entry) opened.delete(id)
  }
  /**
   * Waits until the server is open. If that takes too long, forgets the server, which is closed as soon as it is open.
   */
  const opensInTime = async (id: string, entry: Entry): Promise<DemoServer> => {
    if (await endsWithin(entry.opening, openMs)) return entry.opening
    forget(id, entry)
    throw new AppError('DEMO_SLOW')
  }
  /**
   * Closes the server of a demo. Forgets it first, so that it gets no more requests. If it is not open yet, `openShop`
   * closes it later.
   */
  const closeOne = async (id: string): Promise<void> => {
    const entry = opened.get(id)
    if (entry === undefined) return
    forget(id, entry)
    if (entry.server) await closeServer(entry.server)
  }

  return {
    mayCreate: () => mayCreateDatabases(database),
    async make(id, report, signal) {
      await createDemoDatabase(database, id)
      signal.throwIfAborted()
      const { config: own, secret: rootSecret, source: reached, version, webFolder } = optionsOf(id)
      await makeInChild(
        {
          options: { config: own, secret: rootSecret, source: reached, version, webFolder },
          password: demoSecrets(secret, id).password,
          storage: { dataDir: config.dataDir, storageUrl: config.storageUrl, s3: config.s3 },
          prefix: prefixOf(id),
          migrations: deps.migrations,
          logLevel: deps.log.level,
        },
        report,
        signal,
      )
    },
    async remove(id) {
      if (await isUsedByOtherDatabase(database.sql))
        throw new Error('The demo is removed when no other database has used the file storage for an hour.')
      removed.add(id)
      await closeOne(id)
      await dropDemoDatabase(database, id)
      for await (const { key } of storage.list(prefixOf(id))) await storage.delete(key)
    },
    async openSession(id, { role, ip, userAgent }) {
      const server = await opensInTime(id, openShop(id))
      const answer = await server.app.http.inject({
        method: 'POST',
        url: '/auth/v1/token?grant_type=password',
        payload: {
          email: await emailOf(server.database, hasRole(role, 'owner') ? 'owner' : 'admin'),
          password: demoSecrets(secret, id).password,
        },
        remoteAddress: ip,
        headers: { 'user-agent': userAgent },
      })
      if (answer.statusCode !== 200)
        throw new AppError('DEMO_UNAVAILABLE', { detail: `sign-in to the demo: ${answer.statusCode}` })
      return answer.json<HostedSession>()
    },
    async serverOf(id, ended) {
      const entry = openShop(id)
      // Count the request first, so that the server is not closed before the request reaches it.
      entry.running += 1
      void ended.then(() => {
        entry.running -= 1
        entry.usedAt = performance.now()
      })
      return (await opensInTime(id, entry)).app.http.server
    },
    async closeUnused(readyId) {
      const unused = [...opened].filter(([id, { server, running, usedAt }]) =>
        id === readyId ? server && running === 0 && performance.now() - usedAt > unusedMs : true,
      )
      await Promise.all(unused.map(([id]) => closeOne(id)))
    },
    async close() {
      await Promise.all(Array.from(opened.keys(), closeOne))
    },
  }
}

/** Returns the email address of the demo account with this username. */
async function emailOf({ sql }: Database, username: string): Promise<string> {
  const [account] = await sql<{ email: string }[]>`select email from accounts where username = ${username}`
  if (!account) throw new AppError('DEMO_UNAVAILABLE', { detail: `the demo has no ${username}` })
  return account.email
}
