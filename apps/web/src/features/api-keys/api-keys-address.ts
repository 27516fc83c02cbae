import { API_KEY_SCOPES } from '@pegasus/contracts/roles'
import { readOneOf, withParams } from '@/lib/browser/address-state.ts'
import type { KeyFilters } from './key-details.ts'

export const NO_FILTERS: KeyFilters = { search: '', scope: null }

export const readFilters = (params: URLSearchParams): KeyFilters => ({
  // Unchanged while typing: a search that applies at once may end in a space.
  search: params.get('search') ?? '',
  scope: readOneOf(params, 'scope', API_KEY_SCOPES),
})

export const withFilters = (params: URLSearchParams, { search, scope }: KeyFilters): URLSearchParams =>
  withParams(params, { search, scope })

/** The key whose details are open; the rest of the address stays. */
export const readOpenKey = (params: URLSearchParams): string | null => params.get('key')

export const withOpenKey = (params: URLSearchParams, id: string | null): URLSearchParams =>
  withParams(params, { key: id })
