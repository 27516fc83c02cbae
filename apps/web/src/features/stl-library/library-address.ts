import { LICENSE_TYPES, type LicenseType } from '@pegasus/contracts/licenses'

/** What of the library's state stands in the address, beside the shell's `tab`. */
export interface LibraryFilters {
  search: string
  license: LicenseType | null
}

export const NO_FILTERS: LibraryFilters = { search: '', license: null }

const isLicense = (text: string | null): text is LicenseType =>
  (LICENSE_TYPES as readonly (string | null)[]).includes(text)

/** Reads the filters out of an address; what is not a licence is as good as none. */
export function readFilters(params: URLSearchParams): LibraryFilters {
  const license = params.get('license')
  return { search: (params.get('search') ?? '').trim(), license: isLicense(license) ? license : null }
}

export const hasFilters = ({ search, license }: LibraryFilters): boolean => search !== '' || license !== null

/** The same address with other filters; what else it holds (the tab) stays. */
export function withFilters(params: URLSearchParams, { search, license }: LibraryFilters): URLSearchParams {
  const next = new URLSearchParams(params)
  setOrDelete(next, 'search', search.trim())
  setOrDelete(next, 'license', license ?? '')
  next.delete('model')
  return next
}

/** The same address with a model opened, or with none: the way back keeps the filters. */
export function withModel(params: URLSearchParams, id: string | null): URLSearchParams {
  const next = new URLSearchParams(params)
  next.delete('upload')
  setOrDelete(next, 'model', id ?? '')
  return next
}

/** The same address with the upload dialog open or not. */
export function withUpload(params: URLSearchParams, isOpen: boolean): URLSearchParams {
  const next = new URLSearchParams(params)
  setOrDelete(next, 'upload', isOpen ? '1' : '')
  return next
}

function setOrDelete(params: URLSearchParams, name: string, value: string) {
  if (value === '') params.delete(name)
  else params.set(name, value)
}
