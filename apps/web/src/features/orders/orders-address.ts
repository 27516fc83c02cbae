import { ORDER_STOCKS, type OrderStock } from '@pegasus/contracts/orders/orders'
import { SKU_STATES, type SkuState } from '@pegasus/contracts/orders/sku-mappings'
import {
  SALES_FIGURES,
  SALES_GROUPS,
  type SalesFigure,
  type SalesGroup,
} from '@pegasus/contracts/orders/sales'
import { ORDER_STATUSES, type OrderStatus } from '@pegasus/contracts/statuses'
import { readOneOf, readText, withParams } from '@/lib/browser/address-state.ts'

/** The filters of the orders tab in the URL. The shell adds its own parameter, `tab`. */
export interface OrderFilters {
  search: string
  status: OrderStatus | null
  stock: OrderStock | null
  due: OrderDue | null
}

/** Addresses of the pages to which an order links. */
export interface OrderAddresses {
  item: (id: string) => string
  job: (id: string) => string
  /** Returns the address of the dialog that queues a print. */
  print: (of: { itemId: string; quantity: number; orderId: string }) => string
  /** Returns the address of the dialog for a new item. */
  newItem: (of: { name: string; sku: string }) => string
}

/**
 * `overdue` selects open orders whose due time has passed. `today` also selects open orders that are due
 * before the end of the day.
 */
export const ORDER_DUES = ['overdue', 'today'] as const
export type OrderDue = (typeof ORDER_DUES)[number]

export const readFilters = (params: URLSearchParams): OrderFilters => ({
  search: readText(params, 'search'),
  status: readOneOf(params, 'status', ORDER_STATUSES),
  stock: readOneOf(params, 'stock', ORDER_STOCKS),
  due: readOneOf(params, 'due', ORDER_DUES),
})

export const withFilters = (
  params: URLSearchParams,
  { search, status, stock, due }: OrderFilters,
): URLSearchParams => withParams(params, { search, status, stock, due, order: null, skus: null, sales: null })

/** Returns the filters in a URL, in the format of a saved search. */
export const searchQueryOf = (params: URLSearchParams): string =>
  withFilters(new URLSearchParams(), readFilters(params)).toString()

/** Returns the URL's parameters with the filters of a saved search. */
export const withSavedSearch = (params: URLSearchParams, query: string): URLSearchParams =>
  withFilters(params, readFilters(new URLSearchParams(query)))

/** Returns the URL parameters that open the page of an order, or the list for null. The filters stay in the URL. */
export const withOrder = (params: URLSearchParams, id: string | null): URLSearchParams =>
  withParams(params, { order: id, add: null })

/** Returns the URL parameters that open or close the dialog for a new order. */
export const withNewOrder = (params: URLSearchParams, isOpen: boolean): URLSearchParams =>
  withParams(params, { add: isOpen ? '1' : null })

/** Returns the address of an order, without the filters of the list. */
export const orderAddress = (id: string): string => `/?tab=orders&order=${id}`

/** Returns the address of a customer's page. */
export const customerAddress = (name: string): string =>
  `/?${new URLSearchParams({ tab: 'orders', customer: name })}`

/** Returns the name of the customer whose page is open; empty if none is. */
export const readCustomer = (params: URLSearchParams): string => readText(params, 'customer').slice(0, 200)

/** Address of the SKU inbox, which lists the SKUs that match no item. */
export const skuInboxAddress = '/?tab=orders&skus=unknown'

/** Returns the open part of the SKU inbox; null while the orders are shown. */
export const readSkuState = (params: URLSearchParams): SkuState | null =>
  readOneOf(params, 'skus', SKU_STATES)

export const withSkuState = (params: URLSearchParams, skus: SkuState | null): URLSearchParams =>
  withParams(params, { skus })

/** Returns the address of the inventory list with the items of a SKU. */
export const itemsOfSkuAddress = (sku: string): string =>
  `/?${new URLSearchParams({ tab: 'inventory', search: sku })}`

/** Address of the sales report, by month. */
export const salesAddress = '/?tab=orders&sales=month'

/** Address of the shipped pieces whose cost is unknown, in the sales report. */
export const unknownCostsAddress = '/?tab=orders&sales=product&figure=pieces_without_cost'

/** The sales report in the URL. Without days it covers the last twelve months. */
export interface SalesView {
  by: SalesGroup
  from: string
  to: string
  /** Key of the row whose lines are shown; empty for all rows. */
  row: string
  /** The figure whose lines are shown. No lines are shown if the URL has neither a row nor a figure. */
  figure: SalesFigure | null
}

/** The period and the grouping of a report. */
export type SalesPeriodView = Omit<SalesView, 'row' | 'figure'>

const readDay = (params: URLSearchParams, name: string): string => {
  const text = readText(params, name)
  return /^\d{4}-\d\d-\d\d$/.test(text) ? text : ''
}

/** Returns the sales report that the URL selects, or null if it selects the list of orders. */
export function readSalesView(params: URLSearchParams): SalesView | null {
  const by = readOneOf(params, 'sales', SALES_GROUPS)
  return (
    by && {
      by,
      from: readDay(params, 'from'),
      to: readDay(params, 'to'),
      row: readText(params, 'row'),
      figure: readOneOf(params, 'figure', SALES_FIGURES),
    }
  )
}

export const withSalesView = (params: URLSearchParams, view: SalesView | null): URLSearchParams =>
  withParams(params, {
    sales: view?.by ?? null,
    from: view?.from ?? null,
    to: view?.to ?? null,
    row: view?.row ?? null,
    figure: view?.figure ?? null,
  })
