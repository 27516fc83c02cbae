import type { FastifyRequest } from 'fastify'
import { auditContextOf } from '../../../platform/actor.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { ObjectStorage } from '../../../platform/storage/object-storage.ts'
import { assertAllowedType } from '../buckets/bucket-rules.ts'
import type { Media } from '../media.service.ts'
import { ownerOf, type StorageCaller } from '../storage-caller.ts'
import { receiveUpload } from './receive-upload.ts'

/**
 * Stores the file of a request for its caller. Checks the destination before it reads the bytes. Throws the
 * errors of `Media.target`, `receiveUpload` and `Media.store`.
 */
export type StoreUpload = (
  request: FastifyRequest,
  place: { bucket: string; name: string; bucketUid?: string | null },
  options: { user: StorageCaller; replaces: boolean },
) => Promise<{ id: string; key: string }>

export function createStoreUpload(deps: { media: Media; storage: ObjectStorage; clock: Clock }): StoreUpload {
  const { media, storage, clock } = deps
  return async (request, { bucket, name, bucketUid }, { user, replaces }) => {
    const target = await media.target(bucket, name, bucketUid)
    const { bucket: into, kind, limitBytes } = target
    const isRaw = kind === null
    const received = await receiveUpload(request, {
      storage,
      limitBytes,
      mayBeEmpty: isRaw,
      assertType: (type) => isRaw && assertAllowedType(type, into.allowed_mime_types),
    })
    const options = { replaces, ownerId: ownerOf(user) }
    return media.store(target, received, options, auditContextOf(request, user, clock))
  }
}
