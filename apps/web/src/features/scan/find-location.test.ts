import { describe, expect, it } from 'vitest'
import { findLocation, locationSearchOf } from './find-location.ts'

const places = [
  'Shelf 9',
  'Rack A3',
  'Rack A3 / Bin 12',
  'Rack B1 / Bin 12',
  'Rack B1 / Shelf 9',
  'Box 1/2',
].map((path) => ({ path }))

describe('findPlace', () => {
  it('takes the place of that very path, however it is written', () => {
    expect(findLocation('shelf 9', places)).toEqual({ path: 'Shelf 9' })
    expect(findLocation(' rack a3/BIN 12 ', places)).toEqual({ path: 'Rack A3 / Bin 12' })
    expect(findLocation('Rack B1 · Bin 12', places)).toEqual({ path: 'Rack B1 / Bin 12' })
    expect(locationSearchOf('Rack B1 · Bin 12').split(/\s+/)).toEqual(['Rack', 'B1', 'Bin', '12'])
  })

  it('takes the only place of that very name', () => {
    expect(findLocation('bin 12', [{ path: 'Rack A3 / Bin 12' }])).toEqual({ path: 'Rack A3 / Bin 12' })
    expect(findLocation('box 1/2', places)).toEqual({ path: 'Box 1/2' })
  })

  it('says in words of places why none is meant', () => {
    expect(findLocation('Shelf', places)).toBe(
      'No place is called “Shelf”. Scan the label of the place, or type its whole name.',
    )
    expect(findLocation('bin 12', places)).toBe(
      '2 places are called “bin 12”. Type the whole path, such as “Rack A3 / Bin 12”.',
    )
  })
})
