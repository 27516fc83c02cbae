import { AuthApiError } from '@supabase/auth-js'
import { expect, it } from 'vitest'
import { describeFactorError, describeKeyError, describeRecoveryCodeError } from './code-message.ts'

const refused = (code: string): AuthApiError => new AuthApiError('Words for programs', 422, code)

it('a wrong code and a wrong recovery code have their own messages', () => {
  expect(describeFactorError(refused('mfa_verification_failed'))).toBe(
    'This code is wrong or has already been used. Please enter the next one.',
  )
  expect(describeRecoveryCodeError(refused('mfa_verification_failed'))).toBe(
    'This recovery code is wrong or has already been used.',
  )
})

it.each([describeFactorError, describeRecoveryCodeError])(
  'a technical error about a code gets a readable message, while other errors keep the message of the server',
  (describe) => {
    expect(describe(refused('mfa_challenge_expired'))).toBe('This took too long. Please try again.')
    expect(describe(new AuthApiError('Too many wrong codes.', 429, 'over_request_rate_limit'))).toBe(
      'Too many wrong codes.',
    )
    expect(describe(null)).toBe('This did not work. Please try again.')
  },
)

it('an unknown passkey has its own message, although the server sends the code of a wrong response', () => {
  const refusedKey = (message: string) =>
    describeKeyError(new AuthApiError(message, 400, 'webauthn_verification_failed'))
  expect(refusedKey('No account has this passkey')).toBe(
    'No account has this passkey. Sign in another way, then add it in your profile.',
  )
  expect(refusedKey('Credential verification failed')).not.toContain('No account')
})
