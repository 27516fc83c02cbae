import {
  storageReadSigned,
  storageRenderSigned,
  storageSign,
  storageSignMany,
} from '@pegasus/contracts/media/hosted-signed-links'
import { AppError } from '../../../platform/errors/app-error.ts'
import type { Endpoints } from '../../../platform/http/endpoints.ts'
import type { Media } from '../media.service.ts'
import { readObjectName } from '../object-name.ts'
import { readScopeOf } from '../storage-caller.ts'
import { type MediaSender, PRIVATE } from '../send-media.ts'
import type { LinkedMedia, MediaLinks } from './media-links.ts'

/**
 * Adds the endpoints that sign URLs of files, and the endpoints that send a file at its signed URL.
 */
export function addMediaLinkRoutes(
  endpoints: Endpoints,
  { media, links, send }: { media: Media; links: MediaLinks; send: MediaSender },
): void {
  const getLinked = async ({ bucket, bucketUid, name }: LinkedMedia) => {
    const object = await media.get(bucket, name)
    // The URL was signed for a bucket that has since been deleted. A new bucket may have the same name.
    if (bucketUid !== undefined && bucketUid !== object.bucket_uid) throw new AppError('BUCKET_NOT_FOUND')
    return object
  }

  endpoints.add(storageSign, async ({ params, body, user }) => {
    const object = await media.get(params.bucket, params['*'], readScopeOf(user))
    const { bucket_id: bucket, bucket_uid: bucketUid, name } = object
    return { signedURL: await links.sign({ bucket, bucketUid, name, size: body.transform }, body.expiresIn) }
  })

  endpoints.add(storageSignMany, async ({ params: { bucket }, body, user }) => {
    const scope = readScopeOf(user)
    const { uid: bucketUid } = await media.getBucket(bucket, scope)
    const there = await media.namesOf(bucket, body.paths, scope)
    const sign = async (path: string) => {
      const name = there.get(path)
      if (name === undefined) return { path, signedURL: null, error: 'Object not found' }
      return { path, signedURL: await links.sign({ bucket, bucketUid, name }, body.expiresIn), error: null }
    }
    return Promise.all(body.paths.map(sign))
  })

  endpoints.add(storageReadSigned, async ({ params, query, ...call }) => {
    const name = readObjectName(params['*'])
    const linked = await links.read(query.token, { bucket: params.bucket, name, isSized: false })
    const object = await getLinked(linked)
    return send.file({ ...object, cache_control: PRIVATE }, query.download, call)
  })

  endpoints.add(storageRenderSigned, async ({ params, query, ...call }) => {
    const name = readObjectName(params['*'])
    const linked = await links.read(query.token, { bucket: params.bucket, name, isSized: true })
    const object = await getLinked(linked)
    return send.picture({ ...object, cache_control: PRIVATE }, linked.size ?? {}, call, query.download)
  })
}
