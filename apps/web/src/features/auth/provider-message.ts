import type { AuthError, AuthWeakPasswordError } from '@supabase/auth-js'

// The auth client itself is loaded when it is first used, so its errors are told by their marks, as it tells them.

const isAuthError = (error: unknown): error is AuthError =>
  typeof error === 'object' && error !== null && '__isAuthError' in error

const isAuthWeakPasswordError = (error: unknown): error is AuthWeakPasswordError =>
  isAuthError(error) && error.name === 'AuthWeakPasswordError'

/** The auth provider's message, or `otherwise`. */
export const providerMessage = (error: unknown, otherwise: string): string =>
  (error instanceof Error && error.message) || otherwise

/** The auth provider's error code; null if it gave none. */
export const providerCode = (error: unknown): string | null => (isAuthError(error) && error.code) || null

const ADVICE: ReadonlyMap<string, string> = new Map([
  ['length', 'Use between 6 and 128 characters.'],
  ['characters', 'Mix small and capital letters, digits and signs.'],
  [
    'pwned',
    'Passwords that many people use are tried first. A few words that have nothing in common are safer.',
  ],
])

/** Advice for a weak password; null for other errors. */
export function weakPasswordAdvice(error: unknown): string | null {
  if (!isAuthWeakPasswordError(error)) return null
  const advice = error.reasons.flatMap((reason) => ADVICE.get(reason) ?? [])
  return advice.join(' ') || 'Choose another password.'
}
