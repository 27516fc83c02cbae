import type { InventoryItem } from '@pegasus/contracts/inventory/items'
import { expect, it } from 'vitest'
import { changesOf } from './bulk-preview.tsx'

// The object has only the fields that the tested function reads.
const ITEM = {
  selling_price: 12.5,
  location: 'Rack A',
  bin_location: null,
  reorder_point: 5,
} as InventoryItem

it('changesOf lists only the values that differ, and compares amounts as numbers', () => {
  expect(changesOf(ITEM, { selling_price: '12.5', reorder_point: '5', location: 'Rack A ' })).toEqual([])
  expect(changesOf(ITEM, { selling_price: '14', location: '', bin_location: '' })).toEqual([
    { field: 'selling_price', before: '12.50', after: '14' },
    { field: 'location', before: 'Rack A', after: '' },
  ])
})
