import { ROLES, type Role } from '@pegasus/contracts/roles'
import { ACCOUNT_STATUSES, type AccountStatus } from '@pegasus/contracts/users/users'
import { readOneOf, readText, withParams } from '@/lib/browser/address-state.ts'

/** The filters of the People tab in the URL. The shell adds its own parameter, `tab`. */
export interface AccountFilters {
  search: string
  role: Role | null
  status: AccountStatus | null
}

export const NO_FILTERS: AccountFilters = { search: '', role: null, status: null }

export const readFilters = (params: URLSearchParams): AccountFilters => ({
  search: readText(params, 'search'),
  role: readOneOf(params, 'role', ROLES),
  status: readOneOf(params, 'status', ACCOUNT_STATUSES),
})

export const withFilters = (
  params: URLSearchParams,
  { search, role, status }: AccountFilters,
): URLSearchParams => withParams(params, { search, role, status })

export const PEOPLE_VIEWS = ['people', 'mails', 'sso'] as const
export type AccountsView = (typeof PEOPLE_VIEWS)[number]

/** Returns the open view: the accounts, the unsent emails, or the SAML providers. */
export const readView = (params: URLSearchParams): AccountsView =>
  readOneOf(params, 'view', PEOPLE_VIEWS) ?? 'people'

/**
 * Returns the URL parameters that open a view. The filters are removed, because they apply only to the list of
 * accounts.
 */
export const withView = (params: URLSearchParams, view: AccountsView): URLSearchParams =>
  withParams(withFilters(params, NO_FILTERS), { person: null, view: view === 'people' ? null : view })

/** Returns the id of the account whose dialog is open. */
export const readAccount = (params: URLSearchParams): string | null => params.get('person')

export const withAccount = (params: URLSearchParams, id: string | null): URLSearchParams =>
  withParams(params, { person: id })
