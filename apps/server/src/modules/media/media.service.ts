import { open } from 'node:fs/promises'
import { MAX_PICTURE_BYTES, MAX_VIDEO_BYTES } from '@pegasus/contracts/media/media-files'
import { v4 as uuidv4, v7 as uuidv7 } from 'uuid'
import type { AuditContext } from '../../platform/actor.ts'
import type { Database, TransactionSql } from '../../platform/database/database.ts'
import { AppError, orThrow } from '../../platform/errors/app-error.ts'
import type { ObjectStorage, PendingObject } from '../../platform/storage/object-storage.ts'
import type { BoundedQueue } from '../../platform/workers/bounded-queue.ts'
import { writeAudit, writeAudits } from '../audit/index.ts'
import { isCleaned, isReadable } from './buckets/bucket-rules.ts'
import type { ReceivedUpload } from './upload/receive-upload.ts'
import { passCleanMp4 } from './upload/mp4.ts'
import { isWebmFile } from './upload/webm.ts'
import {
  CONTENT_TYPES,
  type PictureKind,
  type StoredFormat,
  type VideoKind,
  detectFormat,
  formatOfName,
  isVideoKind,
  SNIFF_BYTES,
} from './detect-format.ts'
import {
  deleteObjects,
  findBucket,
  findNames,
  findObject,
  type FoundObject,
  holdBucket,
  type IdentifiedBucket,
  type ListedRow,
  listFolder,
  type ListQuery,
  lockMediaBytes,
  lockObjectName,
  type ObjectRow,
  type RemovedObject,
  upsertObject,
} from './media.queries.ts'
import { isObjectName, readObjectName } from './object-name.ts'
import type { ReadScope } from './storage-caller.ts'
import { cleanPicture, PictureRefusedError } from './pictures/codec.ts'
import { mediaKeyOf } from './stored-media.ts'

export type { ObjectRow }

/** The destination of an upload, and the format that it allows. */
export interface UploadTarget {
  bucket: IdentifiedBucket
  name: string
  /** The format that the file must have. Null if the bucket stores bytes unchanged. */
  kind: StoredFormat | null
  limitBytes: number
}

export interface StoreOptions {
  replaces: boolean
  ownerId: string | null
  /** Runs first in the transaction that stores the file. If it throws, the file is not stored. */
  claim?: (tx: TransactionSql) => Promise<void>
}

export interface Media {
  /**
   * Checks the destination of an upload before its bytes are read. Throws BUCKET_NOT_FOUND (also if the
   * bucket is not the one of `bucketUid`), OBJECT_KEY_INVALID or MEDIA_TYPE_REFUSED.
   */
  target(bucket: string, path: string, bucketUid?: string | null): Promise<UploadTarget>
  /**
   * Stores a received file. The bucket for the shop's media re-encodes pictures and keeps videos unchanged.
   * All other buckets store every file unchanged. Throws MEDIA_REJECTED, OBJECT_EXISTS, PAYLOAD_TOO_LARGE, or
   * BUCKET_NOT_FOUND if the bucket was deleted in the meantime. If it throws, nothing has changed.
   */
  store(
    target: UploadTarget,
    upload: ReceivedUpload,
    options: StoreOptions,
    by: AuditContext,
  ): Promise<{ id: string; key: string }>
  /** Returns a bucket. Throws BUCKET_NOT_FOUND, also if the bucket is outside `scope`. */
  getBucket(id: string, scope: ReadScope): Promise<IdentifiedBucket>
  /** Returns a file. Throws OBJECT_NOT_FOUND or BUCKET_NOT_FOUND. A bucket outside `scope` is treated as missing. */
  get(bucket: string, path: string, scope?: ReadScope): Promise<FoundObject>
  /**
   * Returns which of the paths have a file, each with the normalized name of the file. Throws
   * BUCKET_NOT_FOUND.
   */
  namesOf(bucket: string, paths: readonly string[], scope?: ReadScope): Promise<ReadonlyMap<string, string>>
  list(query: ListQuery & { scope: ReadScope }): Promise<ListedRow[]>
  /** Removes files and returns those that existed. Throws BUCKET_NOT_FOUND. */
  remove(bucket: string, paths: readonly string[], by: AuditContext): Promise<RemovedObject[]>
}

