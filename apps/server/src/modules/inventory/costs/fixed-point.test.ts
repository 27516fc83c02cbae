import { expect, it } from 'vitest'
import { divideRounded, hundredths, percentOf } from './fixed-point.ts'

it.each([
  [5n, 2n, 3n],
  [-5n, 2n, -3n],
  [4n, 3n, 1n],
  [0n, 7n, 0n],
  [10n ** 30n + 5n, 10n, 10n ** 29n + 1n],
])('%s divided by %s is rounded to %s', (numerator, denominator, result) => {
  expect(divideRounded(numerator, denominator)).toBe(result)
})

it('decimal numbers are converted exactly to hundredths, and shares to percentages with two decimals', () => {
  expect([0.07, 1.15, 8.2, 99.99].map(hundredths)).toEqual([7n, 115n, 820n, 9999n])
  expect(percentOf(1, 3)).toBe(33.33)
  expect(percentOf(-1, 8)).toBe(-12.5)
  expect(percentOf(1, 0)).toBeNull()
})
