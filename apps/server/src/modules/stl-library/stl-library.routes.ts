import {
  type ModelFormat,
  getStlFile,
  getStlFileBytes,
  getStlFileThumbnail,
} from '@pegasus/contracts/stl-files'
import { listStlFiles } from '@pegasus/contracts/stl-search'
import { normalizeTags, uploadStlFile } from '@pegasus/contracts/stl-upload'
import { AppError } from '../../platform/errors/app-error.ts'
import type { Endpoints } from '../../platform/http/endpoints.ts'
import { idempotencyKeyOf } from '../../platform/http/idempotency.ts'
import { decodeCursor, sendPageHeaders } from '../../platform/http/paging.ts'
import { sendObject } from '../../platform/http/send-object.ts'
import type { PathSigner } from '../../platform/http/signed-path.ts'
import type { ObjectStorage } from '../../platform/storage/object-storage.ts'
import { attachmentHeader } from './intake/file-name.ts'
import type { Intake } from './intake/intake.service.ts'
import { receiveForm } from './intake/upload-form.ts'
import { presentModel } from './models/models.present.ts'
import type { Models } from './models/models.service.ts'

/** As registered with IANA (RFC 8081). */
const CONTENT_TYPES: Readonly<Record<ModelFormat, string>> = {
  stl: 'model/stl',
  '3mf': 'model/3mf',
  obj: 'model/obj',
}

const PICTURE_MAX_AGE_SECONDS = 24 * 60 * 60

export function addStlLibraryRoutes(
  endpoints: Endpoints,
  deps: {
    models: Models
    intake: Intake
    storage: ObjectStorage
    signer: PathSigner
    uploadLimitBytes: number
  },
): void {
  const { models, intake, storage, signer } = deps

  endpoints.add(listStlFiles, async ({ query, request, reply }) => {
    const filter = {
      search: query.search,
      tags: normalizeTags(query.tags?.split(',') ?? []),
      licenseType: query.license_type,
    }
    const page = await models.list(filter, { cursor: decodeCursor(query.cursor), limit: query.limit })
    sendPageHeaders(request, reply, page)
    return page.items.map((row) => presentModel(row, signer))
  })

  endpoints.add(getStlFile, async ({ params, reply }) => {
    const row = await models.get(params.id)
    reply.header('etag', `"${row.revision}"`)
    return presentModel(row, signer)
  })

  endpoints.add(getStlFileBytes, async ({ params, request, reply }) => {
    const row = await models.get(params.id)
    return sendObject(request, reply, storage, {
      key: row.clean_object_key ?? row.object_key,
      contentType: CONTENT_TYPES[row.format],
      contentDisposition: attachmentHeader(row.file_name),
      etag: `"${row.clean_sha256 ?? row.sha256}"`,
      cacheControl: 'private, no-cache',
    })
  })

  endpoints.add(getStlFileThumbnail, async ({ params, query, request, reply }) => {
    const row = await models.get(params.id)
    const key = query.angle === '2' ? row.second_thumbnail_key : row.thumbnail_key
    if (key === null) throw new AppError('THUMBNAIL_NOT_READY')
    return sendObject(request, reply, storage, {
      key,
      contentType: 'image/webp',
      etag: `"${key}"`,
      cacheControl: `private, max-age=${PICTURE_MAX_AGE_SECONDS}`,
    })
  })

  endpoints.add(uploadStlFile, async ({ user, request, reply }) => {
    const idempotencyKey = idempotencyKeyOf(request)
    const form = await receiveForm(request, { storage, uploadLimitBytes: deps.uploadLimitBytes })
    const answer = await intake.add(form, { accountId: user.accountId, idempotencyKey })
    reply.code(answer.status)
    return answer.body
  })
}
