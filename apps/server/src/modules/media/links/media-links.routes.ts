import {
  storageReadSigned,
  storageRenderSigned,
  storageSign,
  storageSignMany,
} from '@pegasus/contracts/media/hosted-signed-links'
import type { Endpoints } from '../../../platform/http/endpoints.ts'
import type { Media } from '../media.service.ts'
import { readObjectName } from '../object-name.ts'
import { readScopeOf } from '../owner-of.ts'
import { type MediaSender, PRIVATE } from '../send-media.ts'
import type { MediaLinks } from './media-links.ts'

/** Adds the endpoints that sign addresses of files, and that read a file at a signed address. */
export function addMediaLinkRoutes(
  endpoints: Endpoints,
  { media, links, send }: { media: Media; links: MediaLinks; send: MediaSender },
): void {
  endpoints.add(storageSign, async ({ params, body, user }) => {
    const { bucket_id: bucket, name } = await media.get(params.bucket, params['*'], readScopeOf(user))
    return { signedURL: await links.sign({ bucket, name, size: body.transform }, body.expiresIn) }
  })

  endpoints.add(storageSignMany, async ({ params: { bucket }, body, user }) => {
    const there = await media.namesOf(bucket, body.paths, readScopeOf(user))
    const sign = async (path: string) => {
      const name = there.get(path)
      if (name === undefined) return { path, signedURL: null, error: 'Object not found' }
      return { path, signedURL: await links.sign({ bucket, name }, body.expiresIn), error: null }
    }
    return Promise.all(body.paths.map(sign))
  })

  endpoints.add(storageReadSigned, async ({ params, query, ...call }) => {
    const name = readObjectName(params['*'])
    await links.read(query.token, { bucket: params.bucket, name, isSized: false })
    const object = await media.get(params.bucket, name)
    return send.file({ ...object, cache_control: PRIVATE }, query.download, call)
  })

  endpoints.add(storageRenderSigned, async ({ params, query, ...call }) => {
    const name = readObjectName(params['*'])
    const { size = {} } = await links.read(query.token, { bucket: params.bucket, name, isSized: true })
    const object = await media.get(params.bucket, name)
    return send.picture({ ...object, cache_control: PRIVATE }, size, call, query.download)
  })
}
