import {
  getLocation,
  getLocationContents,
  listLocations,
  PATH_SEPARATOR,
} from '@pegasus/contracts/inventory/locations'
import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { callApi, callList } from '@/lib/http/api.ts'

// Begins like the keys of items: what changes a place changes what is told of them.
const PLACES_KEY = ['inventory', 'places'] as const

const MOST = 1000

/** The tree of locations, as a list by their paths. */
export const locationsQuery = queryOptions({
  queryKey: [...PLACES_KEY, 'all'],
  queryFn: ({ signal }) => callList(listLocations, { query: { limit: MOST }, signal }),
})

export const deletedLocationsQuery = queryOptions({
  queryKey: [...PLACES_KEY, 'bin'],
  queryFn: ({ signal }) => callList(listLocations, { query: { limit: MOST, deleted: 'true' }, signal }),
})

export const locationQuery = (id: string) =>
  queryOptions({
    queryKey: [...PLACES_KEY, 'one', id],
    queryFn: ({ signal }) => callApi(getLocation, { params: { id }, signal }),
  })

export const contentsQuery = (id: string) =>
  queryOptions({
    queryKey: [...PLACES_KEY, 'contents', id],
    queryFn: ({ signal }) => callApi(getLocationContents, { params: { id }, signal }),
  })

/** The path in which a bin lies: `Rack A3` of `Rack A3 / Bin 12`. */
export const parentPath = (path: string): string =>
  path.split(PATH_SEPARATOR).slice(0, -1).join(PATH_SEPARATOR)

/** Has everything that shows places or what lies there ask again. */
export function useLocationRefresh(): () => void {
  const client = useQueryClient()
  return () => {
    void client.invalidateQueries({ queryKey: ['inventory'] })
    void client.invalidateQueries({ queryKey: ['filament'] })
  }
}
