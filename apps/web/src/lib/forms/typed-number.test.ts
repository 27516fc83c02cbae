import { describe, expect, it } from 'vitest'
import { typedNumber } from './typed-number.ts'

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

  it.each(['1,2000', '0,200', '1,20,300', '1200,300', '1.200,50', '1,,2', 'one'])(
    'in English, a number with unclear separators is invalid: %s',
    (text) => expect(typedNumber(text, 'en-US')).toBeNaN(),
  )

  it.each([
    ['1,2', 1.2],
    ['1,200', 1.2],
    ['1.200,50', 1200.5],
    ['1.200.000', 1_200_000],
    ['12.5', 12.5],
  ])('in German, a comma separates decimals: %s', (text, number) =>
    expect(typedNumber(text, 'de-DE')).toBe(number),
  )

  it.each(['1,200.50', '1.20,5', '1,2,3'])(
    'in German, a number with unclear separators is invalid: %s',
    (text) => expect(typedNumber(text, 'de-DE')).toBeNaN(),
  )
})
