import { randomBytes, randomUUID } from 'node:crypto'
import { readdir, utimes } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { expect, it, onTestFinished } from 'vitest'
import { s3Variables, startS3Server } from '../../../test/servers/s3-server.ts'
import { type TestApp, buildTestApp } from '../../../test/support/build-test-app.ts'
import { silentLog } from '../../../test/support/silent-log.ts'
import { refuseForeignFiles } from '../../refuse-foreign-files.ts'
import { wrapStorage } from '../../wrap-storage.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../clock.ts'
import type { Poller } from '../poller.ts'
import type { ObjectStorage } from './object-storage.ts'
import { STORE_CLAIM, findOtherClaim, findRunningHost, refuseOtherDatabase } from './store-claim.ts'
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

/** Begins to use a storage with the database of an app. */
const beginWith = ({ database }: TestApp, storage: ObjectStorage) =>
  beginStoreUse({ database, storage, store: STORE, acceptedBefore: null, log: silentLog })

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

const refuse = ({ database }: TestApp, storage: ObjectStorage, durationMs: number) =>
  refuseOtherDatabase({ database, storage, store: STORE, log: silentLog, watch: { durationMs, pauseMs: 5 } })

/** Renews the claim of a running server until the start of another one has ended. Returns the error, or `started`. */
async function startBeside(running: Poller, start: Promise<void>): Promise<string> {
  let outcome: string | undefined
  void start.then(
    () => (outcome = 'started'),
    (error: unknown) => (outcome = String(error)),
  )
  const renewAndLook = () => running.run().then(() => outcome)
  await expect.poll(renewAndLook).toBeDefined()
  return outcome ?? ''
}

const REFUSAL = 'Another database uses the folder now'

it('a server does not start while a server of another database, or of a copied database, uses the same files', async () => {
  const [first, second] = [await buildTestApp(), await buildTestApp()]
  const { storage } = first
  const use = await begin(first)
  // A second server of the same database knows the claim, and starts without watching it.
  await refuse(first, storage, HOUR_MS)
  expect(await startBeside(use, refuse(second, storage, MINUTE_MS))).toContain(REFUSAL)
  // While the store cannot be read, the other server cannot renew its claim either, so the watch begins again.
  let reads = 0
  const isOut = () => (reads += 1) > 1 && reads < 12
  const stat = (key: string) => (isOut() ? Promise.reject(new Error('out')) : storage.stat(key))
  expect(await startBeside(use, refuse(second, { ...storage, stat }, 20))).toContain(REFUSAL)
  // The second database is a copy of the first: it contains the use, which its own servers do not continue.
  const [copied] = await first.database.sql<[{ id: string }]>`select id from file_store_uses`
  await insertStoreUse(second.database.sql, { id: copied.id, storeId: STORE.id })
  await second.database.sql`update file_store_uses set claimed_at = claimed_at - interval '2 minutes'`
  expect(await startBeside(use, refuse(second, storage, MINUTE_MS))).toContain(REFUSAL)
  const findHost = (durationMs: number) =>
    findRunningHost(storage, { log: silentLog, watch: { durationMs, pauseMs: 5 } })
  await expect(findHost(20)).resolves.toBeNull()
  const host = findHost(MINUTE_MS)
  await startBeside(
    use,
    host.then(() => undefined),
  )
  await expect(host).resolves.toBe(hostname())
})

it('a claim that a crashed server of another database has left delays a start, but does not refuse it', async () => {
  const [first, second] = [await buildTestApp(), await buildTestApp()]
  const { storage } = first
  await begin(first)
  const start = refuse(second, storage, HOUR_MS)
  // Another server of the same database started in the meantime, and took over the claim.
  const other = await beginWith(second, storage)
  expect(await startBeside(other, start)).toBe('started')
  expect(await startBeside(other, refuse(first, storage, MINUTE_MS))).toContain(REFUSAL)
  await refuse(first, storage, 20)
})

