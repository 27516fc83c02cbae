import { ITEM_STATUSES, type ItemStatus } from '@pegasus/contracts/statuses'
import { readOneOf, readText, withParams } from '@/lib/address-state.ts'

/** What of the inventory's state stands in the address, beside the shell's `tab`. */
export interface InventoryFilters {
  search: string
  status: ItemStatus | null
  isLowStockOnly: boolean
}

export const NO_FILTERS: InventoryFilters = { search: '', status: null, isLowStockOnly: false }

export const readFilters = (params: URLSearchParams): InventoryFilters => ({
  search: readText(params, 'search'),
  status: readOneOf(params, 'status', ITEM_STATUSES),
  isLowStockOnly: params.get('low_stock_only') === 'true',
})

export const withFilters = (
  params: URLSearchParams,
  { search, status, isLowStockOnly }: InventoryFilters,
): URLSearchParams => withParams(params, { search, status, low_stock_only: isLowStockOnly ? 'true' : null })
