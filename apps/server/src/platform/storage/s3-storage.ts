import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { DAY_MS } from '../clock.ts'
import type { ServiceLog } from '../log/service-log.ts'
import { assertKey, ObjectNotFoundError, type ObjectStorage, PROBES, putWhole } from './object-storage.ts'
import { openPendingFolder } from './pending-folder.ts'
import type { S3Settings } from './s3-address.ts'
import { openBucket, type S3Bucket } from './s3-bucket.ts'
import { S3_TIMEOUTS, type S3Timeouts } from './s3-client.ts'
import { S3Error } from './s3-errors.ts'
import { S3Destination } from './s3-upload.ts'

/**
 * Stores objects in a bucket, which any number of processes may share. The bytes first go to a file in `folder`,
 * because a bucket needs their length and key in advance. Throws S3Error if storing, reading, listing or deleting in
 * the bucket is not permitted.
 */
export async function openS3Storage(options: {
  settings: S3Settings
  /** The local folder for uploads in progress, and for objects that are provided as files. */
  folder: string
  log: ServiceLog
  patience?: Partial<S3Timeouts>
}): Promise<ObjectStorage> {
  const patience = { ...S3_TIMEOUTS, ...options.patience }
  const bucket = openBucket(options.settings, patience)
  const pendingFiles = await openPendingFolder(options.folder, options.log)
  const begin = () => pendingFiles.begin(new S3Destination(bucket))
  const put: ObjectStorage['put'] = (key, source) => putWhole(begin, key, source)

  const storage: ObjectStorage = {
    begin,
    put,
    async open(key, range) {
      assertKey(key)
      return bucket.get(key, range)
    },
    async stat(key) {
      assertKey(key)
      const found = await bucket.head(key)
      return found && { sizeBytes: found.sizeBytes, modifiedAt: found.modifiedAt }
    },
    async delete(key) {
      assertKey(key)
      await bucket.remove(key)
    },
    list: (prefix) => listOurs(bucket, prefix),
    async withLocalFile(key, work) {
      const opened = await storage.open(key)
      if (opened === null) throw new ObjectNotFoundError(`There is no object ${key}.`)
      const copy = await pendingFiles.begin(new S3Destination(bucket))
      try {
        for await (const chunk of opened.stream as AsyncIterable<Uint8Array>) await copy.write(chunk)
        return await copy.withLocalFile(work)
      } finally {
        opened.stream.destroy()
        await copy.abort()
      }
    },
    check: () => within(patience.checkMs, probe(storage, bucket)),
    async sweep() {
      return (await pendingFiles.sweep()) + (await sweepBucket(bucket, options.log))
    },
  }
  await within(patience.startMs, rehearse(storage, bucket))
  return storage
}

/** Yields the objects whose keys could be ours. Other objects in the bucket are ignored. */
async function* listOurs(bucket: S3Bucket, prefix: string) {
  for await (const object of bucket.list(prefix)) if (isOurs(object.key)) yield object
}

function isOurs(key: string): boolean {
  try {
    assertKey(key)
    return true
  } catch {
    return false
  }
}

/** Stores a test object and removes it. */
async function probe(storage: ObjectStorage, bucket: S3Bucket): Promise<void> {
  const key = `${PROBES}${randomUUID()}`
  const pending = await storage.begin()
  try {
    await pending.write(Buffer.from('probe'))
    await pending.commit(key)
  } finally {
    await pending.abort()
  }
  await bucket.remove(key)
}

/**
 * Tries every operation once. So a missing permission prevents the start, and is not noticed only when an upload fails.
 */
async function rehearse(storage: ObjectStorage, bucket: S3Bucket): Promise<void> {
  const key = `${PROBES}${randomUUID()}`
  // List first. If listing is refused, the response says why. The response to a HEAD request would have no body.
  for await (const _object of bucket.list(key));
  // Then look for a missing object. Without the permission to list, S3 reports it as forbidden instead of missing.
  await storage.stat(key)
  await storage.put(key, Readable.from([Buffer.from('probe')]))
  await storage.withLocalFile(key, async () => undefined)
  await bucket.remove(key)
}

/**
 * Aborts uploads that began more than a day ago, and removes leftover test objects. Returns the number of
 * both together.
 */
async function sweepBucket(bucket: S3Bucket, log: ServiceLog): Promise<number> {
  const before = Date.now() - DAY_MS
  let count = 0
  try {
    for await (const upload of bucket.listUploads()) {
      if (!isOurs(upload.key) || upload.begunAt.getTime() > before) continue
      await bucket.abortUpload(upload)
      count += 1
    }
  } catch (error) {
    // Not every store can list uploads. In that case the store's own lifecycle rules must end them.
    log.warn({ err: error }, 'unfinished uploads of the bucket could not be listed')
  }
  for await (const { key, modifiedAt } of bucket.list(PROBES)) {
    if (modifiedAt.getTime() > before) continue
    await bucket.remove(key)
    count += 1
  }
  if (count > 0) log.info({ count }, 'removed unfinished uploads of the bucket')
  return count
}

async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(new S3Error('The check of the bucket', 'TimeoutError')), ms)
  try {
    return await Promise.race([work, late.promise])
  } finally {
    clearTimeout(timer)
  }
}
