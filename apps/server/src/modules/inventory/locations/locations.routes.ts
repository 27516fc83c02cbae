import {
  createLocation,
  deleteLocation,
  getLocation,
  getLocationContents,
  listLocations,
  restoreLocation,
  updateLocation,
} from '@pegasus/contracts/inventory/locations'
import { auditContextOf } from '../../../platform/actor.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Endpoints } from '../../../platform/http/endpoints.ts'
import { etagOf, requiredRevisionIn, revisionIn } from '../../../platform/http/etag.ts'
import { sendPageHeaders } from '../../../platform/http/paging.ts'
import { trashCutoff } from '../../../platform/trash.ts'
import { idempotentCallerOf } from '../../../platform/http/idempotency.ts'
import type { Locations } from './locations.service.ts'

export function addLocationRoutes(
  endpoints: Endpoints,
  { locations, clock }: { locations: Locations; clock: Clock },
): void {
  endpoints.add(listLocations, async ({ query, request, reply }) => {
    const { search, parent_id, cursor, limit } = query
    const deleted = query.deleted && { after: trashCutoff(clock.now()) }
    const page = await locations.list({ search, parent_id, deleted }, { cursor, limit })
    sendPageHeaders(request, reply, page)
    return page.items
  })

  endpoints.add(getLocation, async ({ params, reply }) => {
    const row = await locations.get(params.id)
    reply.header('etag', etagOf(row.revision))
    return row
  })

  endpoints.add(getLocationContents, ({ params }) => locations.contentsOf(params.id))

  endpoints.add(createLocation, async ({ body, user, request, reply }) => {
    const answer = await locations.create(body, idempotentCallerOf(request, user, clock))
    reply.header('etag', etagOf(answer.body.revision))
    return answer.body
  })

  endpoints.add(updateLocation, async ({ params, body, user, request, reply }) => {
    const revision = requiredRevisionIn(request)
    const row = await locations.update(params.id, body, revision, auditContextOf(request, user, clock))
    reply.header('etag', etagOf(row.revision))
    return row
  })

  endpoints.add(deleteLocation, async ({ params, user, request }) => {
    await locations.remove(params.id, revisionIn(request), auditContextOf(request, user, clock))
  })

  endpoints.add(restoreLocation, async ({ params, user, request, reply }) => {
    const row = await locations.restore(params.id, auditContextOf(request, user, clock))
    reply.header('etag', etagOf(row.revision))
    return row
  })
}
