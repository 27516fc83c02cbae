import { ApiError } from '@/lib/http/api-error.ts'
import { t } from '@/lib/i18n/messages.ts'

/**
 * Returns the message for a rule that the form checks before sending. It is the same as the message for the server's
 * error.
 */
export const describeResetRule = (message: string): string => t('Reset Error: {message}', { message })

/** Returns the specification's message (section 8) for a failed password reset by an administrator. */
export const describeResetError = (error: unknown): string => describeResetRule(sentence(error))

function sentence(error: unknown): string {
  if (!(error instanceof ApiError)) return t('Failed to reset password')
  const { status, code, detail } = error
  if (status === 400) return detail || t('Invalid password data')
  // A cancelled confirmation and a missing second factor have codes. A 403 without a code means missing
  // privileges.
  if (status === 403) return (code && detail) || t('Access denied. Admin privileges required.')
  if (status === 404) return t('User not found')
  if (status >= 500) return t('Server error. Please try again later.')
  return t('Failed to reset password')
}
