import { errorEntry } from '@pegasus/contracts/errors'
import type { AppError } from '../../../platform/errors/app-error.ts'
import { toAppError } from '../../../platform/errors/to-app-error.ts'
import type { IssuedSession } from '../sessions/sessions.service.ts'

/** Returns a session as the fields that the official client reads from the fragment of an address. */
export const sessionFields = ({ provider, ...session }: IssuedSession): Record<string, string> => ({
  access_token: session.accessToken,
  expires_at: String(session.expiresAt),
  expires_in: String(session.expiresIn),
  ...(provider && { provider_token: provider.accessToken }),
  ...(provider?.refreshToken && { provider_refresh_token: provider.refreshToken }),
  refresh_token: session.refreshToken,
  sb: '',
  token_type: 'bearer',
})

/** Converts an error to the status, code and message of the protocol. Rethrows server errors and rate limit errors. */
function errorFields(thrown: unknown): { error: AppError; status: number; code: string; message: string } {
  const error = toAppError(thrown)
  const entry = errorEntry(error.code)
  const { status, code, message } = entry.hosted ?? { ...entry, code: error.code.toLowerCase() }
  if (status >= 500 || status === 429) throw thrown
  return { error, status, code, message: error.text === entry.message ? message : error.text }
}

/** Returns fields for the address of a page that explain why a mailed link opened no session. */
export function linkErrorFields(thrown: unknown): Record<string, string> {
  const { code, message } = errorFields(thrown)
  return { error: 'access_denied', error_code: code, error_description: message, sb: '' }
}

/** Error codes that become `access_denied`, because people cannot resolve these errors on the sign-in page. */
const DENIED: ReadonlySet<string> = new Set([
  'signup_disabled',
  'user_banned',
  'provider_email_needs_verification',
])

const ERROR_WORDS: Readonly<Record<number, string>> = {
  400: 'invalid_request',
  401: 'unauthorized_client',
  403: 'access_denied',
}

/** Returns fields for the address of a page that explain why a sign-in through a provider opened no session. */
export function providerErrorFields(thrown: unknown): Record<string, string> {
  const { status, code, message } = errorFields(thrown)
  const error = DENIED.has(code) ? 'access_denied' : (ERROR_WORDS[status] ?? 'server_error')
  return { error, error_code: code, error_description: message, sb: '' }
}
