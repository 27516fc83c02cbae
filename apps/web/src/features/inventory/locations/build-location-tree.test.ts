import type { Location } from '@pegasus/contracts/inventory/locations'
import { expect, test } from 'vitest'
import { listPossibleParents, buildLocationTree } from './build-location-tree.ts'

// The object has only the fields that the tested functions read.
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

test('the location tree lists parents before children and sorts numbers in names by value', () => {
  expect(
    buildLocationTree(SHOP).map(({ location, depth }) => `${'·'.repeat(depth)}${location.name}`),
  ).toEqual(['Attic', 'Lost', 'Workshop', '·Rack A', '··Bin 2', '··Bin 10'])
})

test('a location cannot be moved into itself, its descendants or a bin', () => {
  const names = (moved: Location | null) => listPossibleParents(SHOP, moved).map(({ name }) => name)
  expect(names(SHOP[4] ?? null)).toEqual(['Attic', 'Lost'])
  expect(names(SHOP[1] ?? null)).toEqual(['Attic', 'Lost', 'Workshop'])
  expect(names(null)).toEqual(['Attic', 'Lost', 'Workshop', 'Rack A'])
})