const SAYS: Readonly<Record<StoredFormat, string>> = {
  jpeg: 'a picture',
  png: 'a picture',
  webp: 'a picture',
  avif: 'a picture',
  webm: 'a WebM video',
  mp4: 'an MP4 video',
  mov: 'a QuickTime video',
}

const rejected = (kind: StoredFormat): AppError =>
  new AppError('MEDIA_REJECTED', { text: `This file is not ${SAYS[kind]}, although its name says so.` })

/** A prepared upload: the bytes to store, and for a picture its dimensions. */
interface Prepared {
  pending: PendingObject
  contentType: string
  widthPx: number | null
  heightPx: number | null
}

export function createMedia(deps: {
  database: Database
  storage: ObjectStorage
  /** Limits parallel decoding, because a picture takes memory in proportion to its pixels. */
  turns: BoundedQueue
  uploadLimitBytes: number
}): Media {
  const { database, storage, turns } = deps

  const getBucket = async (id: string, scope: ReadScope = 'all') => {
    const bucket = orThrow(await findBucket(database.sql, id), 'BUCKET_NOT_FOUND')
    if (!isReadable(bucket, scope)) throw new AppError('BUCKET_NOT_FOUND')
    return bucket
  }

  const preparePicture = async (path: string, kind: PictureKind): Promise<Prepared> => {
    const { bytes, widthPx, heightPx } = await turns
      .run(() => cleanPicture(path, kind))
      .catch((error: unknown) => {
        if (error instanceof PictureRefusedError)
          throw new AppError('MEDIA_REJECTED', { text: error.message, cause: error })
        throw error
      })
    const pending = await storage.begin('own')
    try {
      await pending.write(bytes)
      return { pending, contentType: CONTENT_TYPES[kind], widthPx, heightPx }
    } catch (error) {
      await pending.abort()
      throw error
    }
  }

  /** Stores a copy of a video without its descriptions. Throws MEDIA_REJECTED if it is not a whole video. */
  const prepareMp4 = async (path: string, kind: VideoKind): Promise<Prepared> => {
    const pending = await storage.begin('own')
    try {
      const outcome = await passCleanMp4(path, (chunk) => pending.write(chunk))
      if (outcome === 'invalid') throw rejected(kind)
      if (outcome === 'sensors')
        throw new AppError('MEDIA_REJECTED', {
          text: 'This video contains sensor data, such as a location, that cannot be removed. Export it without this data.',
        })
      return { pending, contentType: CONTENT_TYPES[kind], widthPx: null, heightPx: null }
    } catch (error) {
      await pending.abort()
      throw error
    }
  }

  /**
   * Returns the bytes that the bucket for the shop's media stores: a WebM as received, another video without its
   * descriptions, or a re-encoded picture.
   */
  const clean = (received: PendingObject, kind: StoredFormat): Promise<Prepared> =>
    received.withLocalFile(async (path) => {
      const sniffed = detectFormat(await readHead(path))
      if (!isVideoKind(kind)) {
        if (sniffed === 'unknown' || sniffed === 'webm' || sniffed === 'mp4') throw rejected(kind)
        return preparePicture(path, kind)
      }
      if (sniffed !== (kind === 'webm' ? 'webm' : 'mp4')) throw rejected(kind)
      if (kind !== 'webm') return prepareMp4(path, kind)
      if (!(await isWebmFile(path))) throw rejected(kind)
      return { pending: received, contentType: CONTENT_TYPES[kind], widthPx: null, heightPx: null }
    })

  const prepare = async (
    { pending, contentType }: ReceivedUpload,
    kind: StoredFormat | null,
  ): Promise<Prepared> =>
    kind === null ? { pending, contentType, widthPx: null, heightPx: null } : clean(pending, kind)

  const commit = async (
    prepared: Prepared,
    target: UploadTarget,
    upload: ReceivedUpload,
    options: StoreOptions,
    by: AuditContext,
  ) => {
    const { bucket, name } = target
    const { sha256, sizeBytes } = await prepared.pending.seal(mediaKeyOf)
    return database.transaction(async (tx) => {
      await options.claim?.(tx)
      if (!(await holdBucket(tx, bucket))) throw new AppError('BUCKET_NOT_FOUND')
      // Store the bytes before the row is committed. After a crash in between, the hourly cleanup removes the bytes. In
      // the opposite order, a row without bytes could remain.
      await lockObjectName(tx, bucket.id, name)
      await lockMediaBytes(tx, sha256)
      const object = {
        id: uuidv7(),
        bucket: bucket.id,
        name,
        storageKey: mediaKeyOf(sha256),
        sha256,
        sizeBytes,
        contentType: prepared.contentType,
        cacheControl: upload.cacheControl,
        widthPx: prepared.widthPx,
        heightPx: prepared.heightPx,
        userMetadata: upload.userMetadata,
        version: uuidv4(),
        ownerId: options.ownerId,
        now: by.now,
      }
      const storedObject = await upsertObject(tx, object, options)
      if (!storedObject) throw new AppError('OBJECT_EXISTS')
      await prepared.pending.commit(object.storageKey)
      const { previous } = storedObject
      await writeAudit(
        tx,
        {
          action: 'media.stored',
          entity: 'media',
          entityId: storedObject.id,
          entityName: `${bucket.id}/${name}`,
          ...(previous !== null && { before: { content: previous } }),
          after: { content: sha256, size_bytes: sizeBytes },
        },
        by,
      )
      return { id: storedObject.id, key: `${bucket.id}/${name}` }
    })
  }

  return {
    async target(bucketId, path, bucketUid = null) {
      const bucket = await getBucket(bucketId)
      if (bucketUid !== null && bucketUid !== bucket.uid) throw new AppError('BUCKET_NOT_FOUND')
      const name = readObjectName(path)
      if (!isCleaned(bucket.id)) {
        const limitBytes = Math.min(deps.uploadLimitBytes, bucket.file_size_limit ?? deps.uploadLimitBytes)
        return { bucket, name, kind: null, limitBytes }
      }
      const kind = formatOfName(name)
      const isTaken = kind !== null && (bucket.allowed_mime_types?.includes(CONTENT_TYPES[kind]) ?? true)
      if (!isTaken)
        throw new AppError('MEDIA_TYPE_REFUSED', {
          text: 'Only pictures (.jpg, .jpeg, .png, .webp, .avif) and videos (.webm, .mp4, .m4v, .mov) can be stored here.',
        })
      const most = kind !== null && isVideoKind(kind) ? MAX_VIDEO_BYTES : MAX_PICTURE_BYTES
      const limitBytes = Math.min(most, deps.uploadLimitBytes, bucket.file_size_limit ?? most)
      return { bucket, name, kind, limitBytes }
    },

    async store(target, upload, options, by) {
      let prepared: Prepared | null = null
      try {
        prepared = await prepare(upload, target.kind)
        return await commit(prepared, target, upload, options, by)
      } finally {
        await upload.pending.abort()
        await prepared?.pending.abort()
      }
    },

    getBucket,

    async get(bucket, path, scope) {
      const row = await findObject(database.sql, { bucket, name: readObjectName(path), scope })
      if (row) return row
      await getBucket(bucket, scope)
      throw new AppError('OBJECT_NOT_FOUND')
    },

    async namesOf(bucketId, paths, scope) {
      const bucket = await getBucket(bucketId, scope)
      const names = new Map(paths.filter(isObjectName).map((path) => [path, readObjectName(path)]))
      const there = await findNames(database.sql, bucket.id, [...names.values()])
      return new Map([...names].filter(([, name]) => there.has(name)))
    },

    async list(query) {
      await getBucket(query.bucket, query.scope)
      return listFolder(database.sql, query)
    },

    async remove(bucketId, paths, by) {
      const bucket = await getBucket(bucketId)
      const names = paths.map(readObjectName)
      return database.transaction(async (tx) => {
        const removed = await deleteObjects(tx, bucket.id, names)
        const entries = removed.map(({ id, name }) => ({
          action: 'media.deleted' as const,
          entity: 'media' as const,
          entityId: id,
          entityName: `${bucket.id}/${name}`,
        }))
        await writeAudits(tx, entries, by)
        return removed
      })
    },
  }
}

async function readHead(path: string): Promise<Uint8Array> {
  const file = await open(path)
  try {
    const head = Buffer.alloc(SNIFF_BYTES)
    const { bytesRead } = await file.read(head, 0, SNIFF_BYTES, 0)
    return head.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}
