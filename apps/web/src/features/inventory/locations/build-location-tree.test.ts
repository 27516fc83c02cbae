import type { Location } from '@pegasus/contracts/inventory/locations'
import { expect, test } from 'vitest'
import { locationOptions, treeOf } from './build-location-tree.ts'

// Nothing else of a location counts here.
const at = (id: string, parent: string | null, kind: 'place' | 'bin' = 'place') =>
  ({ id, name: id, parent_id: parent, kind }) as Location

const SHOP = [
  at('Bin 10', 'Rack A', 'bin'),
  at('Rack A', 'Workshop'),
  at('Bin 2', 'Rack A', 'bin'),
  at('Attic', null),
  at('Workshop', null),
  at('Lost', 'gone'),
]

test('places stand before what they hold, numbers in their order', () => {
  expect(treeOf(SHOP).map(({ location, depth }) => `${'·'.repeat(depth)}${location.name}`)).toEqual([
    'Attic',
    'Lost',
    'Workshop',
    '·Rack A',
    '··Bin 2',
    '··Bin 10',
  ])
})

test('a place is not put into itself or into what it holds, and nothing into a bin', () => {
  const names = (moved: Location | null) => locationOptions(SHOP, moved).map(({ name }) => name)
  expect(names(SHOP[4] ?? null)).toEqual(['Attic', 'Lost'])
  expect(names(SHOP[1] ?? null)).toEqual(['Attic', 'Lost', 'Workshop'])
  expect(names(null)).toEqual(['Attic', 'Lost', 'Workshop', 'Rack A'])
})
