import { SPOOL_SORTS, type SpoolSort } from '@pegasus/contracts/filament/spools'
import { SPOOL_STATUSES, type SpoolStatus } from '@pegasus/contracts/statuses'
import { readOneOf, readText, withParams } from '@/lib/browser/address-state.ts'

/** What of the spools' state stands in the address, beside the shell's `tab`. */
export interface SpoolFilters {
  search: string
  material: string
  /** Null: whatever is not archived. */
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

/** The usual order is not written down. */
export const withFilters = (
  params: URLSearchParams,
  { search, material, status, sort }: SpoolFilters,
): URLSearchParams =>
  withParams(params, { search, material, status, sort: sort === NO_FILTERS.sort ? null : sort, spool: null })

/** The same address with a spool opened, or with none: the way back keeps the filters. */
export const withSpool = (params: URLSearchParams, id: string | null): URLSearchParams =>
  withParams(params, { spool: id })

/** What the room shows in place of the spools: their sums by material and color, or the bin. */
const VIEWS = ['colors', 'bin'] as const
export type View = (typeof VIEWS)[number]

export const readView = (params: URLSearchParams): View | null => readOneOf(params, 'view', VIEWS)

export const withView = (params: URLSearchParams, view: View | null): URLSearchParams =>
  withParams(params, { view })
