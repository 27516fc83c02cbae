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

/** The state of the tab in the address, next to the shell's `tab`. */
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
  /** Opens the dialog that queues a print. */
  print: (of: { itemId: string; quantity: number; orderId: string }) => string
  /** Opens the dialog for a new item. */
  newItem: (of: { name: string; sku: string }) => string
}

/** Open orders whose due time has passed, or that are due until the end of the day. */
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

/** The filters of an address, as a saved search keeps them. */
export const searchQueryOf = (params: URLSearchParams): string =>
  withFilters(new URLSearchParams(), readFilters(params)).toString()

/** The same address with the filters of a saved search. */
export const withSavedSearch = (params: URLSearchParams, query: string): URLSearchParams =>
  withFilters(params, readFilters(new URLSearchParams(query)))

/** The same address with an order opened, or with none. The filters stay for the way back. */
export const withOrder = (params: URLSearchParams, id: string | null): URLSearchParams =>
  withParams(params, { order: id })

/** An order by its address alone, without the filters of the list. */
export const orderAddress = (id: string): string => `/?tab=orders&order=${id}`

/** The SKU inbox: SKUs that no item has. */
export const skuInboxAddress = '/?tab=orders&skus=unknown'

/** The chosen part of the SKU inbox; null while the orders are shown. */
export const readSkuState = (params: URLSearchParams): SkuState | null =>
  readOneOf(params, 'skus', SKU_STATES)

export const withSkuState = (params: URLSearchParams, skus: SkuState | null): URLSearchParams =>
  withParams(params, { skus })

/** The sales report, by month. */
export const salesAddress = '/?tab=orders&sales=month'

/** The sales report in the address. Empty days are the last twelve months. */
export interface SalesView {
  by: SalesGroup
  from: string
  to: string
  /** The row whose lines are open; empty for all rows. */
  row: string
  /** The figure whose lines are open. No figure is open without a row and a figure in the address. */
  figure: SalesFigure | null
}

/** The period and the groups of a report, without what is open. */
export type SalesPeriodView = Omit<SalesView, 'row' | 'figure'>

const readDay = (params: URLSearchParams, name: string): string => {
  const text = readText(params, name)
  return /^\d{4}-\d\d-\d\d$/.test(text) ? text : ''
}

/** Null while the orders are shown. */
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
