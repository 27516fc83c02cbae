import { createHash, randomBytes } from 'node:crypto'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Model } from '@pegasus/contracts/stl-library/models'
import { expect, describe, it, onTestFinished } from 'vitest'
import { backUpServer } from '../../src/modules/backups/backup-commands.ts'
import { restoreBackup } from '../../src/modules/backups/index.ts'
import { readRootSecret } from '../../src/platform/root-secret.ts'
import { openDiskStorage } from '../../src/platform/storage/disk-storage.ts'
import type { ObjectStorage } from '../../src/platform/storage/object-storage.ts'
import { readS3Settings } from '../../src/platform/storage/s3-address.ts'
import { openBucket } from '../../src/platform/storage/s3-bucket.ts'
import { S3_TIMEOUTS } from '../../src/platform/storage/s3-client.ts'
import { openS3Storage } from '../../src/platform/storage/s3-storage.ts'
import { anEmptyFolder, databaseAddress } from '../support/backups.ts'
import { buildTestApp } from '../support/build-test-app.ts'
import { createTestDatabase } from '../support/database/test-database.ts'
import { upload } from '../support/library/model-upload.ts'
import { silentLog } from '../support/silent-log.ts'
import { anItem } from '../support/stock-factories.ts'
import { aModel } from '../process/write-load.ts'
import { aKeyedStorageClient } from './storage-client.ts'
import { chunksOf, describeStorage, type OpenedStorage, readObject, sha256 } from './storage-behavior.ts'

/**
 * The address of an empty bucket in a real store, in the form of STORAGE_URL. The usual AWS variables contain the keys.
 * The tests remove everything from the bucket, so they refuse a bucket that has objects. If this variable is missing,
 * vitest.config.ts leaves this file out.
 */
const ADDRESS = process.env['PEGASUS_TEST_STORAGE_URL'] ?? ''
const MIB = 1024 * 1024
const MIGRATIONS = join(import.meta.dirname, '../../migrations')
/** More objects than the 1,000 that S3 returns on one page of a list. */
const MANY = 1_050

const AWS_NAMES = ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'AWS_SESSION_TOKEN', 'AWS_REGION']
const awsVariables = (): Record<string, string> =>
  Object.fromEntries(
    AWS_NAMES.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
  )

const theBucket = () => openBucket(readS3Settings(ADDRESS, awsVariables()), S3_TIMEOUTS)

/** Returns the keys of the objects and of the unfinished uploads in the bucket. */
async function keysInBucket(): Promise<string[]> {
  const keys: string[] = []
  for await (const { key } of theBucket().list('')) keys.push(key)
  for await (const { key } of theBucket().listUploads()) keys.push(key)
  return keys
}

async function emptyBucket(): Promise<void> {
  const bucket = theBucket()
  for await (const upload of bucket.listUploads()) await bucket.abortUpload(upload)
  const keys = await keysInBucket()
  const remove = async () => {
    for (let key = keys.pop(); key !== undefined; key = keys.pop()) await bucket.remove(key)
  }
  await Promise.all(Array.from({ length: 4 }, remove))
}

