import { getLineAccount, listOrderHistory, listOrderLocations } from '@pegasus/contracts/orders/order-account'
import { getCustomer } from '@pegasus/contracts/orders/customers'
import { listCarriers } from '@pegasus/contracts/orders/order-changes'
import { getOrder, listOrders } from '@pegasus/contracts/orders/orders'
import { type SkuState, listUnknownSkus } from '@pegasus/contracts/orders/sku-mappings'
import { listRefusedOrders } from '@pegasus/contracts/orders/refused-orders'
import { getOrderEarnings, getSalesReport, listSales } from '@pegasus/contracts/orders/sales'
import { type ShopComparison, getShopComparison } from '@pegasus/contracts/orders/shop-comparison'
import { getOrderPlan } from '@pegasus/contracts/orders/order-plan'
import type { OrderFilters, SalesPeriodView, SalesView } from './orders-address.ts'
import { MINUTE_MS } from '@/lib/format/durations.ts'
import { apiListQuery, apiQuery, apiPageQuery, queriesById } from '@/lib/http/api-queries.ts'

/** Every query about orders starts with this key, so that one invalidation refreshes them all. */
export const ORDERS_KEY = 'orders'
const byId = queriesById(ORDERS_KEY)

export const orderListQuery = ({ search, status, stock, due }: OrderFilters) =>
  apiListQuery([ORDERS_KEY, 'list', { search, status, stock, due }], listOrders, {
    query: {
      ...(search && { search }),
      ...(status && { status }),
      ...(stock && { stock }),
      ...(due && { due_before: (due === 'overdue' ? new Date() : endOfToday()).toISOString() }),
    },
  })

function endOfToday(): Date {
  const tomorrow = new Date()
  tomorrow.setHours(24, 0, 0, 0)
  return tomorrow
}

export const orderQuery = byId('one', getOrder)

/** Returns the shipments, reservations and jobs from which the missing pieces of an order line are calculated. */
export const lineAccountQuery = (id: string, lineId: string) =>
  apiQuery([ORDERS_KEY, 'line', id, lineId], getLineAccount, { params: { id, line_id: lineId } })

export const orderHistoryQuery = byId('history', listOrderHistory)

/** Returns where the pieces of an order are stored. */
export const orderLocationsQuery = byId('locations', listOrderLocations)

/** Returns the carriers that were used last. */
export const carriersQuery = () => apiQuery([ORDERS_KEY, 'carriers'], listCarriers)

/** Returns the missing pieces of an order, and the plates that would print them. */
export const orderPlanQuery = byId('plan', getOrderPlan)

/** Returns the latest orders, for the dashboard. */
export const recentOrdersQuery = (limit: number) =>
  apiPageQuery([ORDERS_KEY, 'recent', limit], listOrders, { query: { limit } })

/** Returns the latest orders of a customer. */
export const customerOrdersQuery = (customer: string, limit: number) =>
  apiPageQuery([ORDERS_KEY, 'of-customer', customer, limit], listOrders, { query: { customer, limit } })

/** Returns all orders of a customer, page by page. */
export const customerOrderListQuery = (customer: string) =>
  apiListQuery([ORDERS_KEY, 'list', { customer }], listOrders, { query: { customer } })

export const customerQuery = (name: string) =>
  apiQuery([ORDERS_KEY, 'customer', name], getCustomer, { query: { name } })

/** Returns the orders of the shop that could not be received. */
export const refusedOrdersQuery = () => apiQuery([ORDERS_KEY, 'refused'], listRefusedOrders)

/**
 * While the last comparison with the shop is shown as failed, it is loaded again after this time, because repeated
 * failures cause no event.
 */
const FAILED_COMPARISON_REFETCH_MS = MINUTE_MS

/** Returns when the orders were last compared with the shop, and why that failed. */
export const shopComparisonQuery = () => ({
  ...apiQuery([ORDERS_KEY, 'comparison'], getShopComparison),
  refetchInterval: ({ state }: { state: { data?: ShopComparison | undefined } }): number | false =>
    (state.data?.problem ?? null) === null ? false : FAILED_COMPARISON_REFETCH_MS,
})

export const skusQuery = (state: SkuState) =>
  apiPageQuery([ORDERS_KEY, 'skus', state], listUnknownSkus, { query: { state, limit: 1000 } })

/** Returns the parameters of a report. Its days are in the time zone of this browser. */
export const salesQueryOf = ({ by, from, to }: SalesPeriodView) => {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
  return { by, ...(from && { from }), ...(to && { to }), ...(timeZone && { time_zone: timeZone }) }
}

export const salesReportQuery = (view: SalesPeriodView) =>
  apiQuery([ORDERS_KEY, 'sales', salesQueryOf(view)], getSalesReport, { query: salesQueryOf(view) })

/** Returns the parameters for the lines of the open row and figure. */
export const salesLinesQueryOf = (view: SalesView) => ({
  ...salesQueryOf(view),
  ...(view.row && { key: view.row }),
  ...(view.figure && { figure: view.figure }),
})

export const salesLinesQuery = (view: SalesView) => {
  const query = salesLinesQueryOf(view)
  return apiQuery([ORDERS_KEY, 'sales', 'lines', query], listSales, { query })
}

export const orderEarningsQuery = byId('earnings', getOrderEarnings)

/** Returns the first open orders that are due before the end of today, by due time, and the number of all. */
export const dueOrdersQuery = () => {
  const query = { due_before: endOfToday().toISOString(), limit: 50 }
  return apiPageQuery([ORDERS_KEY, 'due', query.due_before], listOrders, { query })
}

/** Returns the number of all overdue orders as `total`. */
export const overdueCountQuery = () =>
  apiPageQuery([ORDERS_KEY, 'overdue-count'], listOrders, {
    query: { due_before: new Date().toISOString(), limit: 1 },
  })
