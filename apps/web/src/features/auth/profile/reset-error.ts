import { ApiError } from '@/lib/http/api-error.ts'

const PREFIX = 'Reset Error: '

/** A rule that is checked before sending has the same message as the server's error. */
export const describeResetRule = (message: string): string => PREFIX + message

/** The messages for a failed reset by an administrator, from the specification (section 8). */
export const describeResetError = (error: unknown): string => PREFIX + sentence(error)

function sentence(error: unknown): string {
  if (!(error instanceof ApiError)) return 'Failed to reset password'
  const { status, code, detail } = error
  if (status === 400) return detail || 'Invalid password data'
  // A cancelled confirmation or a missing second factor is no lack of privileges.
  if (status === 403) return (code && detail) || 'Access denied. Admin privileges required.'
  if (status === 404) return 'User not found'
  if (status >= 500) return 'Server error. Please try again later.'
  return 'Failed to reset password'
}
