import {
  storageInfo,
  storageInfoPublic,
  storageRead,
  storageReadPublic,
  storageRemove,
  storageRender,
  storageRenderPublic,
  storageUpdate,
  storageUpload,
} from '@pegasus/contracts/media/hosted-objects'
import { storageList } from '@pegasus/contracts/media/hosted-listing'
import type { Endpoints } from '../../platform/http/endpoints.ts'
import type { StoreUpload } from './upload/store-upload.ts'
import { presentInfo, presentListed } from './media.present.ts'
import type { Media } from './media.service.ts'
import { readScopeOf } from './storage-caller.ts'
import { type MediaSender, PRIVATE } from './send-media.ts'

interface MediaRoutesDeps {
  media: Media
  send: MediaSender
  storeUpload: StoreUpload
}

/**
 * Adds the endpoints for media, in the protocol of the hosted storage service, so that its official client
 * works unchanged.
 */
export function addMediaRoutes(endpoints: Endpoints, deps: MediaRoutesDeps): void {
  addUploadRoutes(endpoints, deps)
  addReadRoutes(endpoints, deps)
  const { media } = deps

  endpoints.add(storageInfo, async ({ params, user }) =>
    presentInfo(await media.get(params.bucket, params['*'], readScopeOf(user))),
  )

  endpoints.add(storageInfoPublic, async ({ params }) =>
    presentInfo(await media.get(params.bucket, params['*'], 'public')),
  )

  endpoints.add(storageList, async ({ params, body, user }) => {
    const { prefix, search = '', sortBy, limit, offset } = body
    const folder = prefix.replace(/\/{2,}/g, '/').replace(/^\/|\/$/g, '')
    const column = sortBy?.column ?? 'name'
    const rows = await media.list({
      bucket: params.bucket,
      scope: readScopeOf(user),
      folder: folder === '' ? '' : `${folder}/`,
      search,
      // Reads are not recorded, so sort by the last change instead.
      column: column === 'last_accessed_at' ? 'updated_at' : column,
      isDescending: sortBy?.order === 'desc',
      limit,
      offset,
    })
    return rows.map(presentListed)
  })

  endpoints.add(storageRemove, async ({ params, body, audit }) =>
    media.remove(params.bucket, body.prefixes, audit),
  )
}

function addUploadRoutes(endpoints: Endpoints, { storeUpload }: MediaRoutesDeps): void {
  const placeOf = (params: { bucket: string; '*': string }) => ({ bucket: params.bucket, name: params['*'] })

  endpoints.add(storageUpload, async ({ params, request, user }) => {
    const replaces = request.headers['x-upsert'] === 'true'
    const { id, key } = await storeUpload(request, placeOf(params), { user, replaces })
    return { Id: id, Key: key }
  })

  endpoints.add(storageUpdate, async ({ params, request, user }) => {
    const { id, key } = await storeUpload(request, placeOf(params), { user, replaces: true })
    return { Id: id, Key: key }
  })
}

function addReadRoutes(endpoints: Endpoints, { media, send }: MediaRoutesDeps): void {
  endpoints.add(storageReadPublic, async ({ params, query, ...call }) => {
    const object = await media.get(params.bucket, params['*'], 'public')
    return send.file(object, query.download, call)
  })

  endpoints.add(storageRead, async ({ params, query, user, ...call }) => {
    const object = await media.get(params.bucket, params['*'], readScopeOf(user))
    return send.file({ ...object, cache_control: PRIVATE }, query.download, call)
  })

  endpoints.add(storageRenderPublic, async ({ params, query: { download, ...size }, ...call }) => {
    const object = await media.get(params.bucket, params['*'], 'public')
    return send.picture(object, size, call, download)
  })

  endpoints.add(storageRender, async ({ params, query: { download, ...size }, user, ...call }) => {
    const object = await media.get(params.bucket, params['*'], readScopeOf(user))
    return send.picture({ ...object, cache_control: PRIVATE }, size, call, download)
  })
}
