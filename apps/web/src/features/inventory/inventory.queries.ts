import { listInventory } from '@pegasus/contracts/inventory'
import { queryOptions } from '@tanstack/react-query'
import { callList } from '@/lib/api.ts'
import { listQuery } from '@/lib/use-list.ts'
import type { InventoryFilters } from './inventory-address.ts'

/** Every query about items begins with it, so that whatever changes one refreshes them all. */
const INVENTORY_KEY = 'inventory'

export const itemListQuery = ({ search, status, isLowStockOnly }: InventoryFilters) =>
  listQuery([INVENTORY_KEY, 'list', { search, status, isLowStockOnly }], (page, signal) =>
    callList(listInventory, {
      query: {
        ...page,
        ...(search && { search }),
        ...(status && { status }),
        ...(isLowStockOnly && { low_stock_only: 'true' }),
      },
      signal,
    }),
  )

/** How many of the low ones the dashboard has room for. */
export const LOW_SHOWN = 3

/** The first few that are low, and how many there are. */
export const lowItemsQuery = (limit: number) =>
  queryOptions({
    queryKey: [INVENTORY_KEY, 'low', limit],
    queryFn: ({ signal }) => callList(listInventory, { query: { limit, low_stock_only: 'true' }, signal }),
  })
