import { API_KEY_SCOPES } from '@pegasus/contracts/api-keys/scopes'
import { readOneOf, withParams } from '@/lib/browser/address-state.ts'
import type { KeyFilters } from './key-details.ts'

export const NO_FILTERS: KeyFilters = { search: '', scope: null }

export const readFilters = (params: URLSearchParams): KeyFilters => ({
  // As it is typed: a search that holds at once may end in a space.
  search: params.get('search') ?? '',
  scope: readOneOf(params, 'scope', API_KEY_SCOPES),
})

export const withFilters = (params: URLSearchParams, { search, scope }: KeyFilters): URLSearchParams =>
  withParams(params, { search, scope })

/** The key whose details are open; the shell's address of the tab stays. */
export const readOpenKey = (params: URLSearchParams): string | null => params.get('key')

export const withOpenKey = (params: URLSearchParams, id: string | null): URLSearchParams =>
  withParams(params, { key: id })
