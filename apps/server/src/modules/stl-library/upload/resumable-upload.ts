import {
  addUploadedModel,
  beginModelUpload,
  getModelUpload,
  MODEL_UPLOADS_PATH,
  removeModelUpload,
  writeModelUpload,
} from '@pegasus/contracts/stl-library/resumable-upload'
import type { Model } from '@pegasus/contracts/stl-library/models'
import type { ModelImport } from '@pegasus/contracts/stl-library/imports'
import type { UploadModelFields } from '@pegasus/contracts/stl-library/upload'
import type { Database } from '../../../platform/database/database.ts'
import { AppError } from '../../../platform/errors/app-error.ts'
import type { Endpoints } from '../../../platform/http/endpoints.ts'
import {
  findEarlierAnswer,
  fingerprintOf,
  type HttpResult,
  type IdempotentCaller,
} from '../../../platform/http/idempotency.ts'
import type { UserPrincipal } from '../../../platform/http/principal.ts'
import type { ResumableUploads } from '../../../platform/resumable/resumable-uploads.ts'
import { createTusProtocol, wishOf } from '../../../platform/resumable/tus-protocol.ts'
import { displayFileName } from './file-name.ts'
import { type ReceiveDeps, receiveBytes } from './receive-bytes.ts'
import type { Uploads } from './upload.service.ts'

const PURPOSE = 'model'
/** Errors after which no attempt with the same bytes can succeed. */
const REFUSED = new Set<string>(['MODEL_REJECTED', 'ARCHIVE_REJECTED', 'MALWARE_FOUND', 'SCANNER_SIZE_LIMIT'])

interface ResumableDeps extends ReceiveDeps {
  database: Pick<Database, 'sql'>
  uploads: ResumableUploads
  intake: Uploads
  uploadLimitBytes: number
}

/**
 * Creates the function that makes a model from an upload whose bytes have all arrived. The checks are the
 * same as for a form.
 */
function createAddUploaded({ database, uploads, intake, ...deps }: ResumableDeps) {
  const addNew = async (
    id: string,
    fields: UploadModelFields,
    by: IdempotentCaller,
    fingerprint: string,
  ): Promise<HttpResult<Model | ModelImport>> => {
    const upload = await uploads.get({
      id,
      purpose: PURPOSE,
      owner: { accountId: by.accountId, keyId: null },
    })
    if (upload.received_bytes !== upload.length_bytes) throw new AppError('UPLOAD_INCOMPLETE')
    const fileName = displayFileName(wishOf(upload).metadata.get('filename'))
    const end = uploads.end(upload, 'removed')
    try {
      const file = await receiveBytes(uploads.read(upload), { fileName }, deps)
      const source = { fingerprint, claim: end.claim }
      const answer = await intake.add({ fields: { ...fields, upload_method: 'file' }, file }, by, source)
      await end.release()
      return answer
    } catch (error) {
      if (error instanceof AppError && REFUSED.has(error.code)) await uploads.remove(upload)
      throw error
    }
  }

  return async (
    id: string,
    fields: UploadModelFields,
    by: IdempotentCaller,
  ): Promise<HttpResult<Model | ModelImport>> => {
    const { accountId, idempotencyKey: key } = by
    const fingerprint = fingerprintOf('stl-files/uploads', id, fields)
    const findEarlier = () =>
      findEarlierAnswer<Model | ModelImport>(database.sql, { key, accountId, fingerprint })
    // The upload no longer exists after the first response, so look for that response first.
    const earlier = await findEarlier()
    if (earlier) return earlier
    try {
      return await addNew(id, fields, by, fingerprint)
    } catch (error) {
      // Another request may have made the model while this one was reading the bytes.
      const made = await findEarlier()
      if (made) return made
      throw error
    }
  }
}

/** Adds the routes of model uploads that can be continued after a lost connection. */
export function addResumableUploadRoutes(endpoints: Endpoints, deps: ResumableDeps): void {
  const protocol = createTusProtocol<UserPrincipal>(deps, {
    purpose: PURPOSE,
    async admit({ lengthBytes }) {
      if (lengthBytes > deps.uploadLimitBytes) throw new AppError('PAYLOAD_TOO_LARGE')
      return null
    },
  })
  const addUploaded = createAddUploaded(deps)

  endpoints.add(beginModelUpload, ({ user, ...exchange }) =>
    protocol.create(exchange, user, { path: MODEL_UPLOADS_PATH, replaces: false }),
  )
  endpoints.add(getModelUpload, ({ user, params, ...exchange }) => protocol.head(exchange, user, params.id))
  endpoints.add(writeModelUpload, ({ user, params, ...exchange }) =>
    protocol.write(exchange, user, params.id),
  )
  endpoints.add(removeModelUpload, ({ user, params, ...exchange }) =>
    protocol.remove(exchange, user, params.id),
  )

  endpoints.add(addUploadedModel, async ({ params, body, caller, reply }) => {
    const answer = await addUploaded(params.id, body, caller)
    reply.code(answer.status)
    return answer.body
  })
}