async function openInBucket(): Promise<OpenedStorage> {
  expect(await keysInBucket(), 'the bucket of PEGASUS_TEST_STORAGE_URL must be empty').toEqual([])
  const folder = await mkdtemp(join(tmpdir(), 'pegasus-storage-'))
  const settings = readS3Settings(ADDRESS, awsVariables())
  const again = () => openS3Storage({ settings, folder, log: silentLog })
  return {
    storage: await again(),
    again,
    pendingFolder: folder,
    kept: async () => [...(await keysInBucket()), ...(await readdir(folder))],
    script: `
      import { openS3Storage } from '${new URL('../../src/platform/storage/s3-storage.ts', import.meta.url)}'
      const [settings, folder] = ${JSON.stringify([settings, folder])}
      const storage = await openS3Storage({ settings, folder, log })`,
    async close() {
      await emptyBucket()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Opens the bucket, which is emptied when the test ends. */
async function aBucket(): Promise<OpenedStorage> {
  const opened = await openInBucket()
  onTestFinished(() => opened.close())
  return opened
}

/** Returns the SHA-256 of each object by its key. */
async function hashesOf(storage: ObjectStorage): Promise<Map<string, string>> {
  const hashes = new Map<string, string>()
  for await (const { key } of storage.list('')) {
    const hash = createHash('sha256')
    const opened = await storage.open(key)
    for await (const chunk of opened?.stream ?? []) hash.update(chunk as Buffer)
    hashes.set(key, hash.digest('hex'))
  }
  return new Map([...hashes].toSorted(([one], [other]) => (one < other ? -1 : 1)))
}

describe('a bucket of a real store', () => {
  describeStorage(openInBucket)

  it('a real store returns objects of every size unchanged, whole and in ranges', async () => {
    const { storage, pendingFolder } = await aBucket()
    for (const size of [0, 1, 2 * MIB, 2 * MIB + 1, 8 * MIB, 8 * MIB + 1, 20 * MIB + 7]) {
      const bytes = randomBytes(size)
      const stored = await storage.put('models/a', chunksOf(bytes))
      expect(stored).toEqual({ sizeBytes: size, sha256: sha256(bytes) })
      expect((await storage.stat('models/a'))?.sizeBytes).toBe(size)
      expect((await readObject(storage, 'models/a'))?.equals(bytes), `${size} bytes`).toBe(true)
      await expect(storage.open('models/a', { start: size })).rejects.toBeInstanceOf(RangeError)
      for (const start of [0, 8 * MIB - 5, size - 1].filter((at) => at >= 0 && at < size)) {
        const part = await readObject(storage, 'models/a', { start, end: start + 9 })
        expect(part?.equals(bytes.subarray(start, start + 10)), `${size} bytes from ${start}`).toBe(true)
      }
    }
    await storage.delete('models/a')
    expect([await keysInBucket(), await readdir(pendingFolder)]).toEqual([[], []])
  })

  it('a large object appears in a real store with its commit, and an aborted one leaves no parts', async () => {
    const { storage } = await aBucket()
    const bytes = randomBytes(20 * MIB)
    const begun = async () => {
      const pending = await storage.begin()
      for await (const chunk of chunksOf(bytes)) await pending.write(chunk)
      await pending.seal('models/a')
      expect(await storage.stat('models/a')).toBe(null)
      return pending
    }
    const aborted = await begun()
    await aborted.abort()
    expect(await keysInBucket()).toEqual([])
    const committed = await begun()
    await committed.commit('models/a')
    expect((await readObject(storage, 'models/a'))?.equals(bytes)).toBe(true)
    expect(await keysInBucket()).toEqual(['models/a'])
    expect(await storage.sweep()).toBe(0)
  })

  it(`a real store lists ${MANY} objects, each once`, async () => {
    const { storage } = await aBucket()
    const keys = Array.from({ length: MANY }, (_, index) => `models/${String(index).padStart(4, '0')}`)
    const left = [...keys]
    const store = async () => {
      for (let key = left.pop(); key !== undefined; key = left.pop())
        await storage.put(key, chunksOf(Buffer.from(key)))
    }
    await Promise.all(Array.from({ length: 4 }, store))
    const found: string[] = []
    for await (const { key } of storage.list('models/')) found.push(key)
    expect(found.toSorted()).toEqual(keys)
  })

  it('files with any name are uploaded, copied, moved and removed in a real store', async () => {
    await aBucket()
    const app = await buildTestApp({ variables: { ...awsVariables(), STORAGE_URL: ADDRESS } })
    const client = await aKeyedStorageClient(app)
    expect((await client.createBucket('files')).error).toBe(null)
    const files = client.from('files')
    const bytesOf = async (path: string) => {
      const { data } = await files.download(path)
      return data === null ? null : Buffer.from(await data.arrayBuffer())
    }
    const names = ['empty.bin', 'a b & c+1.bin', "it's (v2); @home!.bin"]
    for (const [index, name] of names.entries()) {
      const bytes = randomBytes(index * (MIB + 1))
      expect((await files.upload(name, bytes)).error, name).toBe(null)
      expect((await files.copy(name, `copies/${name}`)).error, name).toBe(null)
      expect((await files.move(name, `moved/${name}`)).error, name).toBe(null)
      for (const path of [`copies/${name}`, `moved/${name}`])
        expect((await bytesOf(path))?.equals(bytes), path).toBe(true)
      expect((await files.remove([`copies/${name}`, `moved/${name}`])).data).toHaveLength(2)
      expect(await bytesOf(`copies/${name}`)).toBe(null)
    }
    const staff = await app.as('staff')
    for (const name of ['голова утки (v2) – копия №1.stl', 'ראש ברווז.stl', 'duck 🦆.stl']) {
      const bytes = aModel()
      const answer = await upload(app, staff, { name, bytes })
      expect(answer.statusCode, answer.body).toBe(201)
      const { id, file_name } = answer.json<Model>()
      const url = `/api/stl-files/${id}/file`
      expect([file_name, (await app.http.inject({ url, headers: staff })).rawPayload.equals(bytes)]).toEqual([
        name,
        true,
      ])
    }
  })

  it('a backup of a shop is restored from a real store into a folder, and back into the store', async () => {
    await aBucket()
    const app = await buildTestApp({ variables: { ...awsVariables(), STORAGE_URL: ADDRESS } })
    await anItem(app, { sku: 'HOOK' })
    for (const [index, size] of [0, 1000, 9 * MIB].entries())
      await app.storage.put(`models/${index}`, chunksOf(randomBytes(size)))
    const expected = await hashesOf(app.storage)
    const rootSecret = await readRootSecret(app.dataDir)
    const options = { config: app.config, database: app.database, storage: app.storage, version: '0' }
    const { path } = await backUpServer(await anEmptyFolder(), { ...options, keep: null })

    const restoreInto = async (target: { storageUrl: string; s3: typeof app.config.s3 }) => {
      const { connection, database, drop } = await createTestDatabase()
      onTestFinished(drop)
      const dataDir = join(await anEmptyFolder(), 'data')
      const config = {
        ...target,
        dataDir,
        databaseUrl: databaseAddress(connection),
        rootSecret,
        backupKey: null,
      }
      await restoreBackup(path, { config, migrations: MIGRATIONS, version: '0', log: silentLog })
      const items = await database.sql<{ sku: string }[]>`select sku from items`
      expect(items.map(({ sku }) => sku)).toEqual(['HOOK'])
    }
    await expect(restoreInto({ storageUrl: ADDRESS, s3: app.config.s3 })).rejects.toThrow('already has files')
    const folder = join(await anEmptyFolder(), 'files')
    await restoreInto({ storageUrl: `file://${folder}`, s3: null })
    expect(await hashesOf(await openDiskStorage({ folder, log: silentLog }))).toEqual(expected)
    await emptyBucket()
    await restoreInto({ storageUrl: ADDRESS, s3: app.config.s3 })
    expect(await hashesOf(app.storage)).toEqual(expected)
  })
})
