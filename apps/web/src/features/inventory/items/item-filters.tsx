import { getModel } from '@pegasus/contracts/stl-library/models'
import type { InventorySort } from '@pegasus/contracts/inventory/items'
import { ITEM_STATUSES } from '@pegasus/contracts/statuses'
import { useQuery } from '@tanstack/react-query'
import { type ListFilters, searchFilter, statusFilter } from '@/components/kit/list-filters.tsx'
import { Checkbox } from '@/components/ui/forms/checkbox.tsx'
import { callApi } from '@/lib/http/api.ts'
import type { InventoryFilters } from '../inventory-address.ts'
import { locationQuery } from '../locations/locations.queries.ts'
import { t } from '@/lib/i18n/messages.ts'

export const SORT_LABELS: Readonly<Record<InventorySort, string>> = {
  newest: t('Newest first'),
  oldest: t('Oldest first'),
  name: t('By name'),
  quantity: t('Fewest first'),
  most: t('Most first'),
  updated: t('Last changed'),
}

const BAR_FILTERS: ListFilters<InventoryFilters> = [
  searchFilter(t('Search name, SKU or location')),
  {
    name: 'low_stock_only',
    control: ({ isLowStockOnly }) => (
      <Checkbox
        name="low_stock_only"
        label={t('Low Stock Only')}
        defaultChecked={isLowStockOnly}
        className="px-1"
      />
    ),
    read: (value) => ({ isLowStockOnly: value === 'on' }),
    nameOf: ({ isLowStockOnly }) => (isLowStockOnly ? t('Low Stock Only') : ''),
    clearLabel: t('Clear Low Stock Only'),
    cleared: { isLowStockOnly: false },
  },
  statusFilter(ITEM_STATUSES, 'w-36'),
]

/**
 * The filters of the inventory. Location, material and model have no control here, because they are set in a dialog.
 */
export function useItemFilters({ location, model }: InventoryFilters): ListFilters<InventoryFilters> {
  const { data: found } = useQuery({ ...locationQuery(location), enabled: location !== '' })
  const { data: source } = useQuery({
    queryKey: ['stl-files', 'one', model],
    queryFn: ({ signal }) => callApi(getModel, { params: { id: model }, signal }),
    enabled: model !== '',
  })
  return [
    ...BAR_FILTERS,
    {
      name: 'location',
      nameOf: (filters) => filters.location && (found?.path ?? t('a location')),
      clearLabel: t('Clear location'),
      cleared: { location: '' },
    },
    {
      name: 'material',
      nameOf: ({ material }) => material,
      clearLabel: t('Clear material'),
      cleared: { material: '' },
    },
    {
      name: 'model',
      nameOf: (filters) => filters.model && (source?.title ?? t('a model')),
      clearLabel: t('Clear model'),
      cleared: { model: '' },
    },
  ]
}