it('a claim that is not a text of a server is watched like the claim of another database', async () => {
  const app = await buildTestApp()
  await app.storage.put(STORE_CLAIM, Readable.from([Buffer.from('{"use_id": "\0", "claimed_at": "soon"}')]))
  await expect(findOtherClaim(app)).resolves.toMatchObject({ host: 'an unknown machine' })
  await refuse(app, app.storage, 20)
  const use = await begin(app)
  await use.run()
  expect(await isUsedByOtherDatabase(app.database.sql)).toBe(false)
})

it('a store that returns an overwritten claim again shows no other database', async () => {
  const [first, second] = [await buildTestApp(), await buildTestApp()]
  const { storage } = first
  await begin(first)
  const stored = await storage.stat(STORE_CLAIM)
  const text = await storage.open(STORE_CLAIM).then((opened) => opened?.stream.toArray())
  const outdated: ObjectStorage = {
    ...storage,
    stat: async () => stored,
    open: async () => ({ stream: Readable.from(text ?? []), sizeBytes: stored?.sizeBytes ?? 0 }),
  }
  const use = await beginWith(second, outdated)
  await use.run()
  expect(await isUsedByOtherDatabase(second.database.sql)).toBe(false)
})

it('while another database uses the same files, no demo is removed; a move to an own store ends this at once', async () => {
  const app = await buildTestApp({ hasDemos: true })
  const { sql } = app.database
  const remove = () => app.demoShops!.remove(randomUUID())
  await begin(app)
  await sql`update file_store_uses set other_seen_at = now()`
  await expect(remove()).rejects.toThrow('no other database has used the file storage')
  const { database, storage } = app
  const store = { id: 'an-own-store', place: 'another folder' }
  await beginStoreUse({ database, storage, store, acceptedBefore: null, log: silentLog })
  expect(await isUsedByOtherDatabase(sql)).toBe(false)
  await remove()
})

it('no file is deleted for an hour after another database has used the same files, and files of that time are kept for 30 days', async () => {
  const [first, second] = [await buildTestApp(), await buildTestApp()]
  const { storage, database } = first
  const { sql } = database
  const use = await begin(first)
  await sql`update file_store_uses set began_at = began_at - interval '9 hours'`
  const old = await storeUnclaimed(first, 8 * HOUR_MS)
  const other = await beginWith(second, storage)
  // A full store refuses the claim. A claim that nobody renews does not count, so that somebody can free space.
  const full = await beginWith(first, { ...storage, put: () => Promise.reject(new Error('full')) })
  await full.run()
  expect(await isUsedByOtherDatabase(sql)).toBe(false)
  await other.run()
  await full.run()
  expect(await isUsedByOtherDatabase(sql)).toBe(true)
  // The time beside the other database is no use, and neither are the minutes before it was found.
  const beforeMark = () => Date.now() - 6 * MINUTE_MS
  const hasUseSince = async (since: number) =>
    (await listStoreUses(sql)).some(({ beganAt, seenAt }) => seenAt.getTime() > since && seenAt >= beganAt)
  await use.run()
  await beginWith(first, { ...storage, put: () => Promise.reject(new Error('full')) })
  await full.run()
  expect(await hasUseSince(beforeMark())).toBe(false)
  const system = await first.http.inject({ url: '/api/system', headers: await first.as('admin') })
  expect(system.json()).toMatchObject({ storage: { is_shared: true } })
  await first.cleanup.run()
  await wrapStorage({ config: { clamd: null }, database, storage }).storage.delete(old[0] ?? '')
  expect(await storedKeys(first)).toEqual(old)
  await use.run()
  // Six hours later, the other database has not claimed the store for an hour.
  await sql`
    update file_store_uses
    set began_at = began_at - interval '6 hours', seen_at = seen_at - interval '6 hours', other_seen_at = other_seen_at - interval '61 minutes'`
  const kept = await storeUnclaimed(first, 3 * HOUR_MS)
  await use.run()
  expect(await isUsedByOtherDatabase(sql)).toBe(false)
  await first.cleanup.run()
  expect(await storedKeys(first)).toEqual(kept)
})
