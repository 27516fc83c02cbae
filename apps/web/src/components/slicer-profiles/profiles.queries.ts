import { listSlicerProfiles } from '@pegasus/contracts/slices/slicing'
import { apiQuery } from '@/lib/http/api-queries.ts'

/**
 * Returns the slicer's profiles, and whether the server has a slicer. The query key starts with the prefix of
 * sliced files, because their events report changed profiles.
 */
export const profilesQuery = apiQuery(['slices', 'profiles'], listSlicerProfiles)
