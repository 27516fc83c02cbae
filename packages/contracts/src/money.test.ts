import { describe, expect, it } from 'vitest'
import { currencyDecimals, fromMinor, toMinor } from './money.ts'

describe('amounts and minor units', () => {
  it.each([
    [0, 'USD', 0],
    [19.99, 'USD', 1999],
    [0.1 + 0.2, 'USD', null],
    [0.3, 'USD', 30],
    [1.005, 'USD', null],
    [1.15, 'USD', 115],
    [1e13, 'USD', 1e15],
    [1e17, 'USD', null],
    [1250, 'JPY', 1250],
    [1250.5, 'JPY', null],
    [1.234, 'KWD', 1234],
    [Number.NaN, 'USD', null],
    [Number.POSITIVE_INFINITY, 'USD', null],
  ])('an amount of %d %s is %s in minor units', (amount, currency, minor) => {
    expect(toMinor(amount, currency)).toBe(minor)
    if (minor !== null) expect(fromMinor(minor, currency)).toBe(amount)
  })

  it('every amount up to 10,000 USD is unchanged after a conversion to minor units and back', () => {
    for (let minor = 0; minor <= 1_000_000; minor += 1)
      if (toMinor(fromMinor(minor, 'USD'), 'USD') !== minor) throw new Error(String(minor))
  })

  it('currencyDecimals returns the number of decimals of a currency', () => {
    expect(['USD', 'JPY', 'KWD'].map(currencyDecimals)).toEqual([2, 0, 3])
  })
})
