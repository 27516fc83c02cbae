import { setTimeout as wait } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import type { HostedSession } from '@pegasus/contracts/auth/hosted-auth'
import { hasRole } from '@pegasus/contracts/roles'
import type { buildApp } from '../app.ts'
import type { Config } from '../config.ts'
import type { DemoShops } from '../modules/demo/index.ts'
import { MINUTE_MS, SECOND_MS } from '../platform/clock.ts'
import { type Database, openDatabase } from '../platform/database/database.ts'
import { migrate } from '../platform/database/migrate.ts'
import { AppError } from '../platform/errors/app-error.ts'
import type { RootSecret } from '../platform/root-secret.ts'
import { DEMOS, type ObjectStorage } from '../platform/storage/object-storage.ts'
import { prefixedStorage } from '../platform/storage/prefixed-storage.ts'
import {
  type DatabaseSource,
  createDemoDatabase,
  demoDatabaseName,
  demoSource,
  dropDemoDatabase,
  mayCreateDatabases,
} from './demo-database.ts'
import { type DemoServer, type DemoServerOptions, demoSecrets, openDemoServer } from './demo-server.ts'
import { createMovableClock, fillDemo } from './fill-demo.ts'

/** A server of a demo without requests for this long is closed, so that it needs no memory. */
const UNUSED_MS = 15 * MINUTE_MS
/** How long the making waits for the pictures of the models. The demo works without them, too. */
const PICTURES_MS = 30 * SECOND_MS
const PICTURES_PAUSE_MS = 300
/** The share of the data in the making, in percent. The rest are the pictures. */
const DATA_PERCENT = 80

interface OpenServer {
  server: DemoServer
  usedAt: number
  /** Requests that are not answered yet, such as event streams. */
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
}): DemoShops {
  const { config, database, source, storage, secret, unusedMs = UNUSED_MS } = deps
  const log = deps.log.child({ instance: 'demo' })
  const opened = new Map<string, Promise<OpenServer>>()

  const prefixOf = (id: string): string => `${DEMOS}${id}/`
  const optionsOf = (id: string): DemoServerOptions => ({
    config,
    ...demoSecrets(secret, id),
    source: demoSource(source, id),
    storage: prefixedStorage(storage, prefixOf(id)),
    log,
    version: deps.version,
    webFolder: deps.webFolder,
    buildApp: deps.buildApp,
  })

  const migrateDemo = async (id: string): Promise<void> => {
    const own = await openDatabase({
      ...demoSource(source, id),
      log,
      applicationName: 'pegasus-ops demo',
      maxConnections: 2,
    })
    try {
      // A connection pool can lead to another database than the one in the address.
      const [reached] = await own.sql<{ name: string }[]>`select current_database() as name`
      if (reached?.name !== demoDatabaseName(id))
        throw new Error('The connection does not reach the demo database.')
      await migrate({ database: own, folder: deps.migrations, log })
    } finally {
      await own.close()
    }
  }

  const openNew = async (id: string): Promise<OpenServer> => {
    // An update of the server may have added migrations.
    await migrateDemo(id)
    const server = await openDemoServer(optionsOf(id))
    server.startWork()
    const entry: OpenServer = { server, usedAt: performance.now(), running: 0 }
    server.app.http.server.on('request', (_request, response) => {
      entry.usedAt = performance.now()
      entry.running += 1
      response.once('close', () => {
        entry.running -= 1
        entry.usedAt = performance.now()
      })
    })
    return entry
  }
  const open = (id: string): Promise<OpenServer> => {
    const known = opened.get(id)
    if (known) return known
    const opening = openNew(id)
    opened.set(id, opening)
    opening.catch(() => opened.delete(id))
    return opening
  }
  const closeOne = async (id: string): Promise<void> => {
    const entry = await opened.get(id)?.catch(() => null)
    opened.delete(id)
    await entry?.server
      .close()
      .catch((error: unknown) => log.warn({ err: error }, 'the server of a demo was not closed cleanly'))
  }

  const fill = async (id: string, report: (share: number) => void, signal: AbortSignal): Promise<void> => {
    const clock = createMovableClock()
    const options = optionsOf(id)
    const server = await openDemoServer(options, { clock, isFilling: true })
    try {
      const { app, database: own } = server
      const { password } = options
      await fillDemo({ app, database: own, clock, currency: config.currency, password, signal, report })
    } finally {
      await server.close()
    }
  }

  /** Waits until the models of a demo have their pictures. */
  const waitForPictures = async (
    id: string,
    report: (share: number) => void,
    signal: AbortSignal,
  ): Promise<void> => {
    const { server } = await open(id)
    for (const until = performance.now() + PICTURES_MS; performance.now() < until; ) {
      const [count] = await server.database.sql<{ done: number; all: number }[]>`
        select count(*) filter (where analysis_status <> 'pending')::int as done, count(*)::int as all
        from stl_versions`
      if (!count || count.done >= count.all) return
      report(count.done / count.all)
      await wait(PICTURES_PAUSE_MS, undefined, { signal })
    }
  }

  return {
    mayCreate: () => mayCreateDatabases(database),
    async make(id, report, signal) {
      await createDemoDatabase(database, id)
      signal.throwIfAborted()
      await migrateDemo(id)
      await fill(id, (share) => report(5 + share * (DATA_PERCENT - 5)), signal)
      await waitForPictures(id, (share) => report(DATA_PERCENT + share * (99 - DATA_PERCENT)), signal)
    },
    async remove(id) {
      await closeOne(id)
      await dropDemoDatabase(database, id)
      for await (const { key } of storage.list(prefixOf(id))) await storage.delete(key)
    },
    async openSession(id, { role, ip, userAgent }) {
      const { server } = await open(id)
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
    async serverOf(id) {
      return (await open(id)).server.app.http.server
    },
    async closeUnused(readyId) {
      for (const [id, opening] of opened) {
        const entry = await opening.catch(() => null)
        const isUnused = entry?.running === 0 && performance.now() - entry.usedAt > unusedMs
        if (id !== readyId || isUnused) await closeOne(id)
      }
    },
    async close() {
      await Promise.all(Array.from(opened.keys(), closeOne))
    },
  }
}

/** Returns the email address of the demo's person with that user name. */
async function emailOf({ sql }: Database, username: string): Promise<string> {
  const [account] = await sql<{ email: string }[]>`select email from accounts where username = ${username}`
  if (!account) throw new AppError('DEMO_UNAVAILABLE', { detail: `the demo has no ${username}` })
  return account.email
}
