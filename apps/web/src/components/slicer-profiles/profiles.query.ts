import { listSlicerProfiles } from '@pegasus/contracts/slicing'
import { apiQuery } from '@/lib/http/api-queries.ts'

/** The profiles of the slicer, and whether the server has one. The key begins as those of sliced files, whose events tell of profiles. */
export const profilesQuery = apiQuery(['slices', 'profiles'], listSlicerProfiles)
