import { INVENTORY_SORTS, type InventorySort } from '@pegasus/contracts/inventory/items'
import { ITEM_STATUSES, type ItemStatus } from '@pegasus/contracts/statuses'
import { readOneOf, readText, withParams } from '@/lib/browser/address-state.ts'

/** The inventory's filters in the URL. The shell adds its own parameter, `tab`. */
export interface InventoryFilters {
  search: string
  status: ItemStatus | null
  isLowStockOnly: boolean
  /** Id of a location; the filter includes the locations inside it. Empty for any location. */
  location: string
  material: string
  /** Id of the model that items are made from; empty for any model. */
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

/** Query parameters of the list and of the CSV export. */
export const filterQuery = (filters: InventoryFilters, sort: InventorySort) => ({
  sort,
  ...(filters.search && { search: filters.search }),
  ...(filters.status && { status: filters.status }),
  ...(filters.isLowStockOnly && { low_stock_only: 'true' }),
  ...(filters.location && { location_id: filters.location }),
  ...(filters.material && { material: filters.material }),
  ...(filters.model && { stl_file_id: filters.model }),
})

const DEFAULT_SORT = 'newest'

export const readSort = (params: URLSearchParams): InventorySort =>
  readOneOf(params, 'sort', INVENTORY_SORTS) ?? DEFAULT_SORT

export const withSort = (params: URLSearchParams, sort: InventorySort): URLSearchParams =>
  withParams(params, { sort: sort === DEFAULT_SORT ? null : sort })

/** Returns the filters and the order in a URL, in the format of a saved search. */
export const searchQueryOf = (params: URLSearchParams): string =>
  withSort(withFilters(new URLSearchParams(), readFilters(params)), readSort(params)).toString()

/** Returns the URL's parameters with the filters and the order of a saved search. */
export function withSavedSearch(params: URLSearchParams, query: string): URLSearchParams {
  const saved = new URLSearchParams(query)
  return withSort(withFilters(params, readFilters(saved)), readSort(saved))
}

/** The layouts of the list: rows of a table, or cards. */
export const LAYOUTS = ['list', 'cards'] as const
export type Layout = (typeof LAYOUTS)[number]

/** Returns the layout in a URL; null if the URL has none, in which case the browser's remembered layout applies. */
export const readLayout = (params: URLSearchParams): Layout | null => readOneOf(params, 'layout', LAYOUTS)

export const withLayout = (params: URLSearchParams, layout: Layout): URLSearchParams =>
  withParams(params, { layout })

/** Views that replace the item list. */
const VIEWS = ['bin', 'locations'] as const
export type View = (typeof VIEWS)[number]

export const readView = (params: URLSearchParams): View | null => readOneOf(params, 'view', VIEWS)

/** Returns the URL parameters that open a view, or the list with its filters for null. */
export const withView = (params: URLSearchParams, view: View | null): URLSearchParams =>
  withParams(params, { view, item: null, add: null, place: null })

/** Returns the URL parameters that open the page of an item, or the list for null. The filters stay in the URL. */
export const withItem = (params: URLSearchParams, id: string | null): URLSearchParams =>
  withParams(params, { item: id, add: null })

/** Returns the URL parameters that open the locations view with one location selected. */
export const withLocation = (params: URLSearchParams, id: string | null): URLSearchParams =>
  withParams(params, { view: 'locations', place: id, item: null, add: null })

/** Returns the URL parameters that open or close the dialog for a new item. */
export const withAdd = (params: URLSearchParams, isOpen: boolean): URLSearchParams =>
  withParams(params, { add: isOpen ? '1' : null, ...(!isOpen && { name: null, sku: null }) })

/** Returns the name and SKU that the URL gives a new item. */
export const readNewItemParams = (params: URLSearchParams): { name: string; sku: string } => ({
  name: readText(params, 'name'),
  sku: readText(params, 'sku'),
})

/** Addresses of the pages to which an item links. */
export interface InventoryAddresses {
  model: (id: string) => string
  job: (id: string) => string
  order: (id: string) => string
  spool: (id: string) => string
  /** Returns the address of the dialog that queues a print of an item. */
  print: (of: { itemId: string; quantity: number }) => string
  /** Returns the address at which a product is set up from an item. */
  make: (id: string) => string
}
