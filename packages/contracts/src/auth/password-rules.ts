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
 * The form in which passwords are compared (NFC): an accented letter is the same however a keyboard composes it. Spaces,
 * case and everything else make a difference.
 */
export const normalizePassword = (password: string): string => password.normalize('NFC')

/** Characters as people count them, so that an emoji is one and not two. */
const lengthOf = (password: string): number => [...normalizePassword(password)].length

/** Whether both are the same password, however the keyboard composed them. */
export const isSamePassword = (one: string, other: string | null | undefined): boolean =>
  normalizePassword(one) === normalizePassword(other ?? '')

/** The first length rule that a new password breaks, or null. */
export function newPasswordError(password: string | null | undefined): ErrorCode | null {
  if (!password) return 'NEW_PASSWORD_REQUIRED'
  if (lengthOf(password) < PASSWORD_MIN_LENGTH) return 'NEW_PASSWORD_TOO_SHORT'
  if (lengthOf(password) > PASSWORD_MAX_LENGTH) return 'NEW_PASSWORD_TOO_LONG'
  return null
}

/**
 * The first rule that a change of password breaks, in the order of the specification (section 5), or null.
 * Only the server can check that the current password is right and that the new one is not too common.
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

/** The first rule that a reset by an administrator breaks, in the order of the specification (section 5), or null. */
export function passwordResetError(reset: PasswordReset): ErrorCode | null {
  const { user_id: userId, new_password: next, confirm_password: confirmation } = reset
  if (!userId) return 'RESET_USER_REQUIRED'
  if (!next) return 'NEW_PASSWORD_REQUIRED'
  if (lengthOf(next) < PASSWORD_MIN_LENGTH) return 'RESET_PASSWORD_TOO_SHORT'
  if (!isSamePassword(next, confirmation)) return 'RESET_PASSWORD_MISMATCH'
  if (lengthOf(next) > PASSWORD_MAX_LENGTH) return 'RESET_PASSWORD_TOO_LONG'
  return null
}

/** Why a password is too short or too long to be stored, in the hosted service's words; null if it is neither. */
export function passwordLengthError(password: string): string | null {
  const length = lengthOf(password)
  if (length < PASSWORD_MIN_LENGTH) return `Password should be at least ${PASSWORD_MIN_LENGTH} characters.`
  if (length > PASSWORD_MAX_LENGTH) return `Password should be at most ${PASSWORD_MAX_LENGTH} characters.`
  return null
}
