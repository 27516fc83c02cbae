import { describe, expect, it } from 'vitest'
import { LINK_UNUSABLE, readMailLink } from './mail-link.ts'

const read = (address: string) => readMailLink(new URL(address, 'https://ops.example'))

const TOKENS = 'access_token=a.b.c&expires_at=1&expires_in=3600&refresh_token=r&sb=&token_type=bearer'

describe('readMailLink', () => {
  it.each([
    [`/reset-password#${TOKENS}&type=recovery`, '/reset-password'],
    [`/#${TOKENS}&type=recovery`, '/reset-password'],
    [`/#${TOKENS}&type=invite`, '/reset-password'],
    [`/verify-email?next=%2F#${TOKENS}&type=signup`, '/verify-email'],
    [`/#${TOKENS}&type=email_change`, '/verify-email'],
  ])('readMailLink removes the tokens from the URL %s and leaves %s', (address, view) => {
    expect(read(address)).toEqual({ link: { kind: 'accepted' }, address: view })
  })

  it('readMailLink takes the session of another program, and keeps the page', () => {
    const session = { kind: 'session' }
    expect(read(`/wizard#${TOKENS}`)).toEqual({ link: session, address: '/wizard' })
    expect(read(`/?tab=orders#${TOKENS}&type=toString`)).toEqual({ link: session, address: '/?tab=orders' })
  })

  it('readMailLink removes a session without using it if somebody is signed in, or if the URL also has an error', () => {
    const url = new URL(`/wizard#${TOKENS}`, 'https://ops.example')
    const unused = { link: null, address: '/wizard' }
    expect(readMailLink(url, { isSignedIn: true })).toEqual(unused)
    expect(read(`/wizard#${TOKENS}&error_description=Call+0900+1234`)).toEqual(unused)
    for (const name of ['error', 'error_code', 'error_description'])
      expect(read(`/wizard?${name}=Account+locked,+call+0900+1234#${TOKENS}`)).toEqual(unused)
  })

  it('readMailLink accepts the tokens of a provider if this browser was sent to a provider, even if somebody is signed in', () => {
    const address = `/login?next=%2Fwizard#${TOKENS}&provider_token=p`
    expect(
      readMailLink(new URL(address, 'https://ops.example'), { isExpected: true, isSignedIn: true }),
    ).toEqual({
      link: { kind: 'provider' },
      address: '/login?next=%2Fwizard',
    })
  })

  it('readMailLink removes the error of a provider from query and fragment', () => {
    const error = 'error=access_denied&error_code=signup_disabled&error_description=No&sb='
    expect(
      readMailLink(new URL(`/login?next=%2F&${error}#${error}`, 'https://ops.example'), { isExpected: true }),
    ).toEqual({
      link: { kind: 'provider-refused', code: 'signup_disabled', description: 'No' },
      address: '/login?next=%2F',
    })
    // A mailed link is still recognized while the person is at a provider.
    expect(
      readMailLink(new URL(`/#${TOKENS}&type=recovery`, 'https://ops.example'), { isExpected: true }),
    ).toEqual({
      link: { kind: 'accepted' },
      address: '/reset-password',
    })
  })

  it('readMailLink has its own messages for a refused link, and never shows texts from the URL', () => {
    const error = 'error=access_denied&error_description=Call+0900+1234+now&sb='
    expect(read(`/verify-email#${error}&error_code=otp_expired`)).toEqual({
      link: { kind: 'refused', sentence: 'Email link is invalid or has expired' },
      address: '/verify-email',
    })
    expect(read(`/#${error}&error_code=something_new`)).toEqual({
      link: { kind: 'refused', sentence: LINK_UNUSABLE },
      address: '/reset-password',
    })
  })

  it('readMailLink recognizes the notice that the email address is confirmed', () => {
    expect(read('/#message=You+have+won&sb=')).toEqual({
      link: { kind: 'waiting' },
      address: '/verify-email',
    })
  })

  it('readMailLink recognizes the notice that the account is ready', () => {
    expect(read('/#message=You+have+won&account=ready&sb=')).toEqual({
      link: { kind: 'ready' },
      address: '/verify-email',
    })
  })

  it('readMailLink reads `code` only on the pages for mailed links, because other pages may use that parameter', () => {
    expect(read('/reset-password?code=123')).toEqual({
      link: { kind: 'code', code: '123' },
      address: '/reset-password',
    })
    expect(read('/?tab=inventory&code=123')).toBeNull()
  })

  it.each([['/'], ['/login?next=%2F'], ['/?tab=stl-library#top'], ['/reset-password']])(
    'readMailLink does not change %s',
    (address) => {
      expect(read(address)).toBeNull()
    },
  )
})
