import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Role } from '@pegasus/contracts/roles'
import { hash } from '@node-rs/argon2'
import { pino } from 'pino'
import { v7 as uuidv7 } from 'uuid'
import { onTestFinished } from 'vitest'
import { type App, type AppDependencies, buildApp } from '../../src/app.ts'
import type { HashingCost } from '../../src/modules/auth/index.ts'
import { type Config, readConfig } from '../../src/config.ts'
import type { DatabaseSource } from '../../src/demo-shop/demo-database.ts'
import { createDemoShops } from '../../src/demo-shop/demo-shops.ts'
import type { DemoShops } from '../../src/modules/demo/index.ts'
import type { Clock } from '../../src/platform/clock.ts'
import { type Database, openDatabase } from '../../src/platform/database/database.ts'
import { loadRootSecret } from '../../src/platform/root-secret.ts'
import type { ObjectStorage } from '../../src/platform/storage/object-storage.ts'
import { openStorage } from '../../src/platform/storage/open-storage.ts'
import { createTasks } from '../../src/platform/tasks/tasks.ts'
import { insertUser } from '../../src/modules/users/index.ts'
import { createTestDatabase } from './database/test-database.ts'
import { prepareQueues, startOnDemand } from './database/tasks-on-demand.ts'

const MIGRATIONS = fileURLToPath(new URL('../../migrations', import.meta.url))

/** Hashing parameters that cost little time, because tests sign in often. */
const CHEAP_HASHING: HashingCost = { memoryKib: 1024, passes: 1 }

export const OWNER_PASSWORD = 'correct horse battery'
export const PASSWORD = 'a decent passphrase'

/**
 * Returns the current time with milliseconds that end in 9. PostgreSQL omits trailing zeros of a time and JavaScript
 * does not, so a time without them is the same text in both.
 */
const aMoment = (): Date => new Date(Math.floor(Date.now() / 10) * 10 - 1)

/** A clock that stands still until a test advances or sets it. */
export class TestClock implements Clock {
  #now = aMoment()
  #elapsedMs = 0

  now(): Date {
    return this.#now
  }

  elapsedMs(): number {
    return this.#elapsedMs
  }

  advance(durationMs: number): void {
    this.jump(durationMs)
    this.#elapsedMs += durationMs
  }

  /** Sets the clock forwards or backwards without any time passing. */
  jump(byMs: number): void {
    this.#now = new Date(this.#now.getTime() + byMs)
  }
}

export interface TestApp extends App {
  database: Database
  storage: ObjectStorage
  clock: TestClock
  config: Config
  dataDir: string
  /** The demos of this server. Undefined if it cannot make any. */
  demoShops: DemoShops | undefined
  /** Signs in and returns the access token. */
  signIn(username: string, password?: string): Promise<string>
  /** Creates an account with this role and a confirmed email address, and returns its username. */
  anAccount(role: Role, options?: { isActive?: boolean; approved?: boolean }): Promise<string>
  /** Returns the `Authorization` header of a new account with this role. */
  as(role: Role): Promise<{ authorization: string }>
  /**
   * Starts a second process of the server. It uses the same database, objects, secret and clock, but connections of its
   * own.
   */
  replica(): Promise<TestApp>
}

async function insertAccount(
  database: Database,
  account: { username: string; role: Role; isActive: boolean; approved: boolean },
): Promise<void> {
  const id = uuidv7()
  const passwordHash = await hash(PASSWORD, {
    memoryCost: CHEAP_HASHING.memoryKib,
    timeCost: CHEAP_HASHING.passes,
    parallelism: 1,
  })
  await database.transaction(async (tx) => {
    await tx`
      insert into accounts (id, email, username, password_hash, email_confirmed_at, email_proved_at, approved_at, is_active)
      values (${id}, ${`${account.username}@example.com`}, ${account.username}, ${passwordHash}, now(), now(),
              ${account.approved ? new Date() : null}, ${account.isActive})`
    await insertUser(tx, {
      accountId: id,
      fullName: `The ${account.role}`,
      role: account.role,
      systemAccess: true,
    })
  })
}

