import { SKU_STATES, type SkuState } from '@pegasus/contracts/orders/sku-mappings'
import { ORDER_STATUSES, type OrderStatus } from '@pegasus/contracts/statuses'
import { readOneOf, readText, withParams } from '@/lib/browser/address-state.ts'

/** The state of the tab in the address, next to the shell's `tab`. */
export interface OrderFilters {
  search: string
  status: OrderStatus | null
}

export const readFilters = (params: URLSearchParams): OrderFilters => ({
  search: readText(params, 'search'),
  status: readOneOf(params, 'status', ORDER_STATUSES),
})

export const withFilters = (params: URLSearchParams, { search, status }: OrderFilters): URLSearchParams =>
  withParams(params, { search, status, order: null, skus: null })

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
