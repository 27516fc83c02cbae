import { AuthApiError, AuthWeakPasswordError } from '@supabase/auth-js'
import { describe, expect, it } from 'vitest'
import { providerCode, providerMessage, weakPasswordAdvice } from './provider-message.ts'

describe('providerMessage', () => {
  it("providerMessage returns the provider's message", () => {
    expect(providerMessage(new AuthApiError('User already registered', 422, 'x'), 'Failed')).toBe(
      'User already registered',
    )
  })

  it.each([[new Error('')], ['a string'], [undefined]])(
    'providerMessage returns a default message for %j',
    (error) => {
      expect(providerMessage(error, 'Login failed')).toBe('Login failed')
    },
  )
})

describe('providerCode', () => {
  it('providerCode is null if the provider gave no code', () => {
    expect(providerCode(new AuthApiError('Email not confirmed', 400, 'email_not_confirmed'))).toBe(
      'email_not_confirmed',
    )
    expect(providerCode(new AuthApiError('Something', 400, undefined))).toBeNull()
    expect(providerCode(new Error('offline'))).toBeNull()
  })
})

describe('weakPasswordAdvice', () => {
  it.each([
    [['length'], /between 6 and 128/],
    [['pwned'], /common passwords first/],
    [['length', 'characters'], /characters\. Mix lower-case/],
    [['something new'], /^Choose another password\.$/],
    [[], /^Choose another password\.$/],
  ])('weakPasswordAdvice turns the reasons %j into advice', (reasons, advice) => {
    // The client passes on every reason of the provider, including reasons that are missing from its types.
    const error = Object.assign(new AuthWeakPasswordError('weak', 422, []), { reasons })
    expect(weakPasswordAdvice(error)).toMatch(advice)
  })

  it('weakPasswordAdvice is null for other errors', () => {
    expect(weakPasswordAdvice(new AuthApiError('User already registered', 422, 'x'))).toBeNull()
  })
})
