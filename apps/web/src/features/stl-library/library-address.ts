import { LICENSE_TYPES, type LicenseType } from '@pegasus/contracts/stl-library/licenses'
import {
  MODEL_FORMATS,
  type ModelFormat,
  SALE_VERDICTS,
  type SaleVerdict,
  normalizeTags,
} from '@pegasus/contracts/stl-library/models'
import { MODEL_SORTS, type ModelSort } from '@pegasus/contracts/stl-library/search'
import { readOneOf, readText, withParams } from '@/lib/browser/address-state.ts'
import { isBedSize } from './search/bed-sizes.ts'

/** The filters of the library in the URL. The shell adds its own parameter, `tab`. */
export interface LibraryFilters {
  search: string
  license: LicenseType | null
  /** Models must have all of these tags. */
  tags: readonly string[]
  material: string
  /** Size in mm of the bed that models must fit: `220x220x250`. Empty for any size. */
  fits: string
  isWatertight: boolean | null
  isProduct: boolean | null
  sale: SaleVerdict | null
  format: ModelFormat | null
  /** Username of the uploader. */
  uploader: string
  /** First and last day of the upload, both included: `2026-11-21`. Empty for no limit. */
  from: string
  to: string
}

export const NO_FILTERS: LibraryFilters = {
  search: '',
  license: null,
  tags: [],
  material: '',
  fits: '',
  isWatertight: null,
  isProduct: null,
  sale: null,
  format: null,
  uploader: '',
  from: '',
  to: '',
}

const FLAGS = ['true', 'false'] as const

const readFlag = (params: URLSearchParams, name: string): boolean | null => {
  const text = readOneOf(params, name, FLAGS)
  return text === null ? null : text === 'true'
}

const readDay = (params: URLSearchParams, name: string): string => {
  const text = readText(params, name)
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text)) ? text : ''
}

const readBed = (params: URLSearchParams): string => {
  const text = readText(params, 'fits')
  return isBedSize(text) ? text : ''
}

/** Reads the filters from the URL. Unknown values are ignored. */
export const readFilters = (params: URLSearchParams): LibraryFilters => ({
  search: readText(params, 'search'),
  license: readOneOf(params, 'license', LICENSE_TYPES),
  tags: normalizeTags(readText(params, 'tags').split(',')),
  material: readText(params, 'material'),
  fits: readBed(params),
  isWatertight: readFlag(params, 'watertight'),
  isProduct: readFlag(params, 'product'),
  sale: readOneOf(params, 'sale', SALE_VERDICTS),
  format: readOneOf(params, 'format', MODEL_FORMATS),
  uploader: readText(params, 'uploader'),
  from: readDay(params, 'from'),
  to: readDay(params, 'to'),
})

const textOf = (value: LibraryFilters[keyof LibraryFilters]): string =>
  Array.isArray(value) ? value.join(',') : String(value ?? '')

export const hasFilters = (filters: LibraryFilters): boolean =>
  Object.values(filters).some((value) => textOf(value) !== '')

/** Writes the filters into the URL. Other parameters, such as the tab and the order, stay. */
export const withFilters = (params: URLSearchParams, filters: LibraryFilters): URLSearchParams =>
  withParams(params, {
    search: filters.search.trim(),
    license: filters.license,
    tags: filters.tags.join(','),
    material: filters.material.trim(),
    fits: filters.fits,
    watertight: textOf(filters.isWatertight),
    product: textOf(filters.isProduct),
    sale: filters.sale,
    format: filters.format,
    uploader: filters.uploader.trim(),
    from: filters.from,
    to: filters.to,
    model: null,
  })

/** Returns the selected order. The default is relevance during a search, and newest first otherwise. */
export function readSort(params: URLSearchParams): ModelSort {
  const hasSearch = readText(params, 'search') !== ''
  const chosen = readOneOf(params, 'sort', MODEL_SORTS)
  if (chosen === null) return hasSearch ? 'relevance' : 'newest'
  return chosen === 'relevance' && !hasSearch ? 'newest' : chosen
}

/** Writes the order into the URL. The default order is left out. */
export function withSort(params: URLSearchParams, sort: ModelSort): URLSearchParams {
  const usual = readSort(withParams(params, { sort: null }))
  return withParams(params, { sort: sort === usual ? null : sort })
}

/** Returns the parameters that a saved search keeps: filters and order. */
export function searchQueryOf(params: URLSearchParams): string {
  const kept = withFilters(new URLSearchParams(), readFilters(params))
  return withSort(kept, readSort(params)).toString()
}

/** Returns the URL's parameters with the filters and the order of a saved search. */
export function withSavedSearch(params: URLSearchParams, query: string): URLSearchParams {
  const saved = new URLSearchParams(query)
  const next = withFilters(withParams(params, { sort: null }), readFilters(saved))
  return withSort(next, readSort(saved))
}

/** Returns whether the trash is shown instead of the library. */
export const isTrash = (params: URLSearchParams): boolean => params.get('view') === 'bin'

/** Returns the URL parameters that open the trash, or the library in its previous state. */
export const withTrash = (params: URLSearchParams, isOpen: boolean): URLSearchParams =>
  withParams(params, { view: isOpen ? 'bin' : null, model: null, upload: null })

/** Returns the URL parameters that open the page of a model, or the list for null. The filters stay in the URL. */
export const withModel = (params: URLSearchParams, id: string | null): URLSearchParams =>
  withParams(params, { upload: null, view: null, model: id })

/** Returns the URL parameters that open or close the upload dialog. */
export const withUpload = (params: URLSearchParams, isOpen: boolean): URLSearchParams =>
  withParams(params, { upload: isOpen ? '1' : null })
