import type { ErrorCode } from '../errors.ts'

/** Limits for the length of a password, in code points. */
export const PASSWORD_MIN_LENGTH = 6
export const PASSWORD_MAX_LENGTH = 128

export interface PasswordChange {
  current_password?: string | null | undefined
  new_password?: string | null | undefined
  confirm_password?: string | null | undefined
}

/**
 * Converts a password to the form in which passwords are compared (NFC). An accented letter is then the same,
 * however the keyboard composed it. Spaces, case and all other characters make a difference.
 */
export const normalizePassword = (password: string): string => password.normalize('NFC')

/** Counts characters as people do, so that an emoji counts as one character. */
const lengthOf = (password: string): number => [...normalizePassword(password)].length

/** Returns whether both passwords are the same, however the keyboard composed their characters. */
export const isSamePassword = (one: string, other: string | null | undefined): boolean =>
  normalizePassword(one) === normalizePassword(other ?? '')

/** Returns the error for the first length rule that a new password breaks, or null. */
export function newPasswordError(password: string | null | undefined): ErrorCode | null {
  if (!password) return 'NEW_PASSWORD_REQUIRED'
  if (lengthOf(password) < PASSWORD_MIN_LENGTH) return 'NEW_PASSWORD_TOO_SHORT'
  if (lengthOf(password) > PASSWORD_MAX_LENGTH) return 'NEW_PASSWORD_TOO_LONG'
  return null
}

/**
 * Returns the error for the first rule that a password change breaks, in the order of the specification
 * (section 5), or null. Only the server can check that the current password is right and that the new
 * password is not too common.
 */
export function passwordChangeError(change: PasswordChange): ErrorCode | null {
  const { current_password: current, new_password: next, confirm_password: confirmation } = change
  if (!current) return 'CURRENT_PASSWORD_REQUIRED'
  const broken = newPasswordError(next)
  if (broken) return broken
  if (!isSamePassword(next ?? '', confirmation)) return 'NEW_PASSWORD_MISMATCH'
  if (isSamePassword(next ?? '', current)) return 'NEW_PASSWORD_SAME'
  return null
}

export interface PasswordReset {
  user_id?: string | null | undefined
  new_password?: string | null | undefined
  confirm_password?: string | null | undefined
}

/**
 * Returns the error for the first rule that an administrator's password reset breaks, in the order of the
 * specification (section 5), or null.
 */
export function passwordResetError(reset: PasswordReset): ErrorCode | null {
  const { user_id: userId, new_password: next, confirm_password: confirmation } = reset
  if (!userId) return 'RESET_USER_REQUIRED'
  if (!next) return 'NEW_PASSWORD_REQUIRED'
  if (lengthOf(next) < PASSWORD_MIN_LENGTH) return 'RESET_PASSWORD_TOO_SHORT'
  if (!isSamePassword(next, confirmation)) return 'RESET_PASSWORD_MISMATCH'
  if (lengthOf(next) > PASSWORD_MAX_LENGTH) return 'RESET_PASSWORD_TOO_LONG'
  return null
}

/**
 * Returns, in the hosted service's wording, why a password is too short or too long. Returns null if its
 * length is allowed.
 */
export function passwordLengthError(password: string): string | null {
  const length = lengthOf(password)
  if (length < PASSWORD_MIN_LENGTH) return `Password should be at least ${PASSWORD_MIN_LENGTH} characters.`
  if (length > PASSWORD_MAX_LENGTH) return `Password should be at most ${PASSWORD_MAX_LENGTH} characters.`
  return null
}
