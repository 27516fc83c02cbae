import { ORDER_STATUSES, type OrderStatus } from '@pegasus/contracts/statuses'
import { readOneOf, readText, withParams } from '@/lib/browser/address-state.ts'

/** What of the orders' state stands in the address, beside the shell's `tab`. */
export interface OrderFilters {
  search: string
  status: OrderStatus | null
}

export const readFilters = (params: URLSearchParams): OrderFilters => ({
  search: readText(params, 'search'),
  status: readOneOf(params, 'status', ORDER_STATUSES),
})

export const withFilters = (params: URLSearchParams, { search, status }: OrderFilters): URLSearchParams =>
  withParams(params, { search, status, order: null })

/** The same address with an order opened, or with none: the way back keeps the filters. */
export const withOrder = (params: URLSearchParams, id: string | null): URLSearchParams =>
  withParams(params, { order: id })
