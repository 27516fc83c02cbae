import { getOrder, listOrders } from '@pegasus/contracts/orders/orders'
import { type SkuState, listUnknownSkus } from '@pegasus/contracts/orders/sku-mappings'
import type { OrderFilters } from './orders-address.ts'
import { apiListQuery, apiQuery, apiPageQuery } from '@/lib/http/api-queries.ts'

/** Common prefix of all queries about orders, so that a change refreshes them all. */
export const ORDERS_KEY = 'orders'

export const orderListQuery = ({ search, status }: OrderFilters) =>
  apiListQuery([ORDERS_KEY, 'list', { search, status }], listOrders, {
    query: { ...(search && { search }), ...(status && { status }) },
  })

export const orderQuery = (id: string) => apiQuery([ORDERS_KEY, 'one', id], getOrder, { params: { id } })

/** The latest orders, for the dashboard. */
export const recentOrdersQuery = (limit: number) =>
  apiPageQuery([ORDERS_KEY, 'recent', limit], listOrders, { query: { limit } })

export const skusQuery = (state: SkuState) =>
  apiPageQuery([ORDERS_KEY, 'skus', state], listUnknownSkus, { query: { state, limit: 1000 } })
