import { describe, expect, it } from 'vitest'
import { readAddress } from './providers.ts'

describe('the address that a provider tells', () => {
  it('only plain capitals become small', () => {
    expect(readAddress('Kim@Example.COM')).toBe('kim@example.com')
  })

  it.each([
    ['the Kelvin sign', '\u212aim@example.com'],
    ['full-width letters', '\uff4bim@example.com'],
    ['a blank', ' kim@example.com'],
    ['no at sign', 'kim'],
  ])('%s makes it no address', (_, text) => {
    expect(readAddress(text)).toBeNull()
  })
})
