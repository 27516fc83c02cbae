import { v4 as uuidv4, v7 as uuidv7 } from 'uuid'
import type { AuditContext } from '../../../platform/actor.ts'
import type { Database, TransactionSql } from '../../../platform/database/database.ts'
import { AppError } from '../../../platform/errors/app-error.ts'
import { writeAudit } from '../../audit/index.ts'
import { assertAllowedType, isCleaned } from '../buckets/bucket-rules.ts'
import { CONTENT_TYPES } from '../detect-format.ts'
import { findNames, holdBucket, lockObjectName, type ObjectRow, upsertObject } from '../media.queries.ts'
import type { Media, UploadTarget } from '../media.service.ts'
import { getCopied, lockObject, type ObjectPath, renameObject } from './move-objects.queries.ts'

/** A file to move or copy. `version`, if set, must be its current version. */
type Source = ObjectPath & { version?: string | undefined }

/** The fields in which a copy differs from the original. */
export interface CopyOptions {
  replaces: boolean
  ownerId: string | null
  /** Undefined to keep the value of the original. */
  cacheControl?: string | undefined
  /** The metadata from the client. Undefined to keep the metadata of the original. */
  userMetadata?: Record<string, unknown> | null | undefined
}

/**
 * Moves and copies files. The bytes stay in place, because their storage key is their hash. Both functions
 * throw BUCKET_NOT_FOUND, OBJECT_NOT_FOUND, OBJECT_KEY_INVALID, OBJECT_EXISTS, PAYLOAD_TOO_LARGE if the file
 * is too large for the bucket, or MEDIA_TYPE_REFUSED or MIME_TYPE_REFUSED if the bucket does not accept its
 * type. If they throw, nothing has changed.
 */
export interface ObjectChanges {
  move(from: Source, to: ObjectPath, by: AuditContext): Promise<{ id: string; name: string }>
  copy(from: Source, to: ObjectPath, options: CopyOptions, by: AuditContext): Promise<ObjectRow>
}

const keyOf = ({ bucket_id: bucket, name }: ObjectRow): string => `${bucket}/${name}`

const byPlace = (a: ObjectPath, b: ObjectPath): number =>
  `${a.bucket}/${a.name}` < `${b.bucket}/${b.name}` ? -1 : 1

/**
 * Throws if the destination does not accept the file. Moving does not convert a file. So the bucket for the
 * shop's media accepts only files that were already cleaned, and other buckets accept their allowed types.
 */
function assertFits(file: ObjectRow, { bucket, kind }: UploadTarget): void {
  if (kind === null) assertAllowedType(file.content_type, bucket.allowed_mime_types)
  else if (!isCleaned(file.bucket_id))
    throw new AppError('MEDIA_TYPE_REFUSED', {
      text: `Files can be added to ${bucket.id} only by an upload, which removes hidden data.`,
    })
  else if (CONTENT_TYPES[kind] !== file.content_type)
    throw new AppError('MEDIA_TYPE_REFUSED', {
      text: `The type of this file is ${file.content_type}, so the new name must have a file extension of this type.`,
    })
  const mayBeTooLarge = bucket.id !== file.bucket_id && bucket.file_size_limit !== null
  if (mayBeTooLarge && file.size_bytes > (bucket.file_size_limit ?? 0))
    throw new AppError('PAYLOAD_TOO_LARGE')
}

export function createObjectChanges({
  database,
  media,
}: {
  database: Database
  media: Media
}): ObjectChanges {
  /** Checks source and destination, then runs the work while both names are locked. */
  const between = async <T>(
    from: Source,
    to: ObjectPath,
    work: (tx: TransactionSql, file: ObjectRow, target: UploadTarget) => Promise<T>,
  ): Promise<T> => {
    const { bucket_id: bucket, bucket_uid: uid, name } = await media.get(from.bucket, from.name)
    const target = await media.target(to.bucket, to.name)
    return database.transaction(async (tx) => {
      // Since the checks above, a bucket may have been replaced by a new bucket with the same name.
      for (const checked of [{ id: bucket, uid }, target.bucket])
        if (!(await holdBucket(tx, checked))) throw new AppError('BUCKET_NOT_FOUND')
      const ends = [
        { bucket, name },
        { bucket: target.bucket.id, name: target.name },
      ].toSorted(byPlace)
      // Always lock the names in the same order. Otherwise, a move from A to B and a move from B to A could deadlock.
      for (const end of ends) await lockObjectName(tx, end.bucket, end.name)
      // While this row is locked, the hourly cleanup does not remove the bytes, because a row still uses them.
      const file = await lockObject(tx, { bucket, name })
      if (!file || (from.version ?? file.version) !== file.version) throw new AppError('OBJECT_NOT_FOUND')
      assertFits(file, target)
      return work(tx, file, target)
    })
  }

  return {
    move: (from, to, by) =>
      between(from, to, async (tx, file, { bucket, name }) => {
        const moved = { id: file.id, name }
        if (file.bucket_id === bucket.id && file.name === name) return moved
        if ((await findNames(tx, bucket.id, [name])).size > 0) throw new AppError('OBJECT_EXISTS')
        await renameObject(tx, file.id, { bucket: bucket.id, name, version: uuidv4(), now: by.now })
        const key = `${bucket.id}/${name}`
        const event = { entity: 'media', entityId: file.id, entityName: key } as const
        const names = { before: { name: keyOf(file) }, after: { name: key } }
        await writeAudit(tx, { action: 'media.moved', ...event, ...names }, by)
        return moved
      }),

    copy: (from, to, { replaces, ownerId, cacheControl, userMetadata }, by) =>
      between(from, to, async (tx, file, { bucket, name }) => {
        const copy = {
          id: uuidv7(),
          bucket: bucket.id,
          name,
          storageKey: file.storage_key,
          sha256: file.sha256,
          sizeBytes: file.size_bytes,
          contentType: file.content_type,
          cacheControl: cacheControl ?? file.cache_control,
          widthPx: file.width_px,
          heightPx: file.height_px,
          userMetadata: userMetadata === undefined ? file.user_metadata : userMetadata,
          version: uuidv4(),
          ownerId,
          now: by.now,
        }
        const stored = await upsertObject(tx, copy, { replaces })
        if (!stored) throw new AppError('OBJECT_EXISTS')
        const event = { entity: 'media', entityId: stored.id, entityName: `${bucket.id}/${name}` } as const
        const after = { content: file.sha256, size_bytes: file.size_bytes, copied_from: keyOf(file) }
        const before = stored.previous === null ? {} : { before: { content: stored.previous } }
        await writeAudit(tx, { action: 'media.stored', ...event, ...before, after }, by)
        return getCopied(tx, stored.id)
      }),
  }
}
