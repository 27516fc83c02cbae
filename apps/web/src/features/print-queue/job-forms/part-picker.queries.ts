import { listFilament } from '@pegasus/contracts/filament/spools'
import { getInventoryItem, listInventory } from '@pegasus/contracts/inventory/items'
import { getModel } from '@pegasus/contracts/stl-library/models'
import { queryOptions } from '@tanstack/react-query'
import { callApi, callList } from '@/lib/http/api.ts'

// Each key starts with the key of the feature that owns the data, so that its invalidations refresh these queries
// too.

/** Printable items for a picker. */
export const itemsToPickQuery = (search: string) =>
  queryOptions({
    queryKey: ['inventory', 'brief', { search }],
    queryFn: ({ signal }) =>
      callList(listInventory, { query: { limit: 8, ...(search && { search }) }, signal }),
  })

export const itemToPickQuery = (id: string) =>
  queryOptions({
    queryKey: ['inventory', 'one', id],
    queryFn: ({ signal }) => callApi(getInventoryItem, { params: { id }, signal }),
    enabled: id !== '',
  })

export const modelToPickQuery = (id: string) =>
  queryOptions({
    queryKey: ['stl-files', 'one', id],
    queryFn: ({ signal }) => callApi(getModel, { params: { id }, signal }),
    enabled: id !== '',
  })

/** Spools for a picker: of one material, or all spools for an empty material. */
export const spoolsToPickQuery = (material: string) =>
  queryOptions({
    queryKey: ['filament', 'brief', { material }],
    queryFn: ({ signal }) =>
      callList(listFilament, {
        query: { limit: 200, archived: false, sort: 'material', ...(material && { material }) },
        signal,
      }),
  })
