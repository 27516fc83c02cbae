import { describe, expect, it } from 'vitest'
import { readNextAddress, signInAddress } from './next-address.ts'

describe('readNextAddress', () => {
  it.each([
    ['/', '/'],
    ['/?tab=stl-library', '/?tab=stl-library'],
    ['/admin/media', '/admin/media'],
    ['/?tab=stl-library&search=a%2Fb#top', '/?tab=stl-library&search=a%2Fb#top'],
    ['/somewhere/../wizard', '/wizard'],
    ['/?next=//evil.example', '/?next=//evil.example'],
  ])('readNextAddress accepts %s', (next, address) => {
    expect(readNextAddress(next)).toBe(address)
  })

  it.each([
    [null],
    [''],
    ['admin'],
    ['//evil.example'],
    ['///evil.example'],
    ['/\\evil.example'],
    ['\\\\evil.example'],
    ['/\t/evil.example'],
    ['/\n//evil.example'],
    ['\t//evil.example'],
    [' //evil.example'],
    ['/%2Fevil.example'],
    ['/%2fevil.example'],
    ['/%5Cevil.example'],
    ['/%09/evil.example'],
    ['/.//evil.example'],
    ['/a/..//evil.example'],
    ['/./%2fevil.example'],
    ['javascript:alert(1)'],
    ['JaVaScRiPt:alert(1)'],
    ['java\nscript:alert(1)'],
    ['data:text/html,x'],
    ['https://evil.example/'],
    ['http:evil.example'],
    ['%2F%2Fevil.example'],
    ['/login'],
    ['/login?next=/login'],
    ['/legacy-login'],
    ['/Login/'],
    ['/reset-password'],
    ['/verify-email?next=/'],
  ])('readNextAddress refuses %j', (next) => {
    expect(readNextAddress(next)).toBe('/')
  })
})

describe('signInAddress', () => {
  it('signInAddress leaves out the dashboard, because the sign-in screen leads there by default', () => {
    expect(signInAddress({ pathname: '/', search: '', hash: '' })).toBe('/login')
  })

  it('signInAddress keeps path, query and hash unchanged', () => {
    const address = signInAddress({ pathname: '/', search: '?tab=stl-library&search=a b', hash: '#x' })
    const next = new URL(address, 'http://localhost').searchParams.get('next')
    expect(readNextAddress(next)).toBe('/?tab=stl-library&search=a%20b#x')
  })
})
