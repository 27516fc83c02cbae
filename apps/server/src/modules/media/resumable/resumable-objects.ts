import { errorEntry } from '@pegasus/contracts/errors'
import type { FastifyRequest } from 'fastify'
import { auditContextOf } from '../../../platform/actor.ts'
import type { Clock } from '../../../platform/clock.ts'
import { AppError } from '../../../platform/errors/app-error.ts'
import type { ResumableUploads, UploadRow } from '../../../platform/resumable/resumable-uploads.ts'
import type { TusRules, UploadRequest } from '../../../platform/resumable/tus-protocol.ts'
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
export function placeOf({ metadata }: Pick<UploadRequest, 'metadata'>): { bucket: string; name: string } {
  const [bucket, name] = [metadata.get('bucketName'), metadata.get('objectName')]
  if (!bucket || !name)
    throw new AppError('MALFORMED_REQUEST', { text: 'Upload-Metadata must name bucketName and objectName.' })
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

  const target = async (requested: UploadRequest): Promise<UploadTarget> => {
    const { bucket, name } = placeOf(requested)
    const found = await media.target(bucket, name, requested.targetId)
    if (requested.lengthBytes > found.limitBytes) throw new AppError('PAYLOAD_TOO_LARGE')
    if (found.kind === null) assertAllowedType(typeOf(requested), found.bucket.allowed_mime_types)
    return found
  }

  const store = async (
    upload: UploadRow,
    requested: UploadRequest,
    caller: StorageCaller,
    request: FastifyRequest,
  ) => {
    const place = await target(requested)
    const pending = await storage.begin()
    try {
      for await (const bytes of uploads.read(upload)) await pending.write(bytes)
    } catch (error) {
      await pending.abort()
      throw error
    }
    const received = {
      pending,
      contentType: typeOf(requested),
      cacheControl: cacheControlOf(requested.metadata.get('cacheControl')),
      userMetadata: metadataOf(requested.metadata.get('metadata')),
    }
    const end = uploads.end(upload, 'finished')
    const options = { replaces: requested.replaces, ownerId: ownerOf(caller), claim: end.claim }
    await media.store(place, received, options, auditContextOf(request, caller, clock))
    await end.release()
  }

  return {
    purpose: 'object',

    async admit(requested, _caller, stage) {
      const { bucket, name } = await target(requested)
      metadataOf(requested.metadata.get('metadata'))
      if (stage === 'begin' && !requested.replaces && (await media.namesOf(bucket.id, [name])).size > 0)
        throw new AppError('OBJECT_EXISTS')
      return bucket.uid
    },

    async complete(upload, requested, caller, request) {
      await store(upload, requested, caller, request).catch(async (error: unknown) => {
        // Another replica may have stored the same upload while this one was reading the bytes.
        if (await uploads.isFinished(upload)) return
        if (isFinal(error)) await uploads.remove(upload)
        throw error
      })
    },
  }
}

const typeOf = ({ metadata }: UploadRequest): string => metadata.get('contentType') || UNKNOWN_TYPE
