import {
  deleteSlice,
  getSliceBytes,
  getSliceThumbnail,
  listSlices,
  restoreSlice,
  updateSlice,
  uploadSlice,
} from '@pegasus/contracts/slices/slices'
import { AppError } from '../../../platform/errors/app-error.ts'
import type { Endpoints } from '../../../platform/http/endpoints.ts'
import { requiredRevisionIn, revisionIn } from '../../../platform/http/etag.ts'
import { idempotencyKeyOf } from '../../../platform/http/idempotency.ts'
import { pageRequestOf } from '../../../platform/http/paging.ts'
import { asDownload, sendObject } from '../../../platform/http/send-object.ts'
import { type ReceiveSliceDeps, receiveSlices } from '../upload/receive-slices.ts'
import type { StoreSlices } from '../upload/store-slices.ts'
import type { Slices } from './slices.service.ts'

/** Cache time of a picture, which never changes. It equals the lifetime of the picture's address. */
const PICTURE_MAX_AGE_SECONDS = 24 * 60 * 60

const CONTENT_TYPES = {
  gcode: 'text/x.gcode',
  bgcode: 'application/octet-stream',
  'gcode.3mf': 'model/3mf',
} as const

export function addSliceRoutes(
  endpoints: Endpoints,
  deps: ReceiveSliceDeps & { slices: Slices; store: StoreSlices },
): void {
  const { slices, store, storage } = deps

  endpoints.add(listSlices, async ({ params, query }) =>
    slices.list({ modelId: params.id, isDeleted: query.deleted === 'true' }, pageRequestOf(query)),
  )

  endpoints.add(uploadSlice, async (call) => {
    const { params, request, reply } = call
    // Check the key and the model before the upload is received. The time of the change is the end of the upload.
    idempotencyKeyOf(request)
    await slices.assertModel(params.id)
    const isOfKey = call.user.kind === 'api_key'
    const form = await receiveSlices(request, { ...deps, isOfKey })
    const answer = await store.fromForm(params.id, form, call.caller)
    reply.code(answer.status)
    return answer.body
  })

  endpoints.add(updateSlice, async ({ params, body, request, audit }) =>
    slices.update(params, body, requiredRevisionIn(request), audit),
  )

  endpoints.add(deleteSlice, async ({ params, request, audit }) => {
    await slices.remove(params, revisionIn(request), audit)
  })

  endpoints.add(restoreSlice, async ({ params, audit }) => slices.restore(params, audit))

  endpoints.add(getSliceBytes, async ({ params, request, reply }) => {
    const row = await slices.get(params)
    return sendObject(request, reply, storage, asDownload(row, CONTENT_TYPES[row.format]))
  })

  endpoints.add(getSliceThumbnail, async ({ params, request, reply }) => {
    const { picture_key: key } = await slices.get(params)
    if (key === null) throw new AppError('THUMBNAIL_NOT_READY')
    return sendObject(request, reply, storage, {
      key,
      contentType: 'image/webp',
      etag: `"${key}"`,
      cacheControl: `private, max-age=${PICTURE_MAX_AGE_SECONDS}`,
    })
  })
}
