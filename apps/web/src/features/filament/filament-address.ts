import { SPOOL_SORTS, type SpoolSort } from '@pegasus/contracts/filament/spools'
import { SPOOL_STATUSES, type SpoolStatus } from '@pegasus/contracts/statuses'
import { readOneOf, readText, withParams } from '@/lib/browser/address-state.ts'

/** The filters of the spool list in the URL. The shell adds its own parameter, `tab`. */
export interface SpoolFilters {
  search: string
  material: string
  /** The selected status; null for all statuses except archived. */
  status: SpoolStatus | null
  sort: SpoolSort
}

export const NO_FILTERS: SpoolFilters = { search: '', material: '', status: null, sort: 'newest' }

export const readFilters = (params: URLSearchParams): SpoolFilters => ({
  search: readText(params, 'search'),
  material: readText(params, 'material'),
  status: readOneOf(params, 'status', SPOOL_STATUSES),
  sort: readOneOf(params, 'sort', SPOOL_SORTS) ?? NO_FILTERS.sort,
})

/** Writes the filters into the URL. Default values are left out. */
export const withFilters = (
  params: URLSearchParams,
  { search, material, status, sort }: SpoolFilters,
): URLSearchParams =>
  withParams(params, { search, material, status, sort: sort === NO_FILTERS.sort ? null : sort, spool: null })

/** Returns the filters and the order in a URL, in the format of a saved search. */
export const searchQueryOf = (params: URLSearchParams): string =>
  withFilters(new URLSearchParams(), readFilters(params)).toString()

/** Returns the URL's parameters with the filters and the order of a saved search. */
export const withSavedSearch = (params: URLSearchParams, query: string): URLSearchParams =>
  withFilters(params, readFilters(new URLSearchParams(query)))

/** Returns the URL parameters that open the page of a spool, or the list for null. The filters stay in the URL. */
export const withSpool = (params: URLSearchParams, id: string | null): URLSearchParams =>
  withParams(params, { spool: id })

/** Returns the URL parameters that open or close the dialog for a new spool. */
export const withAdd = (params: URLSearchParams, isAdding: boolean): URLSearchParams =>
  withParams(params, { add: isAdding ? '1' : null })

/** Views that replace the spool list: the stock by material and color, and the trash. */
const VIEWS = ['colors', 'bin'] as const
export type View = (typeof VIEWS)[number]

export const readView = (params: URLSearchParams): View | null => readOneOf(params, 'view', VIEWS)

export const withView = (params: URLSearchParams, view: View | null): URLSearchParams =>
  withParams(params, { view })
