import { ORDER_STOCKS, type OrderStock } from '@pegasus/contracts/orders/orders'
import { SKU_STATES, type SkuState } from '@pegasus/contracts/orders/sku-mappings'
import { SALES_GROUPS, type SalesGroup } from '@pegasus/contracts/orders/sales'
import { ORDER_STATUSES, type OrderStatus } from '@pegasus/contracts/statuses'
import { readOneOf, readText, withParams } from '@/lib/browser/address-state.ts'

/** The state of the tab in the address, next to the shell's `tab`. */
export interface OrderFilters {
  search: string
  status: OrderStatus | null
  stock: OrderStock | null
}

export const readFilters = (params: URLSearchParams): OrderFilters => ({
  search: readText(params, 'search'),
  status: readOneOf(params, 'status', ORDER_STATUSES),
  stock: readOneOf(params, 'stock', ORDER_STOCKS),
})

export const withFilters = (
  params: URLSearchParams,
  { search, status, stock }: OrderFilters,
): URLSearchParams => withParams(params, { search, status, stock, order: null, skus: null, sales: null })

/** The same address with an order opened, or with none. The filters stay for the way back. */
export const withOrder = (params: URLSearchParams, id: string | null): URLSearchParams =>
  withParams(params, { order: id })

/** The SKU inbox: what SKUs mean that no item has. */
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
  /** The row that is open. */
  row: string
}

const readDay = (params: URLSearchParams, name: string): string => {
  const text = readText(params, name)
  return /^\d{4}-\d\d-\d\d$/.test(text) ? text : ''
}

/** Null while the orders are shown. */
export function readSalesView(params: URLSearchParams): SalesView | null {
  const by = readOneOf(params, 'sales', SALES_GROUPS)
  return by && { by, from: readDay(params, 'from'), to: readDay(params, 'to'), row: readText(params, 'row') }
}

export const withSalesView = (params: URLSearchParams, view: SalesView | null): URLSearchParams =>
  withParams(params, {
    sales: view?.by ?? null,
    from: view?.from ?? null,
    to: view?.to ?? null,
    row: view?.row ?? null,
  })
