import { AuthError, isAuthWeakPasswordError } from '@supabase/auth-js'

/** The auth provider's message for people, or `otherwise`. */
export const providerMessage = (error: unknown, otherwise: string): string =>
  (error instanceof Error && error.message) || otherwise

/** The auth provider's name for what went wrong; null if it gave none. */
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

/** What to do about a password that is too weak; null if that is not what went wrong. */
export function weakPasswordAdvice(error: unknown): string | null {
  if (!isAuthWeakPasswordError(error)) return null
  const advice = error.reasons.flatMap((reason) => ADVICE.get(reason) ?? [])
  return advice.join(' ') || 'Choose another password.'
}
