import { Readable } from 'node:stream'
import {
  AbortMultipartUploadCommand,
  type CompletedPart,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  UploadPartCommand,
} from '@aws-sdk/client-s3'
import { createBoundedQueue } from '../workers/bounded-queue.ts'
import type { ByteRange } from './object-storage.ts'
import type { S3Settings } from './s3-address.ts'
import { watchBody } from './s3-body.ts'
import { createClient, type S3Timeouts } from './s3-client.ts'
import { isMissing, S3Error, toS3Error } from './s3-errors.ts'

/** The number of parts that are uploaded at the same time, for all uploads together. Each of them is in memory. */
const SENDERS = 12
/** How long a part may wait until it can be sent. */
const TURN_MS = 60_000

/** Metadata of an object in the store. */
export interface S3Head {
  sizeBytes: number
  modifiedAt: Date
  /** The SHA-256 in Base64; null if the store does not report it. */
  checksum: string | null
  /** The entity tag. Most stores use the MD5 in hexadecimal digits. */
  etag: string | null
}

/** The requests to a bucket. Each request throws S3Error or StorageFullError. */
export interface S3Bucket {
  put(key: string, bytes: Uint8Array, sha256: string): Promise<void>
  head(key: string): Promise<S3Head | null>
  /**
   * Opens an object, or returns null if there is none. Throws RangeError if the range starts after the end of
   * the object.
   */
  get(key: string, range?: ByteRange): Promise<{ stream: Readable; sizeBytes: number } | null>
  remove(key: string): Promise<void>
  list(prefix: string): AsyncGenerator<{ key: string; modifiedAt: Date }>
  beginUpload(key: string): Promise<string>
  putPart(upload: Upload, number: number, bytes: Uint8Array, sha256: string): Promise<CompletedPart>
  completeUpload(upload: Upload, parts: CompletedPart[]): Promise<void>
  abortUpload(upload: Upload): Promise<void>
  listUploads(): AsyncGenerator<Upload & { begunAt: Date }>
}

/** A multipart upload. It is invisible until it is complete. */
export interface Upload {
  key: string
  id: string
}

interface SendOptions {
  abortSignal: AbortSignal
}

const base64Of = (hex: string): string => Buffer.from(hex, 'hex').toString('base64')