/** Builds the whole server on its own database and folder. The server is closed when the test ends. */
export async function buildTestApp(
  options: {
    variables?: Record<string, string>
    generatedPassword?: boolean
    /** The start page of the web app. Without it, no web app is served. */
    page?: string
    /** Receives the app's log. */
    logTo?: { write(line: string): void }
    /**
     * Whether background tasks run from the beginning. Otherwise they start with the first task. They use connections
     * that parallel requests of a test may need.
     */
    startsTasks?: boolean
    /** Replaces access to outside networks. */
    outbound?: AppDependencies['outbound']
    /** Replaces the limits for calls to printers. */
    devices?: AppDependencies['devices']
    /** Whether the server can make demos. They are removed when the test ends. */
    hasDemos?: boolean
    /** Another PostgreSQL server on which demos are made. */
    demoDatabase?: { database: Database; source: DatabaseSource }
    /** The time without requests after which the server of a demo is closed. */
    demoUnusedMs?: number
    /** The time in which the server of a demo must open. */
    demoOpenMs?: number
    slicerLimits?: AppDependencies['slicerLimits']
    /** Replaces the limits of the malware scanner. */
    scannerLimits?: AppDependencies['scannerLimits']
    /** Replaces the maximum number of pages of a shop's list of orders. */
    shopPages?: number
    /** Whether passwords are hashed at the server's own cost, for tests that measure that cost. */
    hasRealHashing?: boolean
    /**
     * Whether JSON from the database is compared with its schema. Tests that measure cost switch this off.
     */
    checksJson?: boolean
  } = {},
): Promise<TestApp> {
  const dataDir = await mkdtemp(join(tmpdir(), 'pegasus-test-'))
  const { database, connection, drop } = await createTestDatabase()
  const log = options.logTo ? pino({ level: 'trace' }, options.logTo) : pino({ level: 'silent' })
  const config = readConfig({
    DATA_DIR: dataDir,
    REQUESTS_PER_SECOND: '100000',
    ...(!options.generatedPassword && { OWNER_PASSWORD }),
    ...options.variables,
  })
  const storage = await openStorage(config, log)
  const tasks = startOnDemand(createTasks({ database, log }))
  const clock = new TestClock()
  const secret = await loadRootSecret({ dataDir })
  const webFolder = join(dataDir, 'no-web-app')
  if (options.page !== undefined) {
    await mkdir(webFolder)
    await writeFile(join(webFolder, 'index.html'), options.page)
  }
  const shared = {
    config,
    storage,
    secret,
    clock,
    log,
    version: '0.0.0-test',
    webFolder,
    checksJson: options.checksJson ?? true,
    ...(options.outbound && { outbound: options.outbound }),
    ...(options.devices && { devices: options.devices }),
    ...(options.scannerLimits && { scannerLimits: options.scannerLimits }),
    ...(options.shopPages !== undefined && { shopPages: options.shopPages }),
    ...(options.slicerLimits && { slicerLimits: options.slicerLimits }),
    ...(!options.hasRealHashing && { hashingCost: CHEAP_HASHING }),
  }
  const demoShopsOn = (own: Database) =>
    createDemoShops({
      ...shared,
      ...(options.demoDatabase ?? { database: own, source: { connection } }),
      migrations: MIGRATIONS,
      buildApp,
      ...(options.demoUnusedMs !== undefined && { unusedMs: options.demoUnusedMs }),
      ...(options.demoOpenMs !== undefined && { openMs: options.demoOpenMs }),
    })
  const demoShops = options.hasDemos ? demoShopsOn(database) : undefined
  const app = await buildApp({ ...shared, database, tasks, ...(demoShops && { demoShops }) })
  if (!config.hostedProject) await app.auth.owner.ensure(config.owner)
  await prepareQueues(database.sql, tasks)
  if (options.startsTasks) await tasks.start()
  await app.http.ready()

  onTestFinished(async () => {
    await tasks.stop()
    await app.http.close()
    if (demoShops)
      for (const { id } of await database.sql<{ id: string }[]>`select id from demos`)
        await demoShops.remove(id)
    await database.close()
    await drop()
    await rm(dataDir, { recursive: true })
  })

  const signIn = async (username: string, password = PASSWORD): Promise<string> => {
    const response = await app.http.inject({
      method: 'POST',
      url: '/auth/login',
      payload: { username, password },
    })
    if (response.statusCode !== 200)
      throw new Error(`sign-in of ${username}: ${response.statusCode} ${response.body}`)
    return response.json<{ access_token: string }>().access_token
  }
  let accounts = 0
  const anAccount: TestApp['anAccount'] = async (role, { isActive = true, approved = true } = {}) => {
    accounts += 1
    const username = `${role}-${accounts}`
    await insertAccount(database, { username, role, isActive, approved })
    return username
  }
  const as: TestApp['as'] = async (role) => ({
    authorization: `Bearer ${await signIn(await anAccount(role))}`,
  })

  const testApp: TestApp = {
    ...app,
    database,
    storage,
    clock,
    config,
    dataDir,
    demoShops,
    signIn,
    anAccount,
    as,
    async replica() {
      const own = await openDatabase({ connection, log, applicationName: 'replica', maxConnections: 5 })
      const ownTasks = createTasks({ database: own, log })
      const other = await buildApp({
        ...shared,
        database: own,
        tasks: ownTasks,
        ...(options.hasDemos && { demoShops: demoShopsOn(own) }),
      })
      await ownTasks.start()
      await other.http.ready()
      onTestFinished(async () => {
        await ownTasks.stop()
        await other.http.close()
        await own.close()
      })
      return { ...testApp, ...other, database: own }
    },
  }
  return testApp
}
