import { getOrder, listOrders } from '@pegasus/contracts/orders'
import { queryOptions } from '@tanstack/react-query'
import { callApi, callList } from '@/lib/http/api.ts'
import { listQuery } from '@/lib/http/use-list.ts'
import type { OrderFilters } from './orders-address.ts'

/** Common prefix of all queries about orders, so that a change refreshes them all. */
export const ORDERS_KEY = 'orders'

export const orderListQuery = ({ search, status }: OrderFilters) =>
  listQuery([ORDERS_KEY, 'list', { search, status }], (page, signal) =>
    callList(listOrders, {
      query: { ...page, ...(search && { search }), ...(status && { status }) },
      signal,
    }),
  )

export const orderQuery = (id: string) =>
  queryOptions({
    queryKey: [ORDERS_KEY, 'one', id],
    queryFn: ({ signal }) => callApi(getOrder, { params: { id }, signal }),
  })

/** The latest orders, for the dashboard. */
export const recentOrdersQuery = (limit: number) =>
  queryOptions({
    queryKey: [ORDERS_KEY, 'recent', limit],
    queryFn: ({ signal }) => callList(listOrders, { query: { limit }, signal }),
  })
