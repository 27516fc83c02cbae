import { cp, readdir, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Model } from '@pegasus/contracts/stl-library/models'
import { expect, it } from 'vitest'
import { openDatabase } from '../../src/platform/database/database.ts'
import { STORE_CLAIM } from '../../src/platform/storage/store-claim.ts'
import { startExternalPostgres } from '../servers/external-postgres.ts'
import { EMBEDDED_POSTGRES } from '../servers/postgres-server.ts'
import { silentLog } from '../support/silent-log.ts'
import {
  type ProductProcess,
  bearer,
  launchProduct,
  makeDataFolder,
  signIn,
  startProduct,
} from '../process/product-process.ts'
import { aModel, uploadModel } from '../process/write-load.ts'

const CLEAN = { code: 0, signal: null }

/**
 * Fills a shop and stops its server. Returns the folder of its files, and functions that start servers beside these
 * files.
 */
async function aStoppedShop() {
  const { url } = await startExternalPostgres(EMBEDDED_POSTGRES)
  const folder = join(dirname(await makeDataFolder()), 'objects')
  const settingsOf = (database: string, files = folder) => {
    const address = new URL(url)
    address.pathname = `/${database}`
    return {
      DATABASE_URL: address.href,
      STORAGE_URL: pathToFileURL(files).href,
      ROOT_SECRET: 'a secret of forty characters for foreign files',
    }
  }
  const createDatabase = async (name: string) => {
    const database = await openDatabase({ url, log: silentLog, applicationName: 'test' })
    await database.sql.unsafe(`create database ${name}`)
    await database.close()
  }
  const start = async (settings: Record<string, string>) => startProduct(await makeDataFolder(), settings)
  /** Returns the message of a server that refuses to start. */
  const refusalOf = (settings: Record<string, string>): Promise<string> =>
    start(settings).then(
      () => 'The server has started.',
      (error: Error) => error.message,
    )
  await createDatabase('shop')
  const shop = await start(settingsOf('shop'))
  const uploaded = await uploadModel(shop.url, (await signIn(shop.url)).access_token, aModel())
  const { id } = (await uploaded.json()) as Model
  await stop(shop)
  return { folder, model: id, settingsOf, createDatabase, start, refusalOf }
}

async function stop(server: ProductProcess): Promise<void> {
  server.signal('SIGTERM')
  expect(await server.ended).toEqual(CLEAN)
}

const filesIn = async (folder: string) =>
  (await readdir(folder, { recursive: true })).filter((path) => path.includes('+')).sort()

async function readModel(server: ProductProcess, id: string): Promise<number> {
  const { access_token: token } = await signIn(server.url)
  const file = await fetch(`${server.url}/api/stl-files/${id}/file`, { headers: bearer(token) })
  return file.status
}

it('a server starts with a copy of its files, but refuses the files of another database and says what to do', async () => {
  const { folder, model, settingsOf, createDatabase, start, refusalOf } = await aStoppedShop()
  const files = await filesIn(folder)
  expect(files.length).toBeGreaterThan(0)
  await createDatabase('fresh')
  // At the second start, the database has tables, but no account.
  for (const DELETE_UNKNOWN_FILES_BEFORE of ['', '2020-01-01T00:00:00Z']) {
    const refusal = await refusalOf({ ...settingsOf('fresh'), DELETE_UNKNOWN_FILES_BEFORE })
    expect(refusal).toContain('already holds files of Pegasus Ops, such as ')
    expect(refusal).toContain('the database is new and refers to no file')
    for (const way of ['npm run restore', 'STORAGE_URL', 'DELETE_UNKNOWN_FILES_BEFORE=20'])
      expect(refusal).toContain(way)
  }
  expect(await filesIn(folder)).toEqual(files)

  const copy = `${folder}-copy`
  await cp(folder, copy, { recursive: true })
  await rm(join(copy, '.store-id'))
  const moved = await start(settingsOf('shop', copy))
  expect(await readModel(moved, model)).toBe(200)
  await stop(moved)

  await createDatabase('other')
  const elsewhere = `${folder}-other`
  const other = await start(settingsOf('other', elsewhere))
  await uploadModel(other.url, (await signIn(other.url)).access_token, aModel())
  await stop(other)
  expect(await refusalOf(settingsOf('shop', elsewhere))).toContain(
    'the database refers to other files, of which none is there',
  )

  const accepted = { ...settingsOf('fresh'), DELETE_UNKNOWN_FILES_BEFORE: new Date().toISOString() }
  // The server watches the claim of the lost database for 150 seconds, and can be stopped at any time.
  const watching = launchProduct(await makeDataFolder(), accepted)
  await expect.poll(watching.readOutput, { timeout: 60_000 }).toContain('waiting 150 seconds')
  watching.child.kill('SIGTERM')
  const stoppedAt = performance.now()
  expect(await watching.ended).toEqual(CLEAN)
  expect(performance.now() - stoppedAt).toBeLessThan(30_000)
  for (const path of await readdir(folder, { recursive: true }))
    if (path.endsWith(STORE_CLAIM)) await rm(join(folder, path))
  await stop(await start(accepted))
}, 600_000)
