import {
  addStlVersion,
  addStlVersionFields,
  bulkEditStlFiles,
  deleteStlFile,
  getStlFileUses,
  getStlVersionBytes,
  listSimilarStlFiles,
  listStlVersions,
  makeStlVersionCurrent,
  restoreStlFile,
  updateStlFile,
} from '@pegasus/contracts/stl-keeping'
import { deedOf } from '../../../platform/actor.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Endpoints } from '../../../platform/http/endpoints.ts'
import { etagOf, requiredRevisionIn, revisionIn } from '../../../platform/http/etag.ts'
import { idempotencyKeyOf } from '../../../platform/http/idempotency.ts'
import { sendObject } from '../../../platform/http/send-object.ts'
import type { PathSigner } from '../../../platform/http/signed-path.ts'
import type { ObjectStorage } from '../../../platform/storage/object-storage.ts'
import { attachmentHeader } from '../intake/file-name.ts'
import type { Inspect } from '../intake/inspection/inspection.ts'
import { receiveFormOf } from '../intake/upload-form.ts'
import { MODEL_CONTENT_TYPES } from '../models/content-types.ts'
import { presentModel } from '../models/models.present.ts'
import type { Keeping } from './keeping.service.ts'
import type { Uses } from './uses.service.ts'
import type { Versions } from './versions.service.ts'

interface KeepingRoutesDeps {
  uses: Uses
  keeping: Keeping
  versions: Versions
  storage: ObjectStorage
  signer: PathSigner
  clock: Clock
  inspect: Inspect
  uploadLimitBytes: number
}

export function addKeepingRoutes(endpoints: Endpoints, deps: KeepingRoutesDeps): void {
  const { keeping, signer, clock } = deps

  endpoints.add(updateStlFile, async ({ params, body, user, request, reply }) => {
    const revision = requiredRevisionIn(request)
    const row = await keeping.update(params.id, body, revision, deedOf(request, user, clock))
    reply.header('etag', etagOf(row.revision))
    return presentModel(row, signer)
  })

  endpoints.add(deleteStlFile, async ({ params, user, request }) => {
    await keeping.remove(params.id, revisionIn(request), deedOf(request, user, clock))
  })

  endpoints.add(restoreStlFile, async ({ params, user, request, reply }) => {
    const row = await keeping.restore(params.id, deedOf(request, user, clock))
    reply.header('etag', etagOf(row.revision))
    return presentModel(row, signer)
  })

  endpoints.add(bulkEditStlFiles, async ({ body, user, request }) =>
    keeping.bulk(body, deedOf(request, user, clock)),
  )

  addUsesRoutes(endpoints, deps)
  addVersionRoutes(endpoints, deps)
}

function addUsesRoutes(endpoints: Endpoints, { uses, signer }: KeepingRoutesDeps): void {
  endpoints.add(getStlFileUses, async ({ params }) => uses.of(params.id))

  endpoints.add(listSimilarStlFiles, async ({ params }) => {
    const similar = await uses.similarTo(params.id)
    return similar.map((row) => ({ reason: row.reason, model: presentModel(row, signer) }))
  })
}

function addVersionRoutes(endpoints: Endpoints, deps: KeepingRoutesDeps): void {
  const { versions, storage, signer, clock } = deps

  endpoints.add(listStlVersions, async ({ params }) => versions.list(params.id))

  endpoints.add(addStlVersion, async ({ params, user, request, reply }) => {
    const idempotencyKey = idempotencyKeyOf(request)
    const form = await receiveFormOf(addStlVersionFields, request, deps)
    const by = { accountId: user.accountId, deed: deedOf(request, user, clock), idempotencyKey }
    const answer = await versions.add(params.id, form, by)
    reply.code(answer.status).header('etag', etagOf(answer.body.revision))
    return answer.body
  })

  endpoints.add(makeStlVersionCurrent, async ({ params, user, request, reply }) => {
    const row = await versions.choose(params.id, deedOf(request, user, clock))
    reply.header('etag', etagOf(row.revision))
    return presentModel(row, signer)
  })

  endpoints.add(getStlVersionBytes, async ({ params, request, reply }) => {
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
