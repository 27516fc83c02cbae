import {
  getLocation,
  getLocationContents,
  listLocations,
  PATH_SEPARATOR,
} from '@pegasus/contracts/inventory/locations'
import { useQueryClient } from '@tanstack/react-query'
import { apiQuery, apiPageQuery } from '@/lib/http/api-queries.ts'

// The key starts with the key of items, so that changed items also refresh the counts of the locations.
const LOCATIONS_KEY = ['inventory', 'places'] as const

const MOST = 1000

/** All locations, sorted by path. */
export const locationsQuery = apiPageQuery([...LOCATIONS_KEY, 'all'], listLocations, {
  query: { limit: MOST },
})

export const deletedLocationsQuery = apiPageQuery([...LOCATIONS_KEY, 'trash'], listLocations, {
  query: { limit: MOST, deleted: 'true' },
})

export const locationQuery = (id: string) =>
  apiQuery([...LOCATIONS_KEY, 'one', id], getLocation, { params: { id } })

export const contentsQuery = (id: string) =>
  apiQuery([...LOCATIONS_KEY, 'contents', id], getLocationContents, { params: { id } })

/** Returns the path of the parent: `Rack A3` for `Rack A3 / Bin 12`. */
export const parentPath = (path: string): string =>
  path.split(PATH_SEPARATOR).slice(0, -1).join(PATH_SEPARATOR)

/** Returns a function that refetches all queries that show locations or their contents. */
export function useLocationRefresh(): () => void {
  const client = useQueryClient()
  return () => {
    void client.invalidateQueries({ queryKey: ['inventory'] })
    void client.invalidateQueries({ queryKey: ['filament'] })
  }
}
