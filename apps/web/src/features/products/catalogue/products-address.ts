import { PRODUCT_STATUSES } from '@pegasus/contracts/statuses'
import { readOneOf, readText, withParams } from '@/lib/browser/address-state.ts'

/** By the product's own state, or by what the shop was seen to have. */
export const STATUS_FILTERS = [...PRODUCT_STATUSES, 'differs'] as const
export type StatusFilter = (typeof STATUS_FILTERS)[number]

/** What of the products' state stands in the address, beside the shell's `tab`. */
export interface ProductFilters {
  search: string
  status: StatusFilter | null
  isBin: boolean
}

export const readFilters = (params: URLSearchParams): ProductFilters => ({
  search: readText(params, 'search'),
  status: readOneOf(params, 'status', STATUS_FILTERS),
  isBin: params.get('view') === 'bin',
})

export const withFilters = (
  params: URLSearchParams,
  { search, status, isBin }: ProductFilters,
): URLSearchParams =>
  withParams(params, { search, status, view: isBin ? 'bin' : null, product: null, edit: null })

/** The same address with a product opened, or with none: the way back keeps the filters. */
export const withProduct = (params: URLSearchParams, id: string | null): URLSearchParams =>
  withParams(params, { product: id, edit: null })

export const withEdit = (params: URLSearchParams, isOpen: boolean): URLSearchParams =>
  withParams(params, { edit: isOpen ? '1' : null })
