import { SPOOL_STATUSES, type SpoolStatus } from '@pegasus/contracts/statuses'
import { readOneOf, readText, withParams } from '@/lib/address-state.ts'

/** What of the spools' state stands in the address, beside the shell's `tab`. */
export interface SpoolFilters {
  search: string
  material: string
  status: SpoolStatus | null
}

export const NO_FILTERS: SpoolFilters = { search: '', material: '', status: null }

export const readFilters = (params: URLSearchParams): SpoolFilters => ({
  search: readText(params, 'search'),
  material: readText(params, 'material'),
  status: readOneOf(params, 'status', SPOOL_STATUSES),
})

export const withFilters = (
  params: URLSearchParams,
  { search, material, status }: SpoolFilters,
): URLSearchParams => withParams(params, { search, material, status })
