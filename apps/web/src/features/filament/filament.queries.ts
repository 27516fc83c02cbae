import { getSpool, listFilament, listMaterials, type Spool } from '@pegasus/contracts/filament/spools'
import { listSpoolLedger } from '@pegasus/contracts/filament/ledger'
import { getFilamentForecast, listFilamentStock } from '@pegasus/contracts/filament/stock'
import { listLocations } from '@pegasus/contracts/inventory/locations'
import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { callApi, callList } from '@/lib/http/api.ts'
import { listQuery } from '@/lib/http/use-list.ts'
import type { SpoolFilters } from './filament-address.ts'

/** Every query about spools starts with this key, so that one invalidation refreshes them all. */
const FILAMENT_KEY = 'filament'

/** The list of spools. Archived spools are included only if the filter asks for them. */
export const spoolListQuery = ({ search, material, status, sort }: SpoolFilters) =>
  listQuery([FILAMENT_KEY, 'list', { search, material, status, sort }], (page, signal) =>
    callList(listFilament, {
      query: {
        ...page,
        ...(search && { search }),
        ...(material && { material }),
        ...(status ? { status } : { archived: false }),
        sort,
      },
      signal,
    }),
  )

/** The deleted spools. */
export const deletedSpoolsQuery = listQuery([FILAMENT_KEY, 'bin'], (page, signal) =>
  callList(listFilament, { query: { ...page, deleted: 'true' }, signal }),
)

export const spoolQuery = (id: string) =>
  queryOptions({
    queryKey: [FILAMENT_KEY, 'one', id],
    queryFn: ({ signal }) => callApi(getSpool, { params: { id }, signal }),
  })

export const ledgerQuery = (id: string) =>
  listQuery([FILAMENT_KEY, 'ledger', id], (page, signal) =>
    callList(listSpoolLedger, { params: { id }, query: page, signal }),
  )

/** The materials of all spools. */
export const materialsQuery = queryOptions({
  queryKey: [FILAMENT_KEY, 'materials'],
  queryFn: ({ signal }) => callApi(listMaterials, { signal }),
})

/** The stock of each material and color. */
export const stockQuery = queryOptions({
  queryKey: [FILAMENT_KEY, 'stock'],
  queryFn: ({ signal }) => callApi(listFilamentStock, { signal }),
})

/** How long the filament lasts for the print queue. */
export const forecastQuery = queryOptions({
  queryKey: [FILAMENT_KEY, 'forecast'],
  queryFn: ({ signal }) => callApi(getFilamentForecast, { signal }),
})

/** Paths of the existing places, as suggestions for a text field. */
export const locationNamesQuery = queryOptions({
  queryKey: [FILAMENT_KEY, 'locations'],
  queryFn: async ({ signal }) => {
    const { items } = await callList(listLocations, { query: { limit: 200 }, signal })
    return items.filter(({ kind }) => kind === 'place').map(({ path }) => path)
  },
})

/**
 * Returns a function that refetches everything that shows spools. A spool passed to it replaces its cached version at
 * once.
 */
export function useSpoolRefresh(): (known?: Spool) => void {
  const client = useQueryClient()
  return (known) => {
    if (known) client.setQueryData(spoolQuery(known.id).queryKey, known)
    void client.invalidateQueries({ queryKey: [FILAMENT_KEY] })
  }
}
