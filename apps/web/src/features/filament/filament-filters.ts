import type { SpoolSort } from '@pegasus/contracts/filament/spools'
import { STATUS_DISPLAY } from '@pegasus/contracts/statuses'
import type { AppliedFilter } from '@/components/no-matches.tsx'
import type { SpoolFilters } from './filament-address.ts'

export const SORT_WORDS: Readonly<Record<SpoolSort, string>> = {
  newest: 'Newest first',
  least_left: 'Least left first',
  most_left: 'Most left first',
  material: 'By material',
  last_used: 'Last used first',
}

/** What narrows the list, each with the way to take it away. */
export function appliedFilters(filters: SpoolFilters, apply: (next: SpoolFilters) => void): AppliedFilter[] {
  const { search, material, status } = filters
  const found: (AppliedFilter | null)[] = [
    search
      ? { name: `“${search}”`, clearLabel: 'Clear search', onClear: () => apply({ ...filters, search: '' }) }
      : null,
    material
      ? { name: material, clearLabel: 'Clear material', onClear: () => apply({ ...filters, material: '' }) }
      : null,
    status
      ? {
          name: STATUS_DISPLAY[status].label,
          clearLabel: 'Clear status',
          onClear: () => apply({ ...filters, status: null }),
        }
      : null,
  ]
  return found.filter((filter) => filter !== null)
}
