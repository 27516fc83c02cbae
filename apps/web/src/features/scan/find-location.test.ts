import { describe, expect, it } from 'vitest'
import { findLocation, locationSearchOf } from './find-location.ts'

const locations = [
  'Shelf 9',
  'Rack A3',
  'Rack A3 / Bin 12',
  'Rack B1 / Bin 12',
  'Rack B1 / Shelf 9',
  'Box 1/2',
].map((path) => ({ path }))

describe('findLocation', () => {
  it('findLocation returns the location with exactly the scanned path, however the path is written', () => {
    expect(findLocation('shelf 9', locations)).toEqual({ path: 'Shelf 9' })
    expect(findLocation(' rack a3/BIN 12 ', locations)).toEqual({ path: 'Rack A3 / Bin 12' })
    expect(findLocation('Rack B1 · Bin 12', locations)).toEqual({ path: 'Rack B1 / Bin 12' })
    expect(locationSearchOf('Rack B1 · Bin 12').split(/\s+/)).toEqual(['Rack', 'B1', 'Bin', '12'])
  })

  it('findLocation returns the only location with the scanned name', () => {
    expect(findLocation('bin 12', [{ path: 'Rack A3 / Bin 12' }])).toEqual({ path: 'Rack A3 / Bin 12' })
    expect(findLocation('box 1/2', locations)).toEqual({ path: 'Box 1/2' })
  })

  it('findLocation explains why no location was found', () => {
    expect(findLocation('Shelf', locations)).toBe(
      'There is no location named “Shelf”. Scan its label or type its full name.',
    )
    expect(findLocation('bin 12', locations)).toBe(
      '2 locations are named “bin 12”. Type the full path, such as “Rack A3 / Bin 12”.',
    )
  })
})
