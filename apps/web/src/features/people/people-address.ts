import { ROLES, type Role } from '@pegasus/contracts/roles'
import { PERSON_STATUSES, type PersonStatus } from '@pegasus/contracts/users'
import { readOneOf, readText, withParams } from '@/lib/browser/address-state.ts'

/** What of the people's state stands in the address, beside the shell's `tab`. */
export interface PeopleFilters {
  search: string
  role: Role | null
  status: PersonStatus | null
}

export const NO_FILTERS: PeopleFilters = { search: '', role: null, status: null }

export const readFilters = (params: URLSearchParams): PeopleFilters => ({
  search: readText(params, 'search'),
  role: readOneOf(params, 'role', ROLES),
  status: readOneOf(params, 'status', PERSON_STATUSES),
})

export const withFilters = (
  params: URLSearchParams,
  { search, role, status }: PeopleFilters,
): URLSearchParams => withParams(params, { search, role, status })

export const PEOPLE_VIEWS = ['people', 'mails'] as const
export type PeopleView = (typeof PEOPLE_VIEWS)[number]

/** The people themselves, or the mails that wait to be passed on to them. */
export const readView = (params: URLSearchParams): PeopleView =>
  readOneOf(params, 'view', PEOPLE_VIEWS) ?? 'people'

/** Filters belong to the list of people. */
export const withView = (params: URLSearchParams, view: PeopleView): URLSearchParams =>
  withParams(withFilters(params, NO_FILTERS), { person: null, view: view === 'people' ? null : view })

/** The person whose dialog is open. */
export const readPerson = (params: URLSearchParams): string | null => params.get('person')

export const withPerson = (params: URLSearchParams, id: string | null): URLSearchParams =>
  withParams(params, { person: id })
