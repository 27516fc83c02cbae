import type { Location } from '@pegasus/contracts/inventory/locations'
import { expect, test } from 'vitest'
import { ancestorsOf, buildLocationTree, hideCollapsed, listPossibleParents } from './build-location-tree.ts'

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

test('hideCollapsed leaves out the contents of collapsed locations, and ancestorsOf lists the locations around one', () => {
  const shown = hideCollapsed(buildLocationTree(SHOP), new Set(['Rack A', 'Attic']))
  expect(shown.map(({ location }) => location.name)).toEqual(['Attic', 'Lost', 'Workshop', 'Rack A'])
  expect(shown.map(({ inside }) => inside)).toEqual([0, 0, 3, 2])
  expect(ancestorsOf(SHOP, 'Bin 2')).toEqual(['Rack A', 'Workshop'])
  expect(ancestorsOf(SHOP, 'Lost')).toEqual([])
  const circle = [at('One', 'Two'), at('Two', 'One')]
  expect(ancestorsOf(circle, 'One')).toEqual(['Two', 'One'])
})
