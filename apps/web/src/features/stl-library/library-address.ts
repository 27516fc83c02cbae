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

/** The library's state in the address, next to the shell's `tab`. */
export interface LibraryFilters {
  search: string
  license: LicenseType | null
  /** Models must have all of them. */
  tags: readonly string[]
  material: string
  /** Bed size in the form of the address, `220x220x250`; empty for any. */
  fits: string
  isWatertight: boolean | null
  isProduct: boolean | null
  sale: SaleVerdict | null
  format: ModelFormat | null
  /** Username. */
  uploader: string
  /** Days, `2026-11-21`, both included; empty for any. */
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

/** Reads the filters from an address; unknown values are ignored. */
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

/** The same address with other filters; the rest (tab, order) stays. */
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

/** The chosen order; by default relevance for a search and newest first otherwise. */
export function readSort(params: URLSearchParams): ModelSort {
  const hasSearch = readText(params, 'search') !== ''
  const chosen = readOneOf(params, 'sort', MODEL_SORTS)
  if (chosen === null) return hasSearch ? 'relevance' : 'newest'
  return chosen === 'relevance' && !hasSearch ? 'newest' : chosen
}

/** The default order is not written to the address. */
export function withSort(params: URLSearchParams, sort: ModelSort): URLSearchParams {
  const usual = readSort(withParams(params, { sort: null }))
  return withParams(params, { sort: sort === usual ? null : sort })
}

/** The parts of an address that a saved search keeps: filters and order. */
export function searchQueryOf(params: URLSearchParams): string {
  const kept = withFilters(new URLSearchParams(), readFilters(params))
  return withSort(kept, readSort(params)).toString()
}

/** The same address with filters and order from a saved search. */
export function withSavedSearch(params: URLSearchParams, query: string): URLSearchParams {
  const saved = new URLSearchParams(query)
  const next = withFilters(withParams(params, { sort: null }), readFilters(saved))
  return withSort(next, readSort(saved))
}

/** Whether the trash is shown instead of the library. */
export const isTrash = (params: URLSearchParams): boolean => params.get('view') === 'bin'

/** The trash, or the library in its previous state. */
export const withTrash = (params: URLSearchParams, isOpen: boolean): URLSearchParams =>
  withParams(params, { view: isOpen ? 'bin' : null, model: null, upload: null })

/** The same address with a model opened, or none; the filters stay. */
export const withModel = (params: URLSearchParams, id: string | null): URLSearchParams =>
  withParams(params, { upload: null, view: null, model: id })

/** The same address with the upload dialog open or closed. */
export const withUpload = (params: URLSearchParams, isOpen: boolean): URLSearchParams =>
  withParams(params, { upload: isOpen ? '1' : null })
