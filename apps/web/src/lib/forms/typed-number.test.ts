import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { amountText, numberText, typedNumber, typedToWire, wireToTyped } from './typed-number.ts'

describe('numbers that people type', () => {
  it.each([
    ['1,200', 1200],
    ['1,200.50', 1200.5],
    ['-1,200,000', -1_200_000],
    [' 1.5 ', 1.5],
    ['12,50', 12.5],
    ['0', 0],
    ['', null],
  ])('in English and Hebrew, a comma before three digits separates thousands: %s', (text, number) => {
    expect(typedNumber(text, 'en-US')).toBe(number)
    expect(typedNumber(text, 'he-IL')).toBe(number)
  })

  it.each(['1,2000', '0,200', '1,20,300', '1200,300', '1.200,50', '1,,2', 'one', '0x10', 'Infinity'])(
    'in English, a number with unclear separators is invalid: %s',
    (text) => expect(typedNumber(text, 'en-US')).toBeNaN(),
  )

  it.each([
    ['1,2', 1.2],
    ['1,200', 1.2],
    ['1,5', 1.5],
    ['1.200', 1200],
    ['-1.200', -1200],
    ['1.200,50', 1200.5],
    ['1.200.000', 1_200_000],
    ['12.5', 12.5],
    ['0.125', 0.125],
  ])(
    'in German, a comma separates decimals, and a point before three digits separates thousands: %s',
    (text, number) => expect(typedNumber(text, 'de-DE')).toBe(number),
  )

  it.each(['1,200.50', '1.20,5', '1,2,3'])(
    'in German, a number with unclear separators is invalid: %s',
    (text) => expect(typedNumber(text, 'de-DE')).toBeNaN(),
  )
})

describe('numbers as the API writes them', () => {
  it.each([
    ['1,200.50', '1200.50', 'en-US'],
    ['1,5', '1.5', 'en-US'],
    ['1.200,50', '1200.50', 'de-DE'],
    ['1.200', '1200', 'de-DE'],
    ['1,5', '1.5', 'de-DE'],
    [' 12.5 ', '12.5', 'de-DE'],
    ['', '', 'de-DE'],
    ['1.2.3', '1.2.3', 'de-DE'],
    ['ten', 'ten', 'en-US'],
  ])('typedToWire converts the text %s to %s in the locale %s', (typed, wire, locale) =>
    expect(typedToWire(typed, locale)).toBe(wire),
  )

  it.each([
    ['1200.50', '1200,50', 'de-DE'],
    ['1200.50', '1200.50', 'he-IL'],
    ['', '', 'de-DE'],
    ['1.2.3', '1.2.3', 'de-DE'],
  ])('wireToTyped shows the number %s as %s in the locale %s', (wire, typed, locale) =>
    expect(wireToTyped(wire, locale)).toBe(typed),
  )
})

describe('numbers in a form', () => {
  it.each([
    [1.5, '1.5', '1,5'],
    [1200, '1200', '1200'],
    [1.234, '1.234', '1,234'],
    [null, '', ''],
  ])('a field shows %s with the decimal separator of the language', (value, english, german) => {
    expect(numberText(value, 'en-US')).toBe(english)
    expect(numberText(value, 'he-IL')).toBe(english)
    expect(numberText(value, 'de-DE')).toBe(german)
  })

  it('an amount has at least two decimals, unless it is a whole number', () => {
    expect([26.9, 12, 0.125, null].map((amount) => amountText(amount, 'en-US'))).toEqual([
      '26.90',
      '12',
      '0.125',
      '',
    ])
    expect(amountText(26.9, 'de-DE')).toBe('26,90')
  })

  it.each(['en-US', 'de-DE', 'he-IL'])(
    'a value that nobody edits is read as the same number in %s',
    (locale) =>
      fc.assert(
        fc.property(
          fc.double({ noNaN: true, noDefaultInfinity: true }),
          fc.integer({ min: 0, max: 6 }),
          (value, decimals) => {
            const rounded = Math.abs(value) < 1e9 ? Number(value.toFixed(decimals)) : value
            // The text of negative zero is `0`.
            expect(typedNumber(numberText(rounded, locale), locale)).toBe(rounded + 0)
          },
        ),
      ),
  )
})
