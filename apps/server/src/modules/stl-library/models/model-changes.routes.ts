import {
  addModelVersion,
  addStlVersionFields,
  bulkEditModels,
  deleteModel,
  getModelUses,
  getModelVersionBytes,
  listSimilarModels,
  listModelVersions,
  makeModelVersionCurrent,
  restoreModel,
  updateModel,
} from '@pegasus/contracts/stl-library/model-changes'
import { auditContextOf } from '../../../platform/actor.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Endpoints } from '../../../platform/http/endpoints.ts'
import { etagOf, requiredRevisionIn, revisionIn } from '../../../platform/http/etag.ts'
import { idempotencyKeyOf } from '../../../platform/http/idempotency.ts'
import { sendObject } from '../../../platform/http/send-object.ts'
import type { PathSigner } from '../../../platform/http/signed-path.ts'
import type { ObjectStorage } from '../../../platform/storage/object-storage.ts'
import { attachmentHeader } from '../upload/file-name.ts'
import type { Inspect } from '../upload/inspection/inspection.ts'
import { receiveFormOf } from '../upload/upload-form.ts'
import { MODEL_CONTENT_TYPES } from './content-types.ts'
import { presentModel } from './models.present.ts'
import type { ModelChanges } from './model-changes.service.ts'
import type { Uses } from './model-uses.service.ts'
import type { Versions } from './model-versions.service.ts'

interface KeepingRoutesDeps {
  uses: Uses
  keeping: ModelChanges
  versions: Versions
  storage: ObjectStorage
  signer: PathSigner
  clock: Clock
  inspect: Inspect
  uploadLimitBytes: number
}

export function addModelRoutes(endpoints: Endpoints, deps: KeepingRoutesDeps): void {
  const { keeping, signer, clock } = deps

  endpoints.add(updateModel, async ({ params, body, user, request, reply }) => {
    const revision = requiredRevisionIn(request)
    const row = await keeping.update(params.id, body, revision, auditContextOf(request, user, clock))
    reply.header('etag', etagOf(row.revision))
    return presentModel(row, signer)
  })

  endpoints.add(deleteModel, async ({ params, user, request }) => {
    await keeping.remove(params.id, revisionIn(request), auditContextOf(request, user, clock))
  })

  endpoints.add(restoreModel, async ({ params, user, request, reply }) => {
    const row = await keeping.restore(params.id, auditContextOf(request, user, clock))
    reply.header('etag', etagOf(row.revision))
    return presentModel(row, signer)
  })

  endpoints.add(bulkEditModels, async ({ body, user, request }) =>
    keeping.bulk(body, auditContextOf(request, user, clock)),
  )

  addUsesRoutes(endpoints, deps)
  addVersionRoutes(endpoints, deps)
}

function addUsesRoutes(endpoints: Endpoints, { uses, signer }: KeepingRoutesDeps): void {
  endpoints.add(getModelUses, async ({ params }) => uses.of(params.id))

  endpoints.add(listSimilarModels, async ({ params }) => {
    const similar = await uses.similarTo(params.id)
    return similar.map((row) => ({ reason: row.reason, model: presentModel(row, signer) }))
  })
}

function addVersionRoutes(endpoints: Endpoints, deps: KeepingRoutesDeps): void {
  const { versions, storage, signer, clock } = deps

  endpoints.add(listModelVersions, async ({ params }) => versions.list(params.id))

  endpoints.add(addModelVersion, async ({ params, user, request, reply }) => {
    const idempotencyKey = idempotencyKeyOf(request)
    const form = await receiveFormOf(addStlVersionFields, request, deps)
    const by = { accountId: user.accountId, audit: auditContextOf(request, user, clock), idempotencyKey }
    const answer = await versions.add(params.id, form, by)
    reply.code(answer.status).header('etag', etagOf(answer.body.revision))
    return answer.body
  })

  endpoints.add(makeModelVersionCurrent, async ({ params, user, request, reply }) => {
    const row = await versions.choose(params.id, auditContextOf(request, user, clock))
    reply.header('etag', etagOf(row.revision))
    return presentModel(row, signer)
  })

  endpoints.add(getModelVersionBytes, async ({ params, request, reply }) => {
    const version = await versions.get(params.id)
    return sendObject(request, reply, storage, {
      key: version.object_key,
      contentType: MODEL_CONTENT_TYPES[version.format],
      contentDisposition: attachmentHeader(version.file_name),
      etag: `"${version.sha256}"`,
      cacheControl: 'private, no-cache',
    })
  })
}
