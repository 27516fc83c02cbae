import type { SaleVerdict } from '@pegasus/contracts/stl-library/models'
import type { ModelSort } from '@pegasus/contracts/stl-library/search'
import { formatDate } from '@/lib/format/format.ts'
import { formatBed } from './bed-sizes.ts'
import type { LibraryFilters } from '../library-address.ts'

export const SORT_WORDS: Readonly<Record<ModelSort, string>> = {
  relevance: 'Best match',
  newest: 'Newest first',
  oldest: 'Oldest first',
  title: 'Title A–Z',
  largest: 'Largest first',
  smallest: 'Smallest first',
}

export const SALE_WORDS: Readonly<Record<SaleVerdict, string>> = {
  allowed: 'May be sold',
  forbidden: 'May not be sold',
  unknown: 'Sale not cleared',
}

/** The label of an applied filter, and the filters that remain without it. */
export interface FilterWord {
  name: string
  clearLabel: string
  without: LibraryFilters
}

/** Formats a date from the URL, which has no time zone. */
const dayName = (day: string): string => formatDate(`${day}T12:00:00`)

/** Returns one label for each applied filter, and one for each tag. */
export function filterLabels(filters: LibraryFilters): FilterWord[] {
  const { search, license, tags, material, fits, isWatertight, isProduct, sale, format, uploader, from, to } =
    filters
  const without = (change: Partial<LibraryFilters>): LibraryFilters => ({ ...filters, ...change })
  const word = (name: string | false | null, clearLabel: string, change: Partial<LibraryFilters>) =>
    name ? [{ name, clearLabel, without: without(change) }] : []
  return [
    ...word(search && `“${search}”`, 'Clear search', { search: '' }),
    ...word(license, 'Clear license filter', { license: null }),
    ...tags.flatMap((tag) =>
      word(`Tag: ${tag}`, `Clear tag ${tag}`, { tags: tags.filter((other) => other !== tag) }),
    ),
    ...word(material && `Material: ${material}`, 'Clear material', { material: '' }),
    ...word(fits && `Fits ${formatBed(fits)}`, 'Clear bed', { fits: '' }),
    ...word(isWatertight !== null && (isWatertight ? 'Watertight' : 'Not watertight'), 'Clear watertight', {
      isWatertight: null,
    }),
    ...word(isProduct !== null && (isProduct ? 'Product' : 'Not a product'), 'Clear product', {
      isProduct: null,
    }),
    ...word(sale && SALE_WORDS[sale], 'Clear selling', { sale: null }),
    ...word(format && format.toUpperCase(), 'Clear format', { format: null }),
    ...word(uploader && `Uploaded by ${uploader}`, 'Clear uploader', { uploader: '' }),
    ...word(from && `From ${dayName(from)}`, 'Clear first day', { from: '' }),
    ...word(to && `Until ${dayName(to)}`, 'Clear last day', { to: '' }),
  ]
}

/** Returns the number of applied filters that are behind “More filters”. */
export const countMoreFilters = (filters: LibraryFilters): number =>
  filterLabels({ ...filters, search: '', license: null }).length
