import { getSpool, listFilament, listMaterials, type Spool } from '@pegasus/contracts/filament/spools'
import { listSpoolLedger } from '@pegasus/contracts/filament/ledger'
import { getFilamentForecast, listFilamentStock } from '@pegasus/contracts/filament/stock'
import { listLocations } from '@pegasus/contracts/inventory/locations'
import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { callList } from '@/lib/http/api.ts'
import type { SpoolFilters } from './filament-address.ts'
import { apiListQuery, apiQuery } from '@/lib/http/api-queries.ts'

/** Every query about spools starts with this key, so that one invalidation refreshes them all. */
const FILAMENT_KEY = 'filament'

/** The list of spools. Archived spools are included only if the filter asks for them. */
export const spoolListQuery = ({ search, material, status, sort }: SpoolFilters) =>
  apiListQuery([FILAMENT_KEY, 'list', { search, material, status, sort }], listFilament, {
    query: {
      ...(search && { search }),
      ...(material && { material }),
      ...(status ? { status } : { archived: false }),
      sort,
    },
  })

export const deletedSpoolsQuery = apiListQuery([FILAMENT_KEY, 'trash'], listFilament, {
  query: { deleted: 'true' },
})

export const spoolQuery = (id: string) => apiQuery([FILAMENT_KEY, 'one', id], getSpool, { params: { id } })

export const ledgerQuery = (id: string) =>
  apiListQuery([FILAMENT_KEY, 'ledger', id], listSpoolLedger, { params: { id } })

/** Number of newest spools that are searched for known filaments. */
const SPOOLS_SEARCHED = 200

const filamentOf = ({ material, brand, name, color, diameter_mm: diameter }: Spool): string =>
  [material, brand, name, color, diameter].join('\n').toLowerCase()

/** The newest spool of each filament that matches a search, archived ones included. */
export const knownFilamentsQuery = (search: string) =>
  queryOptions({
    queryKey: [FILAMENT_KEY, 'known', search],
    queryFn: async ({ signal }) => {
      const { items } = await callList(listFilament, {
        query: { limit: SPOOLS_SEARCHED, sort: 'newest', ...(search && { search }) },
        signal,
      })
      const newest = new Map<string, Spool>()
      for (const spool of items) if (!newest.has(filamentOf(spool))) newest.set(filamentOf(spool), spool)
      return [...newest.values()].slice(0, 40)
    },
  })

/** The materials of all spools. */
export const materialsQuery = apiQuery([FILAMENT_KEY, 'materials'], listMaterials)

/** The stock of each material and color. */
export const stockQuery = apiQuery([FILAMENT_KEY, 'stock'], listFilamentStock)

/** The forecast of how long the filament will last with the current print queue. */
export const forecastQuery = apiQuery([FILAMENT_KEY, 'forecast'], getFilamentForecast)

/** Paths of the existing places, as suggestions for a text field. */
export const locationNamesQuery = queryOptions({
  queryKey: [FILAMENT_KEY, 'locations'],
  queryFn: async ({ signal }) => {
    const { items } = await callList(listLocations, { query: { limit: 200 }, signal })
    return items.filter(({ kind }) => kind === 'place').map(({ path }) => path)
  },
})

/**
 * Returns a function that refetches all queries that show spools. A spool passed to it replaces its cached
 * version immediately.
 */
export function useSpoolRefresh(): (known?: Spool) => void {
  const client = useQueryClient()
  return (known) => {
    if (known) client.setQueryData(spoolQuery(known.id).queryKey, known)
    void client.invalidateQueries({ queryKey: [FILAMENT_KEY] })
  }
}
