import { ApiError } from '@/lib/http/api-error.ts'
import { t } from '@/lib/i18n/messages.ts'

/** Returns the message that the specification (section 8) gives for a failed change on the Password tab. */
export function describePasswordChangeError(error: unknown): string {
  return t('Password Change Error: {message}', { message: sentence(error) })
}

function sentence(error: unknown): string {
  if (!(error instanceof ApiError)) return t('Failed to change password')
  const { status, code, detail } = error
  if (status === 400) return detail || t('Invalid password data')
  // A 401 with another code is about the session, not about the current password.
  if (status === 401 && (!code || code === 'current_password_wrong'))
    return t('Current password is incorrect. Please check your current password and try again.')
  if (status === 404) return t('User not found. Please logout and login again.')
  if (status >= 500) return t('Server error. Please try again or contact support.')
  return detail || t('Failed to change password')
}
