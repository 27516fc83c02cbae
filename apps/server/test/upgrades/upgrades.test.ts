import type { Order } from '@pegasus/contracts/orders/orders'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { type Database, openDatabase } from '../../src/platform/database/database.ts'
import { migrate, readMigrations } from '../../src/platform/database/migrate.ts'
import { listAll } from '../process/check-kept-data.ts'
import {
  isLongRun,
  launchProduct,
  makeDataFolder,
  sendSignal,
  signIn,
  startProduct,
  until,
} from '../process/product-process.ts'
import { startExternalPostgres } from '../servers/external-postgres.ts'
import { EMBEDDED_POSTGRES } from '../servers/postgres-server.ts'
import { silentLog } from '../support/silent-log.ts'
import { OLDEST_VERSION, OLD_OWNER, OLD_SHOP, writeOldShop } from './old-shop.ts'

const MIGRATIONS = fileURLToPath(new URL('../../migrations', import.meta.url))
/**
 * The versions of the schema from which an upgrade is tested: the oldest, and one before each large change of
 * the schema.
 */
const VERSIONS = [OLDEST_VERSION, '0026', '0046', '0054', '0063', '0073', '0083', '0088']
/** The upgrade is killed after this many further migrations. In the long run, it is killed in each migration. */
const KILLED_AFTER = isLongRun ? 1 : 45
const SECRET = 'a secret of forty characters for upgrades'

/** Runs `work` with a database that has been migrated to an old version and contains the data of a shop. */
async function withOldShop(url: string, version: string, work: (database: Database) => Promise<void>) {
  const database = await openDatabase({ url, log: silentLog, applicationName: 'test' })
  try {
    await migrate({
      database,
      folder: MIGRATIONS,
      log: silentLog,
      isWanted: (name) => name.slice(0, 4) <= version,
    })
    await database.transaction(writeOldShop)
    await work(database)
  } finally {
    await database.close()
  }
}

/** Returns the numbers of objects that the server shows for the shop. */
async function readShop(url: string) {
  const { access_token: token } = await signIn(url, OLD_OWNER)
  const items = await listAll<{ quantity: number }>(url, '/api/inventory', token)
  const orders = await listAll<Order>(url, '/api/orders', token)
  const count = async (path: string) => (await listAll(url, path, token)).length
  return {
    items: items.length,
    pieces: items.reduce((sum, { quantity }) => sum + quantity, 0),
    orders: orders.length,
    models: await count('/api/stl-files'),
    spools: await count('/api/filament'),
    products: await count('/api/products'),
  }
}

it('T111 a shop of each older version works after the upgrade, with all of its data', {
  timeout: 900_000,
}, async () => {
  const { url, createDatabase } = await startServer()
  for (const version of VERSIONS) {
    const database = await createDatabase(`from_${version}`)
    await withOldShop(database, version, async () => undefined)
    const dataDir = await makeDataFolder()
    const product = await startProduct(dataDir, variablesFor(dataDir, database))
    expect({ version, ...(await readShop(product.url)) }).toEqual({ version, ...OLD_SHOP })
    product.signal('SIGTERM')
    expect((await product.ended).code).toBe(0)
  }
  expect(url).toContain('postgres')
  console.info(`T111 upgrades with data lost 0 of ${VERSIONS.length} versions`)
})

it('T111 an upgrade that is killed several times continues until it is done, and loses nothing', {
  timeout: isLongRun ? 3_600_000 : 900_000,
}, async () => {
  const { createDatabase } = await startServer()
  const database = await createDatabase('killed')
  const all = (await readMigrations(MIGRATIONS)).length
  let kills = 0
  await withOldShop(database, OLDEST_VERSION, async ({ sql }) => {
    const countApplied = async () =>
      (await sql<[{ applied: number }]>`select count(*)::int as applied from schema_migrations`)[0].applied
    const dataDir = await makeDataFolder()
    for (let applied = await countApplied(); applied < all; applied = await countApplied()) {
      const { child, ended } = launchProduct(dataDir, variablesFor(dataDir, database))
      const target = Math.min(applied + KILLED_AFTER, all)
      await until(async () => child.exitCode !== null || (await countApplied()) >= target, 60_000, 1)
      if (child.pid !== undefined) sendSignal(-child.pid, 'SIGKILL')
      await ended
      kills += 1
    }
    const product = await startProduct(dataDir, variablesFor(dataDir, database))
    expect(await readShop(product.url)).toEqual(OLD_SHOP)
  })
  expect(kills).toBeGreaterThan(2)
  console.info(`T111 upgrade killed ${kills} times, rows lost 0`)
})

const variablesFor = (dataDir: string, url: string) => ({
  DATABASE_URL: url,
  STORAGE_URL: pathToFileURL(join(dirname(dataDir), 'objects')).href,
  ROOT_SECRET: SECRET,
})

async function startServer() {
  const { url } = await startExternalPostgres(EMBEDDED_POSTGRES)
  return {
    url,
    async createDatabase(name: string): Promise<string> {
      const database = await openDatabase({ url, log: silentLog, applicationName: 'test' })
      await database.sql.unsafe(`create database ${name}`)
      await database.close()
      const address = new URL(url)
      address.pathname = `/${name}`
      return address.href
    },
  }
}
