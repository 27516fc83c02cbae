import { getSpool, listFilament, listMaterials, type Spool } from '@pegasus/contracts/filament/spools'
import { listSpoolLedger } from '@pegasus/contracts/filament/ledger'
import { getFilamentForecast, listFilamentStock } from '@pegasus/contracts/filament/stock'
import { listLocations } from '@pegasus/contracts/inventory/locations'
import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { callApi, callList } from '@/lib/http/api.ts'
import { listQuery } from '@/lib/http/use-list.ts'
import type { SpoolFilters } from './filament-address.ts'

/** Every query about spools begins with it, so that whatever changes one refreshes them all. */
const FILAMENT_KEY = 'filament'

/** Archived spools are shown where they are asked for, and nowhere else. */
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

/** What lies in the bin. */
export const binQuery = listQuery([FILAMENT_KEY, 'bin'], (page, signal) =>
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

/** The materials that there are spools of. */
export const materialsQuery = queryOptions({
  queryKey: [FILAMENT_KEY, 'materials'],
  queryFn: ({ signal }) => callApi(listMaterials, { signal }),
})

/** What there is of each material and color. */
export const stockQuery = queryOptions({
  queryKey: [FILAMENT_KEY, 'stock'],
  queryFn: ({ signal }) => callApi(listFilamentStock, { signal }),
})

/** How far it goes along the print queue. */
export const forecastQuery = queryOptions({
  queryKey: [FILAMENT_KEY, 'forecast'],
  queryFn: ({ signal }) => callApi(getFilamentForecast, { signal }),
})

/** Paths of the places that there are, for a field to offer. */
export const locationNamesQuery = queryOptions({
  queryKey: [FILAMENT_KEY, 'locations'],
  queryFn: async ({ signal }) => {
    const { items } = await callList(listLocations, { query: { limit: 200 }, signal })
    return items.filter(({ kind }) => kind === 'place').map(({ path }) => path)
  },
})

/** Has everything that shows spools ask again; what is known of one already is shown at once. */
export function useSpoolRefresh(): (known?: Spool) => void {
  const client = useQueryClient()
  return (known) => {
    if (known) client.setQueryData(spoolQuery(known.id).queryKey, known)
    void client.invalidateQueries({ queryKey: [FILAMENT_KEY] })
  }
}
