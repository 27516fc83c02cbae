import type { FastifyRequest } from 'fastify'
import { auditContextOf } from '../../../platform/actor.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { UserPrincipal } from '../../../platform/http/principal.ts'
import type { ObjectStorage } from '../../../platform/storage/object-storage.ts'
import type { Media } from '../media.service.ts'
import { receiveUpload } from './receive-upload.ts'

/**
 * Stores the file of a request for an account. The destination is checked before the bytes are read. Throws the
 * errors of `Media.target`, `receiveUpload` and `Media.store`.
 */
export type StoreUpload = (
  request: FastifyRequest,
  place: { bucket: string; name: string },
  options: { user: UserPrincipal; replaces: boolean },
) => Promise<{ id: string; key: string }>

export function createStoreUpload(deps: { media: Media; storage: ObjectStorage; clock: Clock }): StoreUpload {
  const { media, storage, clock } = deps
  return async (request, { bucket, name }, { user, replaces }) => {
    const target = await media.target(bucket, name)
    const received = await receiveUpload(request, { storage, limitBytes: target.limitBytes })
    const options = { replaces, ownerId: user.accountId }
    return media.store(target, received, options, auditContextOf(request, user, clock))
  }
}
