import { expect, test } from 'vitest'
import { NO_FILTERS, readFilters, withFilters } from './inventory-address.ts'

const address = (text: string) => new URLSearchParams(text)

test('the link of the dashboard shows the low ones', () => {
  expect(readFilters(address('tab=inventory&low_stock_only=true'))).toEqual({
    ...NO_FILTERS,
    isLowStockOnly: true,
  })
})

test('filters survive the address and leave it when they are cleared', () => {
  const filters = { search: 'حامل', status: 'Out of Stock', isLowStockOnly: true } as const
  const params = withFilters(address('tab=inventory'), filters)
  expect(readFilters(address(params.toString()))).toEqual(filters)
  expect(withFilters(params, NO_FILTERS).toString()).toBe('tab=inventory')
  expect(readFilters(address('status=Broken&low_stock_only=1'))).toEqual(NO_FILTERS)
})
