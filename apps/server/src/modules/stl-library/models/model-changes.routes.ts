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
import type { Endpoints } from '../../../platform/http/endpoints.ts'
import { requiredRevisionIn, revisionIn } from '../../../platform/http/etag.ts'
import { idempotencyKeyOf } from '../../../platform/http/idempotency.ts'
import { asDownload, sendObject } from '../../../platform/http/send-object.ts'
import type { PathSigner } from '../../../platform/http/signed-path.ts'
import type { ObjectStorage } from '../../../platform/storage/object-storage.ts'
import type { Inspect } from '../upload/inspection/inspection.ts'
import { receiveFormOf } from '../upload/receive-form.ts'
import { MODEL_CONTENT_TYPES } from './content-types.ts'
import { presentModel } from './models.present.ts'
import type { ModelChanges } from './model-changes.service.ts'
import type { Uses } from './model-uses.service.ts'
import type { Versions } from './model-versions.service.ts'

interface ModelRoutesDeps {
  uses: Uses
  changes: ModelChanges
  versions: Versions
  storage: ObjectStorage
  signer: PathSigner
  inspect: Inspect
  uploadLimitBytes: number
}

export function addModelRoutes(endpoints: Endpoints, deps: ModelRoutesDeps): void {
  const { changes, signer } = deps

  endpoints.add(updateModel, async ({ params, body, request, audit }) => {
    const revision = requiredRevisionIn(request)
    return presentModel(await changes.update(params.id, body, revision, audit), signer)
  })

  endpoints.add(deleteModel, async ({ params, request, audit }) => {
    await changes.remove(params.id, revisionIn(request), audit)
  })

  endpoints.add(restoreModel, async ({ params, audit }) =>
    presentModel(await changes.restore(params.id, audit), signer),
  )

  endpoints.add(bulkEditModels, async ({ body, audit }) => changes.bulk(body, audit))

  addUsesRoutes(endpoints, deps)
  addVersionRoutes(endpoints, deps)
}

function addUsesRoutes(endpoints: Endpoints, { uses, signer }: ModelRoutesDeps): void {
  endpoints.add(getModelUses, async ({ params }) => uses.of(params.id))

  endpoints.add(listSimilarModels, async ({ params }) => {
    const similar = await uses.similarTo(params.id)
    return similar.map((row) => ({ reason: row.reason, model: presentModel(row, signer) }))
  })
}

function addVersionRoutes(endpoints: Endpoints, deps: ModelRoutesDeps): void {
  const { versions, storage, signer } = deps

  endpoints.add(listModelVersions, async ({ params }) => versions.list(params.id))

  endpoints.add(addModelVersion, async (call) => {
    const { params, request, reply } = call
    // Check the key before the upload is received. The time of the change is the end of the upload.
    idempotencyKeyOf(request)
    const form = await receiveFormOf(addStlVersionFields, request, deps)
    const answer = await versions.add(params.id, form, call.caller)
    reply.code(answer.status)
    return answer.body
  })

  endpoints.add(makeModelVersionCurrent, async ({ params, audit }) =>
    presentModel(await versions.choose(params.id, audit), signer),
  )

  endpoints.add(getModelVersionBytes, async ({ params, request, reply }) => {
    const version = await versions.get(params.id)
    return sendObject(request, reply, storage, asDownload(version, MODEL_CONTENT_TYPES[version.format]))
  })
}
