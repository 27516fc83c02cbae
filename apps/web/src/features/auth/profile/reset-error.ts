import { ApiError } from '@/lib/http/api-error.ts'

const PREFIX = 'Reset Error: '

/** A rule that is checked before sending has the same message as the server's error. */
export const describeResetRule = (message: string): string => PREFIX + message

/** Returns the message for a reset by an administrator that failed, from the specification (section 8). */
export const describeResetError = (error: unknown): string => PREFIX + sentence(error)

function sentence(error: unknown): string {
  if (!(error instanceof ApiError)) return 'Failed to reset password'
  const { status, code, detail } = error
  if (status === 400) return detail || 'Invalid password data'
  // A cancelled confirmation and a missing second factor have codes. Without a code, the privileges are missing.
  if (status === 403) return (code && detail) || 'Access denied. Admin privileges required.'
  if (status === 404) return 'User not found'
  if (status >= 500) return 'Server error. Please try again later.'
  return 'Failed to reset password'
}
