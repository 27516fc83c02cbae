import { isMetadataTooLarge } from '@pegasus/contracts/auth/hosted-auth'
import { describe, expect, it } from 'vitest'
import { readProfile } from './provider-profile.ts'

const PROVIDER = { name: 'acme', issuer: 'https://id.acme.example' }
const read = (claims: Record<string, unknown>) => readProfile(PROVIDER, claims, (text) => text)

describe('the profile that a provider sends', () => {
  it.each([
    ['a missing id', undefined],
    ['an empty id', ''],
    ['an id with a NUL', 'a\0b'],
    ['an id of other letters', 'añb'],
    ['an id that is too long', 'x'.repeat(256)],
    ['a number that is not exact', 2 ** 53],
    ['an object', { id: 1 }],
  ])('%s is not accepted as the id of a person at a provider', (_, sub) => {
    expect(read({ sub })).toBeNull()
  })

  it('the id that a provider gives to a person is stored unchanged', () => {
    expect(read({ sub: 'x'.repeat(255) })?.subject).toBe('x'.repeat(255))
    expect(read({ id: 583_231 })?.subject).toBe('583231')
  })

  it('an address in a profile counts as verified only if the provider reports it as verified', () => {
    const verified = (claims: Record<string, unknown>) =>
      read({ sub: '1', email: 'ada@example.com', ...claims })?.isEmailVerified
    expect([true, 'true'].map((email_verified) => verified({ email_verified }))).toEqual([true, true])
    expect([1, 'yes', null, undefined].map((email_verified) => verified({ email_verified }))).toEqual(
      Array(4).fill(false),
    )
    expect(read({ sub: '1', email_verified: true })?.isEmailVerified).toBe(false)
    expect(verified({ verified: true })).toBe(true)
    expect(verified({ email_verified: false, verified: true })).toBe(false)
  })

  it('a profile with long and unusual strings is cleaned, so that it fits into an access token', () => {
    const text = `\u0000\ud800${'漢'.repeat(10_000)}`
    const profile = read({
      sub: 'x'.repeat(255),
      email: `${'a'.repeat(250)}@example.com`,
      name: text,
      preferred_username: text,
      picture: `https://pictures.example/${'a'.repeat(270)}`,
    })
    expect(isMetadataTooLarge(profile?.data)).toBe(false)
    expect(read({ sub: '1', picture: 'javascript:alert(1)' })?.data).not.toHaveProperty('picture')
    expect(read({ sub: '1', picture: `https://x.example/${'a'.repeat(300)}` })?.data).not.toHaveProperty(
      'picture',
    )
  })
})
