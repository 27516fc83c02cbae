import type { SaleVerdict } from '@pegasus/contracts/stl-library/models'
import type { ModelSort } from '@pegasus/contracts/stl-library/search'
import { formatDate } from '@/lib/format/format.ts'
import { formatBed } from './bed-sizes.ts'
import type { LibraryFilters } from '../library-address.ts'
import { t } from '@/lib/i18n/messages.ts'

export const SORT_WORDS: Readonly<Record<ModelSort, string>> = {
  relevance: t('Best match'),
  newest: t('Newest first'),
  oldest: t('Oldest first'),
  title: t('Title A–Z'),
  largest: t('Largest first'),
  smallest: t('Smallest first'),
}

export const SALE_WORDS: Readonly<Record<SaleVerdict, string>> = {
  allowed: t('May be sold'),
  forbidden: t('May not be sold'),
  unknown: t('Sale not cleared'),
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
    ...word(search && `“${search}”`, t('Clear search'), { search: '' }),
    ...word(license, t('Clear license filter'), { license: null }),
    ...tags.flatMap((tag) =>
      word(t('Tag: {tag}', { tag }), t('Clear tag {tag}', { tag }), {
        tags: tags.filter((other) => other !== tag),
      }),
    ),
    ...word(material && t('Material: {material}', { material }), t('Clear material'), { material: '' }),
    ...word(fits && t('Fits {fits}', { fits: formatBed(fits) }), t('Clear bed'), { fits: '' }),
    ...word(
      isWatertight !== null && (isWatertight ? t('Watertight') : t('Not watertight')),
      t('Clear watertight'),
      {
        isWatertight: null,
      },
    ),
    ...word(isProduct !== null && (isProduct ? t('Product') : t('Not a product')), t('Clear product'), {
      isProduct: null,
    }),
    ...word(sale && SALE_WORDS[sale], t('Clear selling'), { sale: null }),
    ...word(format && format.toUpperCase(), t('Clear format'), { format: null }),
    ...word(uploader && t('Uploaded by {uploader}', { uploader }), t('Clear uploader'), { uploader: '' }),
    ...word(from && t('From {dayName}', { dayName: dayName(from) }), t('Clear first day'), { from: '' }),
    ...word(to && t('Until {dayName}', { dayName: dayName(to) }), t('Clear last day'), { to: '' }),
  ]
}

/** Returns the number of applied filters that are behind “More filters”. */
export const countMoreFilters = (filters: LibraryFilters): number =>
  filterLabels({ ...filters, search: '', license: null }).length
