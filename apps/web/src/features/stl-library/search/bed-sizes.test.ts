import { expect, it } from 'vitest'
import { bedOf, formatBed, sidesOf } from './bed-sizes.ts'

it.each([
  [['220', ' 220 ', '250.5'], '220x220x250.5'],
  [['220', '220', '250,5'], '220x220x250.5'],
  [['1,200', '800', '600'], '1200x800x600'],
  [['220', '220', ''], null],
  [['220', '220', '0'], null],
  [['220', '220', '1,2,3'], null],
])('the sides %s make the bed %s', (sides, bed) => expect(bedOf(sides)).toBe(bed))

it('a bed is shown by its sides', () => {
  expect(sidesOf('220x220x250.5')).toEqual(['220', '220', '250.5'])
  expect(formatBed('220x220x250.5')).toBe('220 × 220 × 250.5 mm')
})
