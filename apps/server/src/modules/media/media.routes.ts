import {
  storageInfo,
  storageList,
  storageRead,
  storageReadPublic,
  storageRemove,
  storageRenderPublic,
  storageUpdate,
  storageUpload,
} from '@pegasus/contracts/hosted-storage'
import type { PictureFormat } from '@pegasus/contracts/media-names'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { deedOf } from '../../platform/actor.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Endpoints } from '../../platform/http/endpoints.ts'
import type { UserPrincipal } from '../../platform/http/principal.ts'
import { sendObject } from '../../platform/http/send-object.ts'
import type { ObjectStorage } from '../../platform/storage/object-storage.ts'
import { attachmentHeader } from '../stl-library/index.ts'
import { receiveUpload } from './intake/receive-upload.ts'
import { presentInfo, presentListed } from './media.present.ts'
import type { Media, ObjectRow } from './media.service.ts'
import { formatFor, type Variants } from './pictures/variants.service.ts'

/** Nothing of a file may run, whatever it turns out to be; any page of the shop may show it. */
const FILE_HEADERS = {
  'content-security-policy':
    "default-src 'none';object-src 'none';base-uri 'none';frame-ancestors 'none';sandbox",
  'cross-origin-resource-policy': 'cross-origin',
  'x-robots-tag': 'none',
}

interface MediaRoutesDeps {
  media: Media
  variants: Variants
  storage: ObjectStorage
  clock: Clock
}

/** Media in the protocol of the hosted storage service, so that its official client works against us. */
export function addMediaRoutes(endpoints: Endpoints, deps: MediaRoutesDeps): void {
  addUploadRoutes(endpoints, deps)
  addReadRoutes(endpoints, deps)
  const { media, clock } = deps

  endpoints.add(storageInfo, async ({ params }) => presentInfo(await media.get(params.bucket, params['*'])))

  endpoints.add(storageList, async ({ params, body }) => {
    const { prefix, search = '', sortBy, limit, offset } = body
    const folder = prefix.replace(/\/{2,}/g, '/').replace(/^\/|\/$/g, '')
    const column = sortBy?.column ?? 'name'
    const rows = await media.list({
      bucket: params.bucket,
      folder: folder === '' ? '' : `${folder}/`,
      search,
      // Nobody counts who reads what.
      column: column === 'last_accessed_at' ? 'updated_at' : column,
      isDescending: sortBy?.order === 'desc',
      limit,
      offset,
    })
    return rows.map(presentListed)
  })

  endpoints.add(storageRemove, async ({ params, body, user, request }) =>
    media.remove(params.bucket, body.prefixes, deedOf(request, user, clock)),
  )
}

function addUploadRoutes(endpoints: Endpoints, { media, storage, clock }: MediaRoutesDeps): void {
  const upload = async (
    place: { bucket: string; '*': string },
    { request, user, replaces }: { request: FastifyRequest; user: UserPrincipal; replaces: boolean },
  ) => {
    const target = await media.target(place.bucket, place['*'])
    const received = await receiveUpload(request, { storage, limitBytes: target.limitBytes })
    const options = { replaces, ownerId: user.accountId }
    const { id, key } = await media.store(target, received, options, deedOf(request, user, clock))
    return { Id: id, Key: key }
  }

  endpoints.add(storageUpload, async ({ params, request, user }) =>
    upload(params, { request, user, replaces: request.headers['x-upsert'] === 'true' }),
  )

  endpoints.add(storageUpdate, async ({ params, request, user }) =>
    upload(params, { request, user, replaces: true }),
  )
}

/** `?download` alone saves under the file's own name. */
const dispositionOf = (object: ObjectRow, download: string | undefined) =>
  download === undefined
    ? {}
    : { contentDisposition: attachmentHeader(download || (object.name.split('/').at(-1) ?? 'file')) }

function addReadRoutes(endpoints: Endpoints, { media, variants, storage }: MediaRoutesDeps): void {
  const send = (
    object: ObjectRow,
    download: string | undefined,
    { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  ) => {
    reply.headers(FILE_HEADERS)
    return sendObject(request, reply, storage, {
      key: object.storage_key,
      contentType: object.content_type,
      etag: `"${object.sha256}"`,
      cacheControl: object.cache_control,
      lastModified: new Date(object.updated_at),
      ...dispositionOf(object, download),
    })
  }

  endpoints.add(storageReadPublic, async ({ params, query, ...call }) => {
    const object = await media.get(params.bucket, params['*'], { isPublic: true })
    return send(object, query.download, call)
  })

  endpoints.add(storageRead, async ({ params, query, ...call }) => {
    const object = await media.get(params.bucket, params['*'])
    return send({ ...object, cache_control: 'private, no-cache' }, query.download, call)
  })

  endpoints.add(storageRenderPublic, async ({ params, query, request, reply }) => {
    const object = await media.get(params.bucket, params['*'], { isPublic: true })
    const own = object.content_type.replace('image/', '')
    const format = query.format === 'origin' ? formatOf(own) : query.format
    if (format === undefined) reply.header('vary', 'Accept, Origin')
    const wish = { width: query.width, format: format ?? formatFor(request.headers.accept) }
    const variant = await variants.get(object, wish)
    reply.headers(FILE_HEADERS)
    return sendObject(request, reply, storage, { ...variant, cacheControl: object.cache_control })
  })
}

/** PNG is kept by none of the sizes: as WebP it loses nothing that an eye sees, transparency included. */
const formatOf = (own: string): PictureFormat => (own === 'avif' || own === 'jpeg' ? own : 'webp')
