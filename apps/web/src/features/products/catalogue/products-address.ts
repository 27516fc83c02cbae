import { PRODUCT_STATUSES, type ProductStatus } from '@pegasus/contracts/statuses'
import { readOneOf, readText, withParams } from '@/lib/address-state.ts'

/** What of the products' state stands in the address, beside the shell's `tab`. */
export interface ProductFilters {
  search: string
  status: ProductStatus | null
  isBin: boolean
}

export const readFilters = (params: URLSearchParams): ProductFilters => ({
  search: readText(params, 'search'),
  status: readOneOf(params, 'status', PRODUCT_STATUSES),
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
