import { listFilament, listMaterials } from '@pegasus/contracts/filament'
import { queryOptions } from '@tanstack/react-query'
import { callApi, callList } from '@/lib/api.ts'
import { listQuery } from '@/lib/use-list.ts'
import type { SpoolFilters } from './filament-address.ts'

/** Every query about spools begins with it, so that whatever changes one refreshes them all. */
const FILAMENT_KEY = 'filament'

export const spoolListQuery = ({ search, material, status }: SpoolFilters) =>
  listQuery([FILAMENT_KEY, 'list', { search, material, status }], (page, signal) =>
    callList(listFilament, {
      query: {
        ...page,
        ...(search && { search }),
        ...(material && { material }),
        ...(status && { status }),
      },
      signal,
    }),
  )

/** The materials that there are spools of. */
export const materialsQuery = queryOptions({
  queryKey: [FILAMENT_KEY, 'materials'],
  queryFn: ({ signal }) => callApi(listMaterials, { signal }),
})
