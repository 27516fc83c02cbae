import type { AuthError, AuthWeakPasswordError } from '@supabase/auth-js'
import { t } from '@/lib/i18n/messages.ts'
import { serverText } from '@/lib/i18n/server-texts.ts'

// The auth client is loaded only at its first use, so its error classes may be missing here. Its errors are
// recognized by their marker properties instead, as in the client itself.

const isAuthError = (error: unknown): error is AuthError =>
  typeof error === 'object' && error !== null && '__isAuthError' in error

const isAuthWeakPasswordError = (error: unknown): error is AuthWeakPasswordError =>
  isAuthError(error) && error.name === 'AuthWeakPasswordError'

/** Returns the auth service's message in the person's language, or `otherwise` if there is none. */
export const providerMessage = (error: unknown, otherwise: string): string =>
  (error instanceof Error && serverText(error.message)) || otherwise

/** Returns the auth service's error code; null if there is none. */
export const providerCode = (error: unknown): string | null => (isAuthError(error) && error.code) || null

const ADVICE: ReadonlyMap<string, string> = new Map([
  ['length', t('Use between 6 and 128 characters.')],
  ['characters', t('Mix lower-case and capital letters, digits and symbols.')],
  ['pwned', t('Attackers try common passwords first. A few unrelated words are safer.')],
])

/** Returns advice for a weak password; null for other errors. */
export function weakPasswordAdvice(error: unknown): string | null {
  if (!isAuthWeakPasswordError(error)) return null
  const advice = error.reasons.flatMap((reason) => ADVICE.get(reason) ?? [])
  return advice.join(' ') || t('Choose another password.')
}
