import { getModel } from '@pegasus/contracts/stl-library/models'
import { type InventorySort } from '@pegasus/contracts/inventory/items'
import { STATUS_DISPLAY } from '@pegasus/contracts/statuses'
import { useQuery } from '@tanstack/react-query'
import type { AppliedFilter } from '@/components/no-matches.tsx'
import { callApi } from '@/lib/http/api.ts'
import type { InventoryFilters } from '../inventory-address.ts'
import { locationQuery } from '../locations/locations.queries.ts'

export const SORT_WORDS: Readonly<Record<InventorySort, string>> = {
  newest: 'Newest first',
  oldest: 'Oldest first',
  name: 'By name',
  quantity: 'Fewest first',
  most: 'Most first',
  updated: 'Last changed',
}

export interface NamedFilter extends AppliedFilter {
  /** Whether the bar of filters does not show it already. */
  isHidden: boolean
}

/** What narrows the list, in words, each with what takes it away. */
export function useAppliedFilters(
  filters: InventoryFilters,
  apply: (part: Partial<InventoryFilters>) => void,
): NamedFilter[] {
  const { search, status, isLowStockOnly, location, material, model } = filters
  const place = useQuery({ ...locationQuery(location), enabled: location !== '' })
  const source = useQuery({
    queryKey: ['stl-files', 'one', model],
    queryFn: ({ signal }) => callApi(getModel, { params: { id: model }, signal }),
    enabled: model !== '',
  })
  const found: (false | NamedFilter)[] = [
    search !== '' && {
      name: `“${search}”`,
      clearLabel: 'Clear search',
      isHidden: false,
      onClear: () => apply({ search: '' }),
    },
    status !== null && {
      name: STATUS_DISPLAY[status].label,
      clearLabel: 'Clear status',
      isHidden: false,
      onClear: () => apply({ status: null }),
    },
    isLowStockOnly && {
      name: 'Low Stock Only',
      clearLabel: 'Clear Low Stock Only',
      isHidden: false,
      onClear: () => apply({ isLowStockOnly: false }),
    },
    location !== '' && {
      name: place.data?.path ?? 'a location',
      clearLabel: 'Clear location',
      isHidden: true,
      onClear: () => apply({ location: '' }),
    },
    material !== '' && {
      name: material,
      clearLabel: 'Clear material',
      isHidden: true,
      onClear: () => apply({ material: '' }),
    },
    model !== '' && {
      name: source.data?.title ?? 'a model',
      clearLabel: 'Clear model',
      isHidden: true,
      onClear: () => apply({ model: '' }),
    },
  ]
  return found.filter((filter) => filter !== false)
}
