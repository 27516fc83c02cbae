import { ApiError } from '@/lib/http/api-error.ts'

const PREFIX = 'Reset Error: '

/** A rule that is broken before anything is sent reads like the server's answer to it. */
export const describeResetRule = (message: string): string => PREFIX + message

/** What is said of a reset by an administrator that failed, in the words of the specification (section 8). */
export const describeResetError = (error: unknown): string => PREFIX + sentence(error)

function sentence(error: unknown): string {
  if (!(error instanceof ApiError)) return 'Failed to reset password'
  const { status, code, detail } = error
  if (status === 400) return detail || 'Invalid password data'
  // Not confirming who one is, and a second factor that is due, are no lack of privileges.
  if (status === 403) return (code && detail) || 'Access denied. Admin privileges required.'
  if (status === 404) return 'User not found'
  if (status >= 500) return 'Server error. Please try again later.'
  return 'Failed to reset password'
}
