import { describe, expect, it } from 'vitest'
import { AddressRefusedError, parseWebAddress, resolveRedirect } from './web-address.ts'

const from = (address: string, location: string): string =>
  resolveRedirect(parseWebAddress(address), location).href

describe('redirects', () => {
  it('a redirect is followed to its target address, relative or absolute', () => {
    expect(from('http://a.example.com/x/y', '../z')).toBe('http://a.example.com/z')
    expect(from('http://a.example.com/', 'https://b.example.com/#part')).toBe('https://b.example.com/')
    expect(from('https://a.example.com/', '//b.example.com/')).toBe('https://b.example.com/')
  })

  it.each([
    ['https://a.example.com/', 'http://a.example.com/'],
    ['https://a.example.com/', 'ftp://a.example.com/'],
    ['https://a.example.com/', 'https://user@b.example.com/'],
    ['http://a.example.com/', 'file:///etc/passwd'],
    ['http://a.example.com/', 'http://['],
    ['http://a.example.com/', 'data:model/stl,x'],
  ])('T51 a redirect from %s to %s is refused', (address, location) => {
    expect(() => from(address, location)).toThrow(AddressRefusedError)
  })
})
