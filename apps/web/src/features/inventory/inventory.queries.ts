import {
  getInventoryItem,
  type InventoryItem,
  type InventorySort,
  listInventory,
} from '@pegasus/contracts/inventory/items'
import { listItemMovements, listReservations } from '@pegasus/contracts/inventory/stock-movements'
import { getItemCost } from '@pegasus/contracts/inventory/costs'
import { listOrders } from '@pegasus/contracts/orders'
import { listPrintQueue } from '@pegasus/contracts/print-queue/jobs'
import { type InfiniteData, queryOptions, useQueryClient } from '@tanstack/react-query'
import { callApi, callList, type ListPage } from '@/lib/http/api.ts'
import { listQuery } from '@/lib/http/use-list.ts'
import { filterQuery, type InventoryFilters } from './inventory-address.ts'

/** Every query about items starts with this key, so that one invalidation refreshes them all. */
const INVENTORY_KEY = 'inventory'

export const itemListQuery = (filters: InventoryFilters, sort: InventorySort) =>
  listQuery([INVENTORY_KEY, 'list', filters, sort], (page, signal) =>
    callList(listInventory, { query: { ...page, ...filterQuery(filters, sort) }, signal }),
  )

/** The deleted items. */
export const deletedItemsQuery = listQuery([INVENTORY_KEY, 'bin'], (page, signal) =>
  callList(listInventory, { query: { ...page, deleted: 'true' }, signal }),
)

export const itemQuery = (id: string) =>
  queryOptions({
    queryKey: [INVENTORY_KEY, 'one', id],
    queryFn: ({ signal }) => callApi(getInventoryItem, { params: { id }, signal }),
  })

/** The stock movements of an item. */
export const movementsQuery = (id: string) =>
  listQuery([INVENTORY_KEY, 'movements', id], (page, signal) =>
    callList(listItemMovements, { params: { id }, query: page, signal }),
  )

/** The orders and others for which pieces of an item are reserved. */
export const reservationsQuery = (id: string) =>
  queryOptions({
    queryKey: [INVENTORY_KEY, 'reservations', id],
    queryFn: ({ signal }) => callApi(listReservations, { params: { id }, signal }),
  })

export const costQuery = (id: string) =>
  queryOptions({
    queryKey: [INVENTORY_KEY, 'cost', id],
    queryFn: ({ signal }) => callApi(getItemCost, { params: { id }, signal }),
  })

/** The open print jobs that produce an item. */
export const jobsOfItemQuery = (id: string) =>
  queryOptions({
    queryKey: ['print-queue', 'of-item', id],
    queryFn: ({ signal }) => callList(listPrintQueue, { query: { inventory_item_id: id }, signal }),
  })

const ORDERS_SHOWN = 50

/** The latest orders that contain an item, and their total number. */
export const ordersOfItemQuery = (id: string) =>
  queryOptions({
    queryKey: ['orders', 'of-item', id],
    queryFn: ({ signal }) =>
      callList(listOrders, { query: { inventory_item_id: id, limit: ORDERS_SHOWN }, signal }),
  })

/** How many items with low stock the dashboard shows. */
export const LOW_SHOWN = 3

/** The first items with low stock, and their total number. */
export const lowItemsQuery = (limit: number) =>
  queryOptions({
    queryKey: [INVENTORY_KEY, 'low', limit],
    queryFn: ({ signal }) => callList(listInventory, { query: { limit, low_stock_only: 'true' }, signal }),
  })

/**
 * Returns a function that refetches everything that shows items. An item passed to it replaces its cached versions at
 * once.
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