/** Creates the client of a bucket. It connects with the first call. */
export function openBucket(settings: S3Settings, patience: S3Timeouts): S3Bucket {
  const client = createClient(settings, patience)
  const { bucket: Bucket } = settings
  const senders = createBoundedQueue({ concurrency: SENDERS, maxWaiting: Infinity })

  /** Sends a request. The time limit ends when the headers of the response arrive. The body has a limit of its own. */
  const ask = async <T>(
    doing: string,
    request: (options: SendOptions) => Promise<T>,
    timeoutMs = patience.requestMs,
  ): Promise<T> => {
    const late = new AbortController()
    const timer = setTimeout(() => late.abort(), timeoutMs)
    try {
      return await request({ abortSignal: late.signal })
    } catch (error) {
      throw toS3Error(doing, error)
    } finally {
      clearTimeout(timer)
    }
  }

  const inTurn = async <T>(work: () => Promise<T>): Promise<T> => {
    const late = AbortSignal.timeout(TURN_MS)
    return senders.run(work, late).catch((error: unknown) => {
      throw error === late.reason ? new S3Error('Storing a part', 'TooManyUploads') : error
    })
  }

  return {
    async put(Key, Body, sha256) {
      const sum = { ContentLength: Body.byteLength, ChecksumSHA256: base64Of(sha256) }
      const command = new PutObjectCommand({ Bucket, Key, Body, ...sum })
      await ask('Storing an object', (options) => client.send(command, options))
    },

    async head(Key) {
      const command = new HeadObjectCommand({ Bucket, Key, ChecksumMode: 'ENABLED' })
      try {
        const found = await ask('Looking for an object', (options) => client.send(command, options))
        const { ContentLength: sizeBytes, LastModified: modifiedAt, ChecksumSHA256, ETag } = found
        if (sizeBytes === undefined || modifiedAt === undefined)
          throw new S3Error('Looking for an object', 'IncompleteAnswer')
        const etag = ETag?.replaceAll('"', '') ?? null
        return { sizeBytes, modifiedAt, checksum: ChecksumSHA256 ?? null, etag }
      } catch (error) {
        if (isMissing(error)) return null
        throw error
      }
    },

    async get(Key, range) {
      if (range && range.start < 0) throw new RangeError('The range begins before the start.')
      const Range = range && `bytes=${range.start}-${range.end ?? ''}`
      const command = new GetObjectCommand({ Bucket, Key, ...(Range !== undefined && { Range }) })
      try {
        const answer = await ask('Reading an object', (options) => client.send(command, options))
        const { Body, ContentLength, ContentRange } = answer
        if (!(Body instanceof Readable)) throw new S3Error('Reading an object', 'IncompleteAnswer')
        const content = judgeAnswer(range, ContentLength, ContentRange)
        if (content) {
          return { stream: watchBody(Body, content.length, patience.stallMs), sizeBytes: content.sizeBytes }
        }
        Body.on('error', () => undefined).destroy()
        throw new S3Error('Reading an object', 'WrongRange')
      } catch (error) {
        if (isMissing(error)) return null
        if (error instanceof S3Error && error.status === 416)
          throw new RangeError('The range begins after the end.')
        throw error
      }
    },

    async remove(Key) {
      const command = new DeleteObjectCommand({ Bucket, Key })
      try {
        await ask('Removing an object', (options) => client.send(command, options))
      } catch (error) {
        if (!isMissing(error)) throw error
      }
    },

    async *list(Prefix) {
      let ContinuationToken: string | undefined
      do {
        const command = new ListObjectsV2Command({
          Bucket,
          Prefix,
          ...(ContinuationToken !== undefined && { ContinuationToken }),
        })
        const page = await ask('Listing objects', (options) => client.send(command, options))
        for (const { Key, LastModified } of page.Contents ?? [])
          if (Key !== undefined && LastModified !== undefined) yield { key: Key, modifiedAt: LastModified }
        ContinuationToken = page.IsTruncated ? page.NextContinuationToken : undefined
      } while (ContinuationToken !== undefined)
    },

    async beginUpload(Key) {
      const command = new CreateMultipartUploadCommand({ Bucket, Key, ChecksumAlgorithm: 'SHA256' })
      const { UploadId } = await ask('Beginning an upload', (options) => client.send(command, options))
      if (UploadId === undefined) throw new S3Error('Beginning an upload', 'IncompleteAnswer')
      return UploadId
    },

    async putPart({ key: Key, id: UploadId }, PartNumber, Body, sha256) {
      const sum = { ContentLength: Body.byteLength, ChecksumSHA256: base64Of(sha256) }
      const command = new UploadPartCommand({ Bucket, Key, UploadId, PartNumber, Body, ...sum })
      const { partAnswerMs: requestTimeout, partRequestMs } = patience
      const send = (options: SendOptions) => client.send(command, { ...options, requestTimeout })
      const { ETag, ChecksumSHA256 } = await inTurn(() => ask('Storing a part', send, partRequestMs))
      if (ETag === undefined) throw new S3Error('Storing a part', 'IncompleteAnswer')
      // If the store has returned no checksum of the part, leave it out, because such a store also refuses it here.
      return { PartNumber, ETag, ...(ChecksumSHA256 !== undefined && { ChecksumSHA256 }) }
    },

    async completeUpload({ key: Key, id: UploadId }, Parts) {
      const MultipartUpload = { Parts }
      const command = new CompleteMultipartUploadCommand({ Bucket, Key, UploadId, MultipartUpload })
      await ask('Completing an upload', (options) => client.send(command, options))
    },

    async abortUpload({ key: Key, id: UploadId }) {
      const command = new AbortMultipartUploadCommand({ Bucket, Key, UploadId })
      await ask('Ending an upload', (options) => client.send(command, options))
    },

    async *listUploads() {
      let markers: { KeyMarker?: string; UploadIdMarker?: string } | null = {}
      while (markers !== null) {
        const command: ListMultipartUploadsCommand = new ListMultipartUploadsCommand({ Bucket, ...markers })
        const page = await ask('Listing uploads', (options) => client.send(command, options))
        for (const { Key, UploadId, Initiated } of page.Uploads ?? [])
          if (Key !== undefined && UploadId !== undefined && Initiated !== undefined)
            yield { key: Key, id: UploadId, begunAt: Initiated }
        const { IsTruncated, NextKeyMarker: KeyMarker, NextUploadIdMarker: UploadIdMarker } = page
        const isMore = IsTruncated && KeyMarker !== undefined && UploadIdMarker !== undefined
        markers = isMore ? { KeyMarker, UploadIdMarker } : null
      }
    },
  }
}

/**
 * Returns the expected length of the body and the size of the object. Returns null if the response does not fit the
 * request.
 */
function judgeAnswer(
  range: ByteRange | undefined,
  length: number | undefined,
  contentRange: string | undefined,
): { length: number; sizeBytes: number } | null {
  if (length === undefined) return null
  if (range === undefined) return { length, sizeBytes: length }
  const [, from, to, total] = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(contentRange ?? '') ?? []
  const isAsked = Number(from) === range.start && length === Number(to) - range.start + 1
  return isAsked ? { length, sizeBytes: Number(total) } : null
}
