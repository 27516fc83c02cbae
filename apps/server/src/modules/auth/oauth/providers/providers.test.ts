import { describe, expect, it } from 'vitest'
import { readAddress } from './providers.ts'

describe('an address that a provider sends', () => {
  it("capital ASCII letters in a provider's email address are stored in lower case", () => {
    expect(readAddress('Kim@Example.COM')).toBe('kim@example.com')
  })

  it.each([
    ['the Kelvin sign', '\u212aim@example.com'],
    ['full-width letters', '\uff4bim@example.com'],
    ['a blank', ' kim@example.com'],
    ['no at sign', 'kim'],
  ])('a provider cannot send an address with %s', (_, text) => {
    expect(readAddress(text)).toBeNull()
  })
})
