import { API_KEY_SCOPES } from '@pegasus/contracts/roles'
import { readOneOf, withParams } from '@/lib/browser/address-state.ts'
import type { KeyFilters } from './key-details.ts'

export const NO_FILTERS: KeyFilters = { search: '', scope: null }

export const readFilters = (params: URLSearchParams): KeyFilters => ({
  // The text is not trimmed, because it is applied during typing and may end in a space.
  search: params.get('search') ?? '',
  scope: readOneOf(params, 'scope', API_KEY_SCOPES),
})

export const withFilters = (params: URLSearchParams, { search, scope }: KeyFilters): URLSearchParams =>
  withParams(params, { search, scope })

/** Returns the id of the key whose details are open. */
export const readOpenKey = (params: URLSearchParams): string | null => params.get('key')

export const withOpenKey = (params: URLSearchParams, id: string | null): URLSearchParams =>
  withParams(params, { key: id })
