import { expect, test } from 'vitest'
import {
  filterQuery,
  NO_FILTERS,
  readFilters,
  readLayout,
  readSort,
  readView,
  withFilters,
  withItem,
  withLayout,
  withSort,
  withView,
} from './inventory-address.ts'

const address = (text: string) => new URLSearchParams(text)
const ID = '0198c0de-0000-7000-8000-000000000001'

test("the dashboard's link to the inventory filters the list to low stock", () => {
  expect(readFilters(address('tab=inventory&low_stock_only=true'))).toEqual({
    ...NO_FILTERS,
    isLowStockOnly: true,
  })
})

test('inventory filters are written to the URL and read back, and cleared filters are removed from the URL', () => {
  const filters = {
    search: 'حامل',
    status: 'Out of Stock',
    isLowStockOnly: true,
    location: ID,
    material: 'PETG',
    model: ID,
  } as const
  const params = withFilters(address('tab=inventory'), filters)
  expect(readFilters(address(params.toString()))).toEqual(filters)
  expect(withFilters(params, NO_FILTERS).toString()).toBe('tab=inventory')
  expect(readFilters(address('status=Broken&low_stock_only=1&location=Rack'))).toEqual(NO_FILTERS)
  expect(filterQuery(NO_FILTERS, 'newest')).toEqual({ sort: 'newest' })
  expect(filterQuery(filters, 'name')).toMatchObject({ location_id: ID, stl_file_id: ID })
})

test('the inventory URL contains the order if it is not the default, and the layout if a person chose it', () => {
  const params = withLayout(withSort(address('tab=inventory'), 'quantity'), 'cards')
  expect(params.toString()).toBe('tab=inventory&sort=quantity&layout=cards')
  expect([readSort(params), readLayout(params)]).toEqual(['quantity', 'cards'])
  expect(withLayout(withSort(params, 'newest'), 'list').toString()).toBe('tab=inventory&layout=list')
  expect([readSort(address('sort=price')), readLayout(address('layout=3d'))]).toEqual(['newest', null])
})

test('closing an item or a view leads back to the inventory list with its filters', () => {
  const list = address('tab=inventory&search=hook')
  expect(withItem(withItem(list, ID), null).toString()).toBe(list.toString())
  expect(readView(withView(list, 'bin'))).toBe('bin')
  expect(withView(withView(list, 'locations'), null).toString()).toBe(list.toString())
})
