import {
  getInventoryItem,
  type InventoryItem,
  type InventorySort,
  listInventory,
} from '@pegasus/contracts/inventory/items'
import { listItemMovements, listReservations } from '@pegasus/contracts/inventory/stock-movements'
import { getItemCost } from '@pegasus/contracts/inventory/costs'
import { listOrders } from '@pegasus/contracts/orders/orders'
import { listPrintQueue } from '@pegasus/contracts/print-queue/jobs'
import { type InfiniteData, useQueryClient } from '@tanstack/react-query'
import { type ListPage } from '@/lib/http/api.ts'
import { filterQuery, type InventoryFilters } from './inventory-address.ts'
import { apiListQuery, apiPageQuery, queriesById } from '@/lib/http/api-queries.ts'

/** Every query about items starts with this key, so that one invalidation refreshes them all. */
const INVENTORY_KEY = 'inventory'
const byId = queriesById(INVENTORY_KEY)

export const itemListQuery = (filters: InventoryFilters, sort: InventorySort) =>
  apiListQuery([INVENTORY_KEY, 'list', filters, sort], listInventory, {
    query: filterQuery(filters, sort),
  })

export const deletedItemsQuery = apiListQuery([INVENTORY_KEY, 'trash'], listInventory, {
  query: { deleted: 'true' },
})

export const itemQuery = byId('one', getInventoryItem)

/** The stock movements of an item. */
export const movementsQuery = (id: string) =>
  apiListQuery([INVENTORY_KEY, 'movements', id], listItemMovements, { params: { id } })

/** The reservations of an item's pieces, for orders and for other purposes. */
export const reservationsQuery = byId('reservations', listReservations)

export const costQuery = byId('cost', getItemCost)

/** The open print jobs that produce an item. */
export const jobsOfItemQuery = (id: string) =>
  apiPageQuery(['print-queue', 'of-item', id], listPrintQueue, { query: { inventory_item_id: id } })

const ORDERS_SHOWN = 50

/** The latest orders that contain an item, and their total number. */
export const ordersOfItemQuery = (id: string) =>
  apiPageQuery(['orders', 'of-item', id], listOrders, {
    query: { inventory_item_id: id, limit: ORDERS_SHOWN },
  })

/** Number of low items that the dashboard shows. */
export const LOW_SHOWN = 3

/** The first items with low stock, and their total number. */
export const lowItemsQuery = (limit: number) =>
  apiPageQuery([INVENTORY_KEY, 'low', limit], listInventory, { query: { limit, low_stock_only: 'true' } })

/**
 * Returns a function that refetches all queries that show items. An item passed to it replaces its cached
 * versions immediately.
 */
export function useItemRefresh(): (known?: InventoryItem) => void {
  const client = useQueryClient()
  return (known) => {
    if (known) {
      client.setQueryData(itemQuery(known.id).queryKey, known)
      client.setQueriesData<InfiniteData<ListPage<InventoryItem>>>(
        { queryKey: [INVENTORY_KEY, 'list'] },
        (list) =>
          list && {
            ...list,
            pages: list.pages.map((page) => ({
              ...page,
              items: page.items.map((item) => (item.id === known.id ? known : item)),
            })),
          },
      )
    }
    void client.invalidateQueries({ queryKey: [INVENTORY_KEY] })
  }
}
