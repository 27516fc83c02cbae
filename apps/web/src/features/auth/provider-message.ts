import { AuthError, isAuthWeakPasswordError } from '@supabase/auth-js'

/** The auth provider's message, or `otherwise`. */
export const providerMessage = (error: unknown, otherwise: string): string =>
  (error instanceof Error && error.message) || otherwise

/** The auth provider's error code; null if it gave none. */
export const providerCode = (error: unknown): string | null =>
  (error instanceof AuthError && error.code) || null

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
