import { PRODUCT_STATUSES } from '@pegasus/contracts/statuses'
import { readOneOf, readText, withParams } from '@/lib/browser/address-state.ts'

/** The list is filtered by the product's own status, or by the comparison with the shop. */
export const STATUS_FILTERS = [...PRODUCT_STATUSES, 'differs'] as const
export type StatusFilter = (typeof STATUS_FILTERS)[number]

/** The filters of the products tab in the URL. The shell adds its own parameter, `tab`. */
export interface ProductFilters {
  search: string
  status: StatusFilter | null
  isTrash: boolean
}

export const readFilters = (params: URLSearchParams): ProductFilters => ({
  search: readText(params, 'search'),
  status: readOneOf(params, 'status', STATUS_FILTERS),
  isTrash: params.get('view') === 'bin',
})

export const withFilters = (
  params: URLSearchParams,
  { search, status, isTrash }: ProductFilters,
): URLSearchParams =>
  withParams(params, { search, status, view: isTrash ? 'bin' : null, product: null, edit: null })

/** Returns the URL parameters that open the page of a product, or the list for null. The filters stay in the URL. */
export const withProduct = (params: URLSearchParams, id: string | null): URLSearchParams =>
  withParams(params, { product: id, edit: null })

export const withEdit = (params: URLSearchParams, isOpen: boolean): URLSearchParams =>
  withParams(params, { edit: isOpen ? '1' : null })

/** Addresses of the pages to which a product links. */
export interface ProductAddresses {
  model: (id: string) => string
  item: (id: string) => string
  /** Returns the address of the dialog that queues a print of an item. */
  print: (of: { itemId: string; quantity: number }) => string
  wizard: string
  media: string
}
