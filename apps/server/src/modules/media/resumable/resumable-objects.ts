import { errorEntry } from '@pegasus/contracts/errors'
import type { FastifyRequest } from 'fastify'
import { auditContextOf } from '../../../platform/actor.ts'
import type { Clock } from '../../../platform/clock.ts'
import { AppError } from '../../../platform/errors/app-error.ts'
import type { ResumableUploads, UploadRow } from '../../../platform/resumable/resumable-uploads.ts'
import type { TusRules, UploadWish } from '../../../platform/resumable/tus-protocol.ts'
import type { ObjectStorage } from '../../../platform/storage/object-storage.ts'
import { assertAllowedType } from '../buckets/bucket-rules.ts'
import type { Media, UploadTarget } from '../media.service.ts'
import { ownerOf, type StorageCaller } from '../storage-caller.ts'
import { cacheControlOf, metadataOf } from '../upload/receive-upload.ts'

const UNKNOWN_TYPE = 'application/octet-stream'

/** Returns whether a failure is final, so that sending the last byte again would change nothing. */
const isFinal = (error: unknown): boolean =>
  error instanceof AppError && errorEntry(error.code).status < 500 && error.code !== 'UPLOAD_NOT_FOUND'

/**
 * Returns the bucket and name of the object that an upload will become. Throws MALFORMED_REQUEST if one is
 * missing.
 */
export function placeOf({ metadata }: Pick<UploadWish, 'metadata'>): { bucket: string; name: string } {
  const [bucket, name] = [metadata.get('bucketName'), metadata.get('objectName')]
  if (!bucket || !name)
    throw new AppError('MALFORMED_REQUEST', { say: 'Upload-Metadata must name bucketName and objectName.' })
  return { bucket, name }
}

/** Creates the rules for resumable uploads that become storage objects. */
export function createObjectRules(deps: {
  storage: ObjectStorage
  clock: Clock
  media: Media
  uploads: ResumableUploads
}): TusRules<StorageCaller> {
  const { storage, clock, media, uploads } = deps

  const target = async (wish: UploadWish): Promise<UploadTarget> => {
    const { bucket, name } = placeOf(wish)
    const found = await media.target(bucket, name, wish.targetId)
    if (wish.lengthBytes > found.limitBytes) throw new AppError('PAYLOAD_TOO_LARGE')
    if (found.kind === null) assertAllowedType(typeOf(wish), found.bucket.allowed_mime_types)
    return found
  }

  const store = async (
    upload: UploadRow,
    wish: UploadWish,
    caller: StorageCaller,
    request: FastifyRequest,
  ) => {
    const place = await target(wish)
    const pending = await storage.begin()
    try {
      for await (const bytes of uploads.read(upload)) await pending.write(bytes)
    } catch (error) {
      await pending.abort()
      throw error
    }
    const received = {
      pending,
      contentType: typeOf(wish),
      cacheControl: cacheControlOf(wish.metadata.get('cacheControl')),
      userMetadata: metadataOf(wish.metadata.get('metadata')),
    }
    const end = uploads.end(upload, 'finished')
    const options = { replaces: wish.replaces, ownerId: ownerOf(caller), claim: end.claim }
    await media.store(place, received, options, auditContextOf(request, caller, clock))
    await end.release()
  }

  return {
    purpose: 'object',

    async admit(wish, _caller, stage) {
      const { bucket, name } = await target(wish)
      metadataOf(wish.metadata.get('metadata'))
      if (stage === 'begin' && !wish.replaces && (await media.namesOf(bucket.id, [name])).size > 0)
        throw new AppError('OBJECT_EXISTS')
      return bucket.uid
    },

    async complete(upload, wish, caller, request) {
      await store(upload, wish, caller, request).catch(async (error: unknown) => {
        // Another replica may have stored the same upload while this one was reading the bytes.
        if (await uploads.isFinished(upload)) return
        if (isFinal(error)) await uploads.remove(upload)
        throw error
      })
    },
  }
}

const typeOf = ({ metadata }: UploadWish): string => metadata.get('contentType') || UNKNOWN_TYPE
