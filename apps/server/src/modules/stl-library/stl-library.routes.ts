import {
  getStlFile,
  getStlFileBytes,
  getStlFileThumbnail,
  listStlFiles,
  normalizeTags,
  uploadStlFile,
} from '@pegasus/contracts/stl-files'
import { AppError } from '../../platform/errors/app-error.ts'
import type { Endpoints } from '../../platform/http/endpoints.ts'
import { idempotencyKeyOf } from '../../platform/http/idempotency.ts'
import { decodeCursor, sendPageHeaders } from '../../platform/http/paging.ts'
import { sendObject } from '../../platform/http/send-object.ts'
import type { PathSigner } from '../../platform/http/signed-path.ts'
import type { ObjectStorage } from '../../platform/storage/object-storage.ts'
import { attachmentHeader } from './file-name.ts'
import { presentModel } from './stl-library.present.ts'
import type { StlLibrary } from './stl-library.service.ts'
import { receiveForm } from './upload-form.ts'

const PICTURE_MAX_AGE_SECONDS = 24 * 60 * 60

export function addStlLibraryRoutes(
  endpoints: Endpoints,
  deps: { library: StlLibrary; storage: ObjectStorage; signer: PathSigner; uploadLimitBytes: number },
): void {
  const { library, storage, signer } = deps

  endpoints.add(listStlFiles, async ({ query, request, reply }) => {
    const filter = {
      search: query.search,
      tags: normalizeTags(query.tags?.split(',') ?? []),
      licenseType: query.license_type,
    }
    const page = await library.list(filter, { cursor: decodeCursor(query.cursor), limit: query.limit })
    sendPageHeaders(request, reply, page)
    return page.items.map((row) => presentModel(row, signer))
  })

  endpoints.add(getStlFile, async ({ params, reply }) => {
    const row = await library.get(params.id)
    reply.header('etag', `"${row.revision}"`)
    return presentModel(row, signer)
  })

  endpoints.add(getStlFileBytes, async ({ params, request, reply }) => {
    const row = await library.get(params.id)
    return sendObject(request, reply, storage, {
      key: row.object_key,
      contentType: 'model/stl',
      contentDisposition: attachmentHeader(row.file_name),
      etag: `"${row.sha256}"`,
      cacheControl: 'private, no-cache',
    })
  })

  endpoints.add(getStlFileThumbnail, async ({ params, request, reply }) => {
    const row = await library.get(params.id)
    if (row.thumbnail_key === null) throw new AppError('THUMBNAIL_NOT_READY')
    return sendObject(request, reply, storage, {
      key: row.thumbnail_key,
      contentType: 'image/webp',
      etag: `"${row.thumbnail_key}"`,
      cacheControl: `private, max-age=${PICTURE_MAX_AGE_SECONDS}`,
    })
  })

  endpoints.add(uploadStlFile, async ({ user, request, reply }) => {
    const idempotencyKey = idempotencyKeyOf(request)
    const form = await receiveForm(request, { storage, uploadLimitBytes: deps.uploadLimitBytes })
    const answer = await library.add(form, { accountId: user.accountId, idempotencyKey })
    reply.code(answer.status)
    return answer.body
  })
}
