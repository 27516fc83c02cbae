import {
  createLocation,
  deleteLocation,
  getLocation,
  getLocationContents,
  listLocations,
  restoreLocation,
  updateLocation,
} from '@pegasus/contracts/inventory/locations'
import type { Clock } from '../../../platform/clock.ts'
import type { Endpoints } from '../../../platform/http/endpoints.ts'
import { requiredRevisionIn, revisionIn } from '../../../platform/http/etag.ts'
import { trashCutoff } from '../../../platform/trash.ts'
import type { Locations } from './locations.service.ts'

export function addLocationRoutes(
  endpoints: Endpoints,
  { locations, clock }: { locations: Locations; clock: Clock },
): void {
  endpoints.add(listLocations, async ({ query }) => {
    const { search, parent_id, cursor, limit } = query
    const deleted = query.deleted && { after: trashCutoff(clock.now()) }
    return locations.list({ search, parent_id, deleted }, { cursor, limit })
  })

  endpoints.add(getLocation, async ({ params }) => locations.get(params.id))

  endpoints.add(getLocationContents, ({ params }) => locations.contentsOf(params.id))

  endpoints.add(createLocation, async ({ body, caller }) => (await locations.create(body, caller)).body)

  endpoints.add(updateLocation, async ({ params, body, request, audit }) =>
    locations.update(params.id, body, requiredRevisionIn(request), audit),
  )

  endpoints.add(deleteLocation, async ({ params, request, audit }) => {
    await locations.remove(params.id, revisionIn(request), audit)
  })

  endpoints.add(restoreLocation, async ({ params, audit }) => locations.restore(params.id, audit))
}
