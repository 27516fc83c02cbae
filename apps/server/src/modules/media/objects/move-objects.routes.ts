import { storageCopy, storageMove } from '@pegasus/contracts/media/hosted-moves'
import { storageRemoveOne } from '@pegasus/contracts/media/hosted-objects'
import { AppError } from '../../../platform/errors/app-error.ts'
import type { Endpoints } from '../../../platform/http/endpoints.ts'
import { cacheControlOf, metadataHeaderOf } from '../upload/receive-upload.ts'
import type { Media } from '../media.service.ts'
import { ownerOf } from '../storage-caller.ts'
import type { ObjectChanges } from './move-objects.service.ts'

interface FromTo {
  bucketId: string
  sourceKey: string
  destinationKey: string
  destinationBucket?: string | undefined
  sourceVersionId?: string | undefined
}

const endsOf = ({ bucketId, sourceKey, sourceVersionId, destinationBucket, destinationKey }: FromTo) =>
  [
    { bucket: bucketId, name: sourceKey, version: sourceVersionId },
    { bucket: destinationBucket || bucketId, name: destinationKey },
  ] as const

/** Adds the endpoints that remove, move and copy files. */
export function addObjectRoutes(
  endpoints: Endpoints,
  { media, moving }: { media: Media; moving: ObjectChanges },
): void {
  endpoints.add(storageRemoveOne, async ({ params, audit }) => {
    const removed = await media.remove(params.bucket, [params['*']], audit)
    if (removed.length === 0) throw new AppError('OBJECT_NOT_FOUND')
    return { message: 'Successfully deleted' }
  })

  endpoints.add(storageMove, async ({ body, audit }) => {
    const [from, to] = endsOf(body)
    const { id, name } = await moving.move(from, to, audit)
    return { message: 'Successfully moved', Id: id, Key: name }
  })

  endpoints.add(storageCopy, async ({ body, user, request, audit }) => {
    const [from, to] = endsOf(body)
    const own = body.copyMetadata ? {} : ownOf(body.metadata?.cacheControl, metadataHeaderOf(request))
    const options = { replaces: request.headers['x-upsert'] === 'true', ownerId: ownerOf(user), ...own }
    const copy = await moving.copy(from, to, options, audit)
    return { ...copy, Id: copy.id, Key: `${copy.bucket_id}/${copy.name}` }
  })
}

/**
 * Returns the fields that a copy gets. If the cache setting is omitted, the copy keeps the original's. If the
 * metadata is omitted, the copy has none.
 */
const ownOf = (cacheControl: string | undefined, userMetadata: Record<string, unknown> | null) => ({
  userMetadata,
  cacheControl: cacheControl === undefined ? undefined : cacheControlOf(cacheControl),
})
