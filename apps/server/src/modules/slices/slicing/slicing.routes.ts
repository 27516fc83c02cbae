import {
  cancelSlicing,
  createSlicerProfile,
  deleteSlicerProfile,
  listSlicerProfiles,
  listSlicings,
  restoreSlicerProfile,
  startSlicing,
  updateSlicerProfile,
} from '@pegasus/contracts/slices/slicing'
import type { Endpoints } from '../../../platform/http/endpoints.ts'
import { requiredRevisionIn, revisionIn } from '../../../platform/http/etag.ts'
import type { SlicerProfiles } from './profiles.service.ts'
import type { Slicings } from './slicings.service.ts'

export function addSlicingRoutes(
  endpoints: Endpoints,
  deps: { profiles: SlicerProfiles; slicings: Slicings; isAvailable: boolean },
): void {
  const { profiles, slicings, isAvailable } = deps

  endpoints.add(listSlicerProfiles, async () => ({
    is_available: isAvailable,
    profiles: await profiles.list(),
  }))

  endpoints.add(createSlicerProfile, ({ body, caller }) => profiles.create(body, caller))

  endpoints.add(updateSlicerProfile, ({ params, body, request, audit }) =>
    profiles.update(params.id, body, requiredRevisionIn(request), audit),
  )

  endpoints.add(deleteSlicerProfile, async ({ params, request, audit }) => {
    await profiles.remove(params.id, revisionIn(request), audit)
  })

  endpoints.add(restoreSlicerProfile, ({ params, audit }) => profiles.restore(params.id, audit))

  endpoints.add(listSlicings, ({ params }) => slicings.list(params.id))

  endpoints.add(startSlicing, ({ params, body, caller }) => slicings.start(params.id, body, caller))

  endpoints.add(cancelSlicing, ({ params, audit }) => slicings.cancel(params, audit))
}
