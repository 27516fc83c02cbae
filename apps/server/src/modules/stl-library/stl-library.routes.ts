import { getModel, getModelBytes, getModelThumbnail } from '@pegasus/contracts/stl-library/models'
import { uploadModel } from '@pegasus/contracts/stl-library/upload'
import type { Clock } from '../../platform/clock.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import type { Endpoints } from '../../platform/http/endpoints.ts'
import { idempotencyKeyOf } from '../../platform/http/idempotency.ts'
import { createResponseCache, createObjectWriter } from '../../platform/http/lists/response-cache.ts'
import { asDownload, sendObject } from '../../platform/http/send-object.ts'
import type { PathSigner } from '../../platform/http/signed-path.ts'
import type { ObjectStorage } from '../../platform/storage/object-storage.ts'
import type { Uploads } from './upload/upload.service.ts'
import type { Inspect } from './upload/inspection/inspection.ts'
import { receiveForm } from './upload/receive-form.ts'
import { MODEL_CONTENT_TYPES } from './models/content-types.ts'
import { presentModel } from './models/models.present.ts'
import type { Models } from './models/models.service.ts'

/** Cache time of a picture address that names a version. Such an address always shows the same picture. */
const PICTURE_MAX_AGE_SECONDS = 24 * 60 * 60
/**
 * Cache time of a picture address that names no version. Such an address shows another picture after the
 * model gets another file.
 */
const UNNAMED_MAX_AGE_SECONDS = 60

export function addStlLibraryRoutes(
  endpoints: Endpoints,
  deps: {
    models: Models
    intake: Uploads
    storage: ObjectStorage
    signer: PathSigner
    inspect: Inspect
    uploadLimitBytes: number
    clock: Clock
  },
): void {
  const { models, intake, storage, signer } = deps
  const responses = createResponseCache(deps)
  const writeModel = createObjectWriter(getModel)

  endpoints.add(getModel, (call) =>
    responses.of(call, async () => writeModel(presentModel(await models.get(call.params.id), signer))),
  )

  endpoints.add(getModelBytes, async ({ params, request, reply }) => {
    const row = await models.get(params.id)
    const { file_name, clean_object_key: cleanKey, clean_sha256: cleanHash } = row
    const file = { file_name, object_key: cleanKey ?? row.object_key, sha256: cleanHash ?? row.sha256 }
    return sendObject(request, reply, storage, asDownload(file, MODEL_CONTENT_TYPES[row.format]))
  })

  endpoints.add(getModelThumbnail, async ({ params, query, request, reply }) => {
    const row = await models.getPictures(params.id, query.of ?? null)
    const key = query.angle === '2' ? row.second_thumbnail_key : row.thumbnail_key
    if (key === null) throw new AppError('THUMBNAIL_NOT_READY')
    return sendObject(request, reply, storage, {
      key,
      contentType: 'image/webp',
      etag: `"${key}"`,
      cacheControl: `private, max-age=${row.is_named ? PICTURE_MAX_AGE_SECONDS : UNNAMED_MAX_AGE_SECONDS}`,
    })
  })

  endpoints.add(uploadModel, async (call) => {
    const { request, reply } = call
    // Check the key before receiving the upload. The time of the change is the end of the upload.
    idempotencyKeyOf(request)
    const form = await receiveForm(request, deps)
    const answer = await intake.add(form, call.caller)
    reply.code(answer.status)
    return answer.body
  })
}
