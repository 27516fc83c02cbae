import { createHash } from 'node:crypto'
import { type FileHandle, rm } from 'node:fs/promises'
import type { CompletedPart } from '@aws-sdk/client-s3'
import { assertKey, type StoredObject } from './object-storage.ts'
import type { CompleteFile, Destination } from './pending-file.ts'
import type { S3Bucket, Upload } from './s3-bucket.ts'
import { S3Error } from './s3-errors.ts'

/** Larger files are sent in parts before the commit, even if there is only one part. */
const WHOLE_BYTES = 2 * 1024 * 1024
/** The size of a part. A part is in memory while it is sent. */
const PART_BYTES = 8 * 1024 * 1024
/** The maximum number of parts. S3 allows ten thousand. */
const MAX_PARTS = 9_000
/** How many parts of one file are sent at the same time. */
const LANES = 3

const DOING = 'Storing an object'

/** A file whose parts are in the store. It is invisible until the upload is completed. */
interface SentFile {
  upload: Upload
  parts: CompletedPart[]
  sha256: string
  proof: Proof
}

/** The checksums that the store reports if it has stored the bytes of an object correctly. */
interface Proof {
  /** For a multipart upload, this is the checksum of the parts' checksums, followed by the number of parts. */
  checksum: string
  /** The MD5. For a multipart upload, it is the MD5 of the parts' MD5s, followed by the number of parts. */
  etag: string
}

/**
 * Sends one file to the bucket. A large file is sent as soon as its key is known, so that the later commit is quick.
 */
export class S3Destination implements Destination {
  readonly #bucket: S3Bucket
  #sent: SentFile | null = null

  constructor(bucket: S3Bucket) {
    this.#bucket = bucket
  }

  async prepare(file: CompleteFile, key: string | null): Promise<void> {
    if (key === null || file.sizeBytes <= WHOLE_BYTES) return
    assertKey(key)
    await this.discard()
    this.#sent = await sendInParts(this.#bucket, file, key)
  }

  async place(file: CompleteFile, key: string): Promise<void> {
    assertKey(key)
    if (file.sizeBytes <= WHOLE_BYTES) await this.#placeWhole(file, key)
    else await this.#placeParts(file, key)
    await rm(file.path, { force: true })
  }

  async discard(): Promise<void> {
    const sent = this.#sent
    this.#sent = null
    // If the store is unreachable right now, the parts stay until the next sweep.
    if (sent) await this.#bucket.abortUpload(sent.upload).catch(() => undefined)
  }

  async #placeWhole(file: CompleteFile, key: string): Promise<void> {
    const bytes = await readBytes(file.handle, 0, file.sizeBytes)
    await this.#bucket.put(key, bytes, file.sha256)
    const checksum = Buffer.from(file.sha256, 'hex').toString('base64')
    await verify(this.#bucket, key, file, { checksum, etag: md5Of(bytes).toString('hex') })
  }

  async #placeParts(file: CompleteFile, key: string): Promise<void> {
    if (this.#sent?.sha256 !== file.sha256 || this.#sent.upload.key !== key) await this.prepare(file, key)
    const sent = this.#sent
    if (!sent) throw new Error('A file of several parts was not sent.')
    await this.#bucket.completeUpload(sent.upload, sent.parts).catch((error: unknown) => {
      // If the response to the first attempt was lost, the upload has ended and no longer exists. Then the check below
      // decides.
      if (!(error instanceof S3Error && error.reason === 'NoSuchUpload')) throw error
    })
    await verify(this.#bucket, key, file, sent.proof)
    this.#sent = null
  }
}

async function sendInParts(bucket: S3Bucket, file: CompleteFile, key: string): Promise<SentFile> {
  const upload = { key, id: await bucket.beginUpload(key) }
  try {
    return await sendParts(bucket, file, upload)
  } catch (error) {
    await bucket.abortUpload(upload).catch(() => undefined)
    throw error
  }
}

async function sendParts(bucket: S3Bucket, file: CompleteFile, upload: Upload): Promise<SentFile> {
  const partBytes = Math.max(PART_BYTES, Math.ceil(file.sizeBytes / MAX_PARTS))
  const count = Math.ceil(file.sizeBytes / partBytes)
  const parts: CompletedPart[] = []
  const sums: Buffer[] = []
  const md5s: Buffer[] = []
  let next = 0
  let isFailed = false
  const send = async (): Promise<void> => {
    while (next < count && !isFailed) {
      const index = next
      next += 1
      const start = index * partBytes
      const bytes = await readBytes(file.handle, start, Math.min(partBytes, file.sizeBytes - start))
      const sum = createHash('sha256').update(bytes).digest()
      sums[index] = sum
      md5s[index] = md5Of(bytes)
      parts[index] = await bucket.putPart(upload, index + 1, bytes, sum.toString('hex'))
    }
  }
  const lanes = Array.from({ length: LANES }, async () => {
    try {
      await send()
    } catch (error) {
      isFailed = true
      throw error
    }
  })
  // Wait until all parts are sent or have failed, because an upload must not be aborted while it gets parts.
  const failed = (await Promise.allSettled(lanes)).find((lane) => lane.status === 'rejected')
  if (failed) throw failed.reason
  const proof = {
    checksum: `${createHash('sha256').update(Buffer.concat(sums)).digest('base64')}-${count}`,
    etag: `${md5Of(Buffer.concat(md5s)).toString('hex')}-${count}`,
  }
  return { upload, parts, sha256: file.sha256, proof }
}

async function readBytes(handle: FileHandle, start: number, length: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(length)
  for (let at = 0; at < length; ) {
    const { bytesRead } = await handle.read(bytes, at, length - at, start + at)
    if (bytesRead === 0) throw new Error('A file in progress has become shorter.')
    at += bytesRead
  }
  return bytes
}

/** Returns the MD5. It does not protect against attackers, but some stores report no other checksum. */
const md5Of = (bytes: Uint8Array): Buffer => createHash('md5').update(bytes).digest()

/**
 * Throws unless the bucket has stored these bytes. Compares the checksums that the store reports. If it reports none,
 * reads the object.
 */
async function verify(bucket: S3Bucket, key: string, file: StoredObject, proof: Proof): Promise<void> {
  const found = await bucket.head(key)
  if (found?.sizeBytes !== file.sizeBytes) throw new S3Error(DOING, 'NotStored')
  if (found.checksum === null ? found.etag === proof.etag : found.checksum === proof.checksum) return
  const opened = await bucket.get(key)
  if (opened === null) throw new S3Error(DOING, 'NotStored')
  const hash = createHash('sha256')
  for await (const chunk of opened.stream as AsyncIterable<Buffer>) hash.update(chunk)
  if (hash.digest('hex') !== file.sha256) throw new S3Error(DOING, 'WrongBytes')
}
