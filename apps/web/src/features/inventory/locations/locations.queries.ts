import {
  getLocation,
  getLocationContents,
  listLocations,
  PATH_SEPARATOR,
} from '@pegasus/contracts/inventory/locations'
import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { callApi, callList } from '@/lib/http/api.ts'

// The key starts with the key of items, so that a change of items refreshes the locations' counts too.
const LOCATIONS_KEY = ['inventory', 'places'] as const

const MOST = 1000

/** All locations, sorted by path. */
export const locationsQuery = queryOptions({
  queryKey: [...LOCATIONS_KEY, 'all'],
  queryFn: ({ signal }) => callList(listLocations, { query: { limit: MOST }, signal }),
})

export const deletedLocationsQuery = queryOptions({
  queryKey: [...LOCATIONS_KEY, 'bin'],
  queryFn: ({ signal }) => callList(listLocations, { query: { limit: MOST, deleted: 'true' }, signal }),
})

export const locationQuery = (id: string) =>
  queryOptions({
    queryKey: [...LOCATIONS_KEY, 'one', id],
    queryFn: ({ signal }) => callApi(getLocation, { params: { id }, signal }),
  })

export const contentsQuery = (id: string) =>
  queryOptions({
    queryKey: [...LOCATIONS_KEY, 'contents', id],
    queryFn: ({ signal }) => callApi(getLocationContents, { params: { id }, signal }),
  })

/** Returns the path of the parent: `Rack A3` for `Rack A3 / Bin 12`. */
export const parentPath = (path: string): string =>
  path.split(PATH_SEPARATOR).slice(0, -1).join(PATH_SEPARATOR)

/** Returns a function that refetches everything that shows locations or their contents. */
export function useLocationRefresh(): () => void {
  const client = useQueryClient()
  return () => {
    void client.invalidateQueries({ queryKey: ['inventory'] })
    void client.invalidateQueries({ queryKey: ['filament'] })
  }
}
