import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { onTestFinished, describe, expect, it } from 'vitest'
import { type S3Server, startS3Server } from '../../../test/servers/s3-server.ts'
import { silentLog } from '../../../test/support/silent-log.ts'
import {
  chunksOf,
  describeStorage,
  type OpenedStorage,
  readObject,
  sha256,
} from '../../../test/storage/storage-behavior.ts'
import { DAY_MS } from '../clock.ts'
import { type ObjectStorage, StorageFullError, StorageUnavailableError } from './object-storage.ts'
import type { S3Settings } from './s3-address.ts'
import type { S3Timeouts } from './s3-client.ts'
import { openS3Storage } from './s3-storage.ts'

const MIB = 1024 * 1024

const settingsOf = ({ bucket, url, region, keys }: S3Server): S3Settings => ({
  bucket,
  endpoint: url,
  region,
  isPathStyle: true,
  keys: { ...keys, sessionToken: null },
})

interface OpenedBucket extends OpenedStorage {
  store: S3Server
  again(patience?: Partial<S3Timeouts>): Promise<ObjectStorage>
}

async function openInBucket(patience: Partial<S3Timeouts> = {}): Promise<OpenedBucket> {
  const store = await startS3Server()
  const folder = await mkdtemp(join(tmpdir(), 'pegasus-storage-'))
  const settings = settingsOf(store)
  const again = (ofThisTime = patience) =>
    openS3Storage({ settings, folder, log: silentLog, patience: ofThisTime })
  return {
    store,
    storage: await again(),
    again,
    pendingFolder: folder,
    kept: async () => [...store.objects.keys(), ...store.uploads.keys(), ...(await readdir(folder))],
    script: `
      import { openS3Storage } from '${new URL('./s3-storage.ts', import.meta.url)}'
      const [settings, folder] = ${JSON.stringify([settings, folder])}
      const storage = await openS3Storage({ settings, folder, log })`,
    async close() {
      await store.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Opens a bucket, which is closed when the test ends. */
async function aBucket(patience?: Partial<S3Timeouts>): Promise<OpenedBucket> {
  const opened = await openInBucket(patience)
  onTestFinished(() => opened.close())
  opened.store.calls.length = 0
  return opened
}

/** Opens a storage. Tries again if a busy machine exceeds the short timeouts of the test. */
async function openedDespiteLoad(open: () => Promise<ObjectStorage>): Promise<ObjectStorage> {
  for (;;) {
    try {
      return await open()
    } catch (error) {
      if (!(error instanceof StorageUnavailableError)) throw error
    }
  }
}

const namesOf = (store: S3Server): string[] => store.calls.map(({ name }) => name)

describe('storage in a bucket', () => describeStorage(openInBucket))

describe('large objects in a bucket', () => {
  it('a large object is uploaded to the bucket before its commit, and becomes visible with the commit', async () => {
    const { storage, store } = await aBucket()
    const bytes = randomBytes(20 * MIB + 1)
    const pending = await storage.begin()
    for await (const chunk of chunksOf(bytes)) await pending.write(chunk)
    const sealed = await pending.seal((hash) => `models/${hash}`)
    const key = `models/${sha256(bytes)}`
    expect([sealed, await storage.stat(key)]).toEqual([
      { sizeBytes: bytes.length, sha256: sha256(bytes) },
      null,
    ])
    expect(namesOf(store).filter((name) => name === 'UploadPart')).toHaveLength(3)
    store.calls.length = 0
    expect(await pending.commit(key)).toEqual(sealed)
    expect(namesOf(store)).toEqual(['CompleteMultipartUpload', 'HeadObject'])
    expect((await readObject(storage, key))?.equals(bytes)).toBe(true)
    expect(store.uploads.size).toBe(0)
  })

  it('a large object is uploaded again if it changes or gets another key after it was sealed', async () => {
    const { storage, store } = await aBucket()
    const bytes = randomBytes(3 * MIB)
    for (const [key, more] of [
      ['models/sealed', Buffer.from('more')],
      ['models/other', Buffer.alloc(0)],
    ] as const) {
      const pending = await storage.begin()
      await pending.write(bytes)
      await pending.seal('models/sealed')
      await pending.write(more)
      await pending.commit(key)
      expect((await readObject(storage, key))?.equals(Buffer.concat([bytes, more]))).toBe(true)
    }
    expect(store.uploads.size).toBe(0)
  })

  it('an aborted or failed upload of a large object leaves no part in the bucket', async () => {
    const { storage, store, pendingFolder } = await aBucket()
    const fill = async () => {
      const pending = await storage.begin()
      for await (const chunk of chunksOf(randomBytes(20 * MIB))) await pending.write(chunk)
      return pending
    }
    const aborted = await fill()
    await aborted.seal('models/a')
    expect(store.uploads.size).toBe(1)
    await aborted.abort()
    const failing = await fill()
    let parts = 0
    store.fault = ({ name }) => {
      if (name === 'UploadPart') parts += 1
      return name === 'UploadPart' && parts === 2 ? { status: 403, code: 'AccessDenied' } : null
    }
    await expect(failing.seal('models/a')).rejects.toBeInstanceOf(StorageUnavailableError)
    await failing.abort()
    expect([store.uploads.size, store.objects.size, await readdir(pendingFolder)]).toEqual([0, 0, []])
  })

  it("a large object is stored even if the store's response to the last request is lost", async () => {
    const { storage, store } = await aBucket()
    let lost = 0
    store.fault = ({ name }) => {
      if (name !== 'CompleteMultipartUpload' || lost > 0) return null
      lost += 1
      return 'lose-answer'
    }
    const bytes = randomBytes(3 * MIB)
    await storage.put('models/a', chunksOf(bytes))
    expect([lost, (await readObject(storage, 'models/a'))?.equals(bytes)]).toEqual([1, true])
  })
})

describe('streams of objects in a bucket', () => {
  it('the stream of an object frees its connection if the reader stops before the end', async () => {
    const { storage, store } = await aBucket()
    await storage.put('a', chunksOf(randomBytes(6 * MIB)))
    for (const isBegun of [false, true])
      for (let time = 0; time < 5; time += 1) {
        const opened = await storage.open('a')
        if (isBegun) await once(opened?.stream ?? process, 'readable')
        opened?.stream.destroy()
      }
    await expect.poll(() => store.answering, { timeout: 5_000 }).toBe(0)
    expect((await readObject(storage, 'a'))?.length).toBe(6 * MIB)
  })
})

describe('lists of objects in a bucket', () => {
  it('listing objects reads all pages of the bucket, and leaves out objects that the server has not stored', async () => {
    const { storage, store } = await aBucket()
    store.pageSize = 2
    const keys = ['models/a', 'models/b', 'models/c', 'models/d', 'models/e']
    for (const key of keys) await storage.put(key, chunksOf(Buffer.from(key)))
    const stranger = store.objects.get('models/a')
    if (stranger) store.objects.set('models/Strange one', stranger)
    const found: string[] = []
    for await (const { key } of storage.list('models/')) found.push(key)
    expect(found.toSorted()).toEqual(keys)
    expect(namesOf(store).filter((name) => name === 'ListObjectsV2')).toHaveLength(3)
  })
})

describe('removing abandoned uploads and probes from a bucket', () => {
  it('a storage sweep aborts uploads and deletes test objects that are older than a day, and nothing else', async () => {
    const { storage, store } = await aBucket()
    const begun = await storage.begin()
    for await (const chunk of chunksOf(randomBytes(3 * MIB))) await begun.write(chunk)
    await begun.seal('models/young')
    const longAgo = new Date(Date.now() - DAY_MS - 1000)
    store.uploads.set('old', { key: 'models/old', begunAt: longAgo, parts: new Map() })
    store.uploads.set('strange', { key: 'Of somebody else', begunAt: longAgo, parts: new Map() })
    await storage.put('probes/old', chunksOf(Buffer.from('x')))
    await storage.put('probes/young', chunksOf(Buffer.from('x')))
    const probe = store.objects.get('probes/old')
    if (probe) probe.modifiedAt = longAgo
    expect(await storage.sweep()).toBe(2)
    expect([...store.objects.keys()]).toEqual(['probes/young'])
    expect([...store.uploads.values()].map(({ key }) => key)).toEqual(['models/young', 'Of somebody else'])
    store.fault = ({ name }) =>
      name === 'ListMultipartUploads' ? { status: 501, code: 'NotImplemented' } : null
    expect(await storage.sweep()).toBe(0)
    await begun.abort()
  })
})

describe('faults of an S3 store', () => {
  it.each(['sums', 'an MD5 alone', 'neither'])(
    'S3 storage trusts a store that reports %s of an object only if the reported value shows that the content is right',
    async (reported) => {
      const { storage, store } = await aBucket()
      store.reports = { checksums: reported === 'sums', md5: reported !== 'neither' }
      for (const size of [0, 1000, 9 * MIB]) {
        const bytes = randomBytes(size)
        await storage.put('models/a', chunksOf(bytes))
        expect(await readObject(storage, 'models/a')).toEqual(bytes)
      }
      const reads = namesOf(store).filter((name) => name === 'GetObject').length
      expect(reads).toBe(reported === 'neither' ? 6 : 3)
    },
  )

  it.each([
    [507, 'InsufficientStorage'],
    [403, 'QuotaExceeded'],
    [507, 'XMinioStorageFull'],
  ])('S3 storage reports a full store (%d %s) separately from other failures', async (status, code) => {
    const { storage, store } = await aBucket()
    store.fault = ({ method }) => (method === 'PUT' ? { status, code } : null)
    for (const size of [10, 3 * MIB])
      await expect(storage.put('a', chunksOf(randomBytes(size)))).rejects.toBeInstanceOf(StorageFullError)
    store.fault = () => null
    await storage.put('a', chunksOf(Buffer.from('x')))
  })

  it('S3 storage retries a request if the store is briefly busy', async () => {
    const { storage, store } = await aBucket()
    let busy = 0
    store.fault = ({ name }) =>
      name === 'PutObject' && (busy += 1) <= 2 ? { status: 503, code: 'SlowDown' } : null
    await storage.put('a', chunksOf(Buffer.from('x')))
    expect(busy).toBe(3)
  })

  it('S3 storage ends a stream with an error if a response is cut off or never ends', async () => {
    const { storage, store } = await aBucket({ answerMs: 300, requestMs: 400, stallMs: 300 })
    await storage.put('a', chunksOf(randomBytes(MIB)))
    for (const fault of ['cut', 'stall'] as const) {
      store.fault = ({ method }) => (method === 'GET' ? fault : null)
      await expect(readObject(storage, 'a')).rejects.toBeInstanceOf(StorageUnavailableError)
      await expect(storage.withLocalFile('a', async () => 1)).rejects.toBeInstanceOf(StorageUnavailableError)
    }
    store.fault = ({ method }) => (method === 'GET' ? 'hang' : null)
    await expect(storage.open('a')).rejects.toBeInstanceOf(StorageUnavailableError)
  })

  it('S3 storage does not report a stalled store if only the reader is slow', async () => {
    const { storage, again } = await aBucket()
    const bytes = randomBytes(4 * MIB)
    await storage.put('a', chunksOf(bytes))
    const impatient = await again({ stallMs: 400 })
    const opened = await impatient.open('a')
    const parts: Buffer[] = []
    for await (const part of opened?.stream ?? []) {
      if (parts.length === 0) await wait(1_200)
      parts.push(part as Buffer)
    }
    expect(Buffer.concat(parts).equals(bytes)).toBe(true)
  })

  it('the check of S3 storage reports an unreachable store before its time limit', async () => {
    const { storage, store } = await aBucket({ checkMs: 200 })
    store.fault = () => 'hang'
    const begun = performance.now()
    await expect(storage.check()).rejects.toThrow('The check of the bucket failed: TimeoutError.')
    expect(performance.now() - begun).toBeLessThan(2_000)
  })
})

/** The faults of a store. Each has a name, and the reaction of the store to a request. */
const FAULTS = [
  ['500', { status: 500, code: 'InternalError' }],
  ['503', { status: 503, code: 'SlowDown' }],
  ['403', { status: 403, code: 'AccessDenied' }],
  ['hangs', 'hang'],
  ['slow', { delayMs: 20 }],
  ['cuts', 'cut'],
  ['forgets', 'forget'],
  ['wrong bytes', 'corrupt'],
  ['damaged on the way', 'damage'],
  ['loses answers', 'lose-answer'],
  ['full', { status: 507, code: 'XMinioStorageFull' }],
] as const

it('T105 an object is reported as stored only if the failing store has really stored it', async () => {
  const cases = 500
  const patience = {
    answerMs: 100,
    requestMs: 150,
    partAnswerMs: 100,
    partRequestMs: 150,
    checkMs: 150,
    stallMs: 150,
  }
  const outcomes = { stored: 0, refused: 0, falseSuccesses: 0, otherErrors: 0, left: 0 }
  const large = randomBytes(3 * MIB)
  // The test uses several stores at once. Each has its own uploads and its own fault.
  const lane = async (first: number, lanes: number): Promise<void> => {
    const { again, store, pendingFolder } = await aBucket()
    const storage = await openedDespiteLoad(() => again(patience))
    for (let index = first; index < cases; index += lanes) {
      const [, fault] = FAULTS[index % FAULTS.length] ?? FAULTS[0]
      const round = Math.floor(index / FAULTS.length)
      // The fault begins after some requests, so that it hits each step of an upload. In every third round, it ends
      // after one request.
      let requests = 0
      const isBrief = round % 3 === 2
      store.reports = { checksums: round % 2 === 0, md5: round % 5 < 3 }
      store.fault = () => {
        requests += 1
        return requests > round % 4 && (!isBrief || requests === (round % 4) + 1) ? fault : null
      }
      const bytes = round % 5 === 0 ? large : randomBytes(1 + (index % 5000))
      const key = `models/${index}`
      try {
        await storage.put(key, chunksOf(bytes, 500_000))
        outcomes.stored += 1
        if (!store.objects.get(key)?.bytes.equals(bytes)) outcomes.falseSuccesses += 1
      } catch (error) {
        outcomes.refused += 1
        const isKnownError = error instanceof StorageUnavailableError || error instanceof StorageFullError
        if (!isKnownError) outcomes.otherErrors += 1
      }
    }
    outcomes.left += (await readdir(pendingFolder)).length
  }
  await Promise.all(Array.from({ length: 10 }, (_, first) => lane(first, 10)))
  console.info(
    `T105 a failing S3: false successes ${outcomes.falseSuccesses} of ${cases}; stored ${outcomes.stored}, refused ${outcomes.refused}, errors of other kinds ${outcomes.otherErrors}, files left ${outcomes.left}`,
  )
  expect(outcomes).toMatchObject({ falseSuccesses: 0, otherErrors: 0, left: 0 })
  expect(outcomes.stored + outcomes.refused).toBe(cases)
  expect(Math.min(outcomes.stored, outcomes.refused)).toBeGreaterThan(50)
})
