import { INVENTORY_SORTS, type InventorySort } from '@pegasus/contracts/inventory/items'
import { ITEM_STATUSES, type ItemStatus } from '@pegasus/contracts/statuses'
import { readOneOf, readText, withParams } from '@/lib/browser/address-state.ts'

/** What of the inventory's state stands in the address, beside the shell's `tab`. */
export interface InventoryFilters {
  search: string
  status: ItemStatus | null
  isLowStockOnly: boolean
  /** Id of a location; what it holds is included. Empty for any. */
  location: string
  material: string
  /** Id of the model that items are made from; empty for any. */
  model: string
}

export const NO_FILTERS: InventoryFilters = {
  search: '',
  status: null,
  isLowStockOnly: false,
  location: '',
  material: '',
  model: '',
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

const readId = (params: URLSearchParams, name: string): string => {
  const text = readText(params, name)
  return UUID.test(text) ? text : ''
}

export const readFilters = (params: URLSearchParams): InventoryFilters => ({
  search: readText(params, 'search'),
  status: readOneOf(params, 'status', ITEM_STATUSES),
  isLowStockOnly: params.get('low_stock_only') === 'true',
  location: readId(params, 'location'),
  material: readText(params, 'material'),
  model: readId(params, 'made_of'),
})

export const withFilters = (
  params: URLSearchParams,
  { search, status, isLowStockOnly, location, material, model }: InventoryFilters,
): URLSearchParams =>
  withParams(params, {
    search,
    status,
    low_stock_only: isLowStockOnly ? 'true' : null,
    location,
    material: material.trim(),
    made_of: model,
  })

/** What the list and its export are asked for. */
export const filterQuery = (filters: InventoryFilters, sort: InventorySort) => ({
  sort,
  ...(filters.search && { search: filters.search }),
  ...(filters.status && { status: filters.status }),
  ...(filters.isLowStockOnly && { low_stock_only: 'true' }),
  ...(filters.location && { location_id: filters.location }),
  ...(filters.material && { material: filters.material }),
  ...(filters.model && { stl_file_id: filters.model }),
})

const USUAL_SORT = 'newest'

export const readSort = (params: URLSearchParams): InventorySort =>
  readOneOf(params, 'sort', INVENTORY_SORTS) ?? USUAL_SORT

export const withSort = (params: URLSearchParams, sort: InventorySort): URLSearchParams =>
  withParams(params, { sort: sort === USUAL_SORT ? null : sort })

/** How items are laid out: as rows of a table, or as cards. */
export const LAYOUTS = ['list', 'cards'] as const
export type Layout = (typeof LAYOUTS)[number]

export const readLayout = (params: URLSearchParams): Layout => readOneOf(params, 'layout', LAYOUTS) ?? 'list'

export const withLayout = (params: URLSearchParams, layout: Layout): URLSearchParams =>
  withParams(params, { layout: layout === 'list' ? null : layout })

/** What the room shows in place of the list. */
const VIEWS = ['bin', 'locations'] as const
export type View = (typeof VIEWS)[number]

export const readView = (params: URLSearchParams): View | null => readOneOf(params, 'view', VIEWS)

/** The list as it was left, its bin or the locations. */
export const withView = (params: URLSearchParams, view: View | null): URLSearchParams =>
  withParams(params, { view, item: null, add: null, place: null })

/** The same address with an item opened, or with none: the way back keeps the filters. */
export const withItem = (params: URLSearchParams, id: string | null): URLSearchParams =>
  withParams(params, { item: id, add: null })

/** Among the locations, the one whose contents are shown. */
export const withLocation = (params: URLSearchParams, id: string | null): URLSearchParams =>
  withParams(params, { view: 'locations', place: id, item: null, add: null })

/** The same address with the dialog for a new item open or not. */
export const withAdd = (params: URLSearchParams, isOpen: boolean): URLSearchParams =>
  withParams(params, { add: isOpen ? '1' : null })
