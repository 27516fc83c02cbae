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

/** Every query about items begins with it, so that whatever changes one refreshes them all. */
const INVENTORY_KEY = 'inventory'

export const itemListQuery = (filters: InventoryFilters, sort: InventorySort) =>
  listQuery([INVENTORY_KEY, 'list', filters, sort], (page, signal) =>
    callList(listInventory, { query: { ...page, ...filterQuery(filters, sort) }, signal }),
  )

/** What lies in the bin. */
export const binQuery = listQuery([INVENTORY_KEY, 'bin'], (page, signal) =>
  callList(listInventory, { query: { ...page, deleted: 'true' }, signal }),
)

export const itemQuery = (id: string) =>
  queryOptions({
    queryKey: [INVENTORY_KEY, 'one', id],
    queryFn: ({ signal }) => callApi(getInventoryItem, { params: { id }, signal }),
  })

/** How an item came to its quantity. */
export const movementsQuery = (id: string) =>
  listQuery([INVENTORY_KEY, 'movements', id], (page, signal) =>
    callList(listItemMovements, { params: { id }, query: page, signal }),
  )

/** Who holds what is reserved of an item. */
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

/** Print jobs that are still to bring more of an item. */
export const jobsOfItemQuery = (id: string) =>
  queryOptions({
    queryKey: ['print-queue', 'of-item', id],
    queryFn: ({ signal }) => callList(listPrintQueue, { query: { inventory_item_id: id }, signal }),
  })

const ORDERS_SHOWN = 50

/** The latest orders that an item is in, and how many there are. */
export const ordersOfItemQuery = (id: string) =>
  queryOptions({
    queryKey: ['orders', 'of-item', id],
    queryFn: ({ signal }) =>
      callList(listOrders, { query: { inventory_item_id: id, limit: ORDERS_SHOWN }, signal }),
  })

/** How many of the low ones the dashboard has room for. */
export const LOW_SHOWN = 3

/** The first few that are low, and how many there are. */
export const lowItemsQuery = (limit: number) =>
  queryOptions({
    queryKey: [INVENTORY_KEY, 'low', limit],
    queryFn: ({ signal }) => callList(listInventory, { query: { limit, low_stock_only: 'true' }, signal }),
  })

/** Has everything that shows items ask again; what is known of one already is shown at once, wherever it stands. */
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
