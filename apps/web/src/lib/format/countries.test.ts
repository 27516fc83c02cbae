import { describe, expect, test } from 'vitest'
import { countryCode, countryName, countryNames } from './countries.ts'

describe('a typed country', () => {
  test.each([
    ['Germany', 'DE'],
    ['Deutschland', 'DE'],
    ['גרמניה', 'DE'],
    ['DE', 'DE'],
    [' de ', 'DE'],
    ['GERMANY', 'DE'],
    ['Georgia', 'GE'],
    ['Österreich', 'AT'],
    ['osterreich', 'AT'],
    ['UK', 'GB'],
    ['United Kingdom', 'GB'],
    ['USA', 'US'],
    ['U.S.A.', 'US'],
    ['Vereinigte Staaten', 'US'],
  ])('%j is the country %s', (typed, code) => expect(countryCode(typed)).toBe(code))

  test.each(['Ge rmany', 'Ger', 'Atlantis', 'ZZ', 'EU', 'QQ', ''])('%j is no country', (typed) =>
    expect(countryCode(typed)).toBeNull(),
  )
})

test('each listed country leads to a code with the same name', () => {
  const names = countryNames()
  expect(names.length).toBeGreaterThan(240)
  expect(names.filter((name) => countryName(countryCode(name) ?? '') !== name)).toEqual([])
})

test('a code without a country is shown as it is', () => expect(countryName('QQ')).toBe('QQ'))
