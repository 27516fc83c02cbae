import { listFilament } from '@pegasus/contracts/filament/spools'
import { getInventoryItem, listInventory } from '@pegasus/contracts/inventory/items'
import { getOrder } from '@pegasus/contracts/orders/orders'
import { getModel } from '@pegasus/contracts/stl-library/models'
import { queryOptions } from '@tanstack/react-query'
import { callApi } from '@/lib/http/api.ts'
import { apiPageQuery } from '@/lib/http/api-queries.ts'

// Each key starts with the key of the feature that owns the data, so that its invalidations refresh these queries
// too.

/** Printable items for a picker. */
export const itemsToPickQuery = (search: string) =>
  apiPageQuery(['inventory', 'brief', { search }], listInventory, {
    query: { limit: 8, ...(search && { search }) },
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

/** The order for which a job is added. */
export const orderToPrintQuery = (id: string) =>
  queryOptions({
    queryKey: ['orders', 'one', id],
    queryFn: ({ signal }) => callApi(getOrder, { params: { id }, signal }),
    enabled: id !== '',
  })

/** Spools for a picker: those of one material, or all spools if `material` is empty. */
export const spoolsToPickQuery = (material: string) =>
  apiPageQuery(['filament', 'brief', { material }], listFilament, {
    query: { limit: 200, archived: false, sort: 'material', ...(material && { material }) },
  })
