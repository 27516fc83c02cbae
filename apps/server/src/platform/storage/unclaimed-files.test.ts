import { randomBytes, randomUUID } from 'node:crypto'
import { readdir, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { expect, it, onTestFinished } from 'vitest'
import { s3Variables, startS3Server } from '../../../test/servers/s3-server.ts'
import { type TestApp, buildTestApp } from '../../../test/support/build-test-app.ts'
import { silentLog } from '../../../test/support/silent-log.ts'
import { refuseForeignFiles } from '../../refuse-foreign-files.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../clock.ts'
import type { ObjectStorage } from './object-storage.ts'
import { STORE_CLAIM, refuseOtherDatabase } from './store-claim.ts'
import { beginStoreUse } from './store-uses.ts'
import { insertStoreUse, isUsedByOtherDatabase, listStoreUses } from './store-uses.queries.ts'

const STORE = { id: 'the-store', place: 'the folder' }

const aKeyOfEachKind = () => {
  const sha256 = randomBytes(32).toString('hex')
  return [
    `models/${sha256}`,
    `thumbnails/${sha256}.webp`,
    `slices/${sha256}`,
    `printer-photos/${randomUUID()}/${randomUUID()}.webp`,
    `media/${sha256}`,
    `resumable/${randomUUID()}/0-${randomUUID()}`,
  ]
}

/** Stores a file of each kind without a row, as if it were this old. Returns the keys. */
async function storeUnclaimed(app: TestApp, agoMs: number): Promise<string[]> {
  const keys = aKeyOfEachKind()
  for (const key of keys) await app.storage.put(key, Readable.from([Buffer.from('bytes')]))
  const root = join(app.dataDir, 'objects')
  const names = new Set(keys.map((key) => key.replaceAll('/', '+')))
  const storedAt = new Date(Date.now() - agoMs)
  for (const entry of await readdir(root, { recursive: true, withFileTypes: true }))
    if (names.has(entry.name)) await utimes(join(entry.parentPath, entry.name), storedAt, storedAt)
  return keys.toSorted()
}

async function storedKeys(app: TestApp): Promise<string[]> {
  const keys: string[] = []
  for await (const { key } of app.storage.list('')) if (key !== STORE_CLAIM) keys.push(key)
  return keys.toSorted()
}

const begin = ({ database, storage }: TestApp, acceptedBefore: Date | null = null) =>
  beginStoreUse({ database, storage, store: STORE, acceptedBefore, log: silentLog })

it('the cleanup keeps files without a row for 30 days if they were stored while no server used the database', async () => {
  const app = await buildTestApp()
  const at = (agoMs: number) => new Date(Date.now() - agoMs)
  // Simulate that the database was restored from a two-day-old backup, and that a server has just started.
  const use = { id: randomUUID(), storeId: STORE.id, beganAt: at(4 * DAY_MS), seenAt: at(2 * DAY_MS) }
  await insertStoreUse(app.database.sql, use)
  await begin(app)
  await storeUnclaimed(app, 3 * DAY_MS)
  const newer = await storeUnclaimed(app, DAY_MS)
  await app.cleanup.run()
  expect(await storedKeys(app)).toEqual(newer)
  app.clock.advance(29 * DAY_MS)
  await app.cleanup.run()
  expect(await storedKeys(app)).toEqual(newer)
  app.clock.advance(2 * DAY_MS)
  await app.cleanup.run()
  expect(await storedKeys(app)).toEqual([])
})

it('the cleanup removes unknown files if the operator declares that they are not needed', async () => {
  const app = await buildTestApp()
  await begin(app, new Date(Date.now() - 2 * DAY_MS))
  await storeUnclaimed(app, 3 * DAY_MS)
  const newer = await storeUnclaimed(app, DAY_MS)
  await app.cleanup.run()
  expect(await storedKeys(app)).toEqual(newer)
})

it('if an older copy replaces the database of a running server, the time in between does not count as a use', async () => {
  const app = await buildTestApp()
  const { sql } = app.database
  const use = await begin(app)
  await use.run()
  expect(await listStoreUses(sql)).toHaveLength(1)
  await sql`
    update file_store_uses
    set began_at = began_at - interval '3 hours', seen_at = seen_at - interval '2 hours'`
  await storeUnclaimed(app, 2.5 * HOUR_MS)
  const newer = await storeUnclaimed(app, 1.5 * HOUR_MS)
  await use.run()
  const [first, second] = await listStoreUses(sql)
  expect((second?.beganAt.getTime() ?? 0) - (first?.seenAt.getTime() ?? 0)).toBeGreaterThan(HOUR_MS)
  await app.cleanup.run()
  expect(await storedKeys(app)).toEqual(newer)
})

it('the server refuses a bucket with files of another database after listing only one page', async () => {
  const store = await startS3Server()
  onTestFinished(() => store.close())
  const app = await buildTestApp({ variables: s3Variables(store) })
  const { database, storage } = app
  const check = (acceptedBefore: Date | null = null) =>
    refuseForeignFiles({ database, storage, store: STORE, acceptedBefore })
  for (const key of ['probes/a', 'demos/d/models/a', 'restores/a', 'notes.txt'])
    await storage.put(key, Readable.from([Buffer.from('bytes')]))
  await check()
  // The database of a test app has accounts, but no files.
  for (let left = 3; left > 0; left -= 1)
    for (const key of aKeyOfEachKind()) await storage.put(key, Readable.from([Buffer.from('bytes')]))
  store.pageSize = 10
  store.calls.length = 0
  await expect(check()).rejects.toThrow('the folder already holds files of Pegasus Ops, such as ')
  expect(store.calls.filter((call) => JSON.stringify(call).includes('ListObjectsV2'))).toHaveLength(1)
  await expect(check(new Date(Date.now() - MINUTE_MS))).rejects.toThrow('the database is new')
  await check(new Date(Date.now() + MINUTE_MS))
  await begin(app)
  await check()
})

const refuse = ({ database, clock }: TestApp, storage: ObjectStorage, watchMs: number) =>
  refuseOtherDatabase({ database, storage, store: STORE, clock, log: silentLog, watchMs, lookPauseMs: 5 })

it('a server does not start while a server of another database, or of a copied database, uses the same files', async () => {
  const [first, second] = [await buildTestApp(), await buildTestApp()]
  const { storage } = first
  const use = await begin(first)
  await refuse(first, storage, 0)
  const meetsRunningServer = async () => {
    let outcome: string | undefined
    void refuse(second, storage, MINUTE_MS).then(
      () => (outcome = 'started'),
      (error: unknown) => (outcome = String(error)),
    )
    const renewAndLook = () => use.run().then(() => outcome)
    await expect.poll(renewAndLook).toContain('Another database uses the folder now')
  }
  await meetsRunningServer()
  // The second database is a copy of the first: it contains the use, which its own servers do not continue.
  const [copied] = await first.database.sql<[{ id: string }]>`select id from file_store_uses`
  const longAgo = new Date(Date.now() - HOUR_MS)
  await insertStoreUse(second.database.sql, {
    id: copied.id,
    storeId: STORE.id,
    beganAt: longAgo,
    seenAt: longAgo,
  })
  await meetsRunningServer()
  // The first server has crashed: it does not renew its claim anymore.
  await refuse(second, storage, 20)
  await begin(second)
  await expect(refuse(first, storage, 20)).resolves.toBeUndefined()
})

it('a server that stops leaves no claim, and a server of another database starts at once', async () => {
  const [first, second] = [await buildTestApp(), await buildTestApp()]
  const use = await begin(first)
  await use.stop()
  await refuse(second, first.storage, HOUR_MS)
  expect(await first.storage.stat(STORE_CLAIM)).toBeNull()
})

it('no file is deleted for an hour after another database has used the same files, and administrators are told', async () => {
  const [first, second] = [await buildTestApp(), await buildTestApp()]
  const { storage } = first
  const use = await begin(first)
  const other = await beginStoreUse({
    database: second.database,
    storage,
    store: STORE,
    acceptedBefore: null,
    log: silentLog,
  })
  const { sql } = first.database
  const unclaimed = await storeUnclaimed(first, 2 * HOUR_MS)
  await sql`update file_store_uses set began_at = began_at - interval '3 hours'`
  await use.run()
  expect(await isUsedByOtherDatabase(sql)).toBe(true)
  await first.cleanup.run()
  expect(await storedKeys(first)).toEqual(unclaimed)
  await other.stop()
  await sql`update file_store_uses set other_seen_at = other_seen_at - interval '61 minutes'`
  await use.run()
  expect(await isUsedByOtherDatabase(sql)).toBe(false)
  await first.cleanup.run()
  expect(await storedKeys(first)).toEqual([])
})
