import { PASSWORD_MAX_LENGTH, PASSWORD_MIN_LENGTH } from './auth.ts'
import type { ErrorCode } from './errors.ts'

export interface PasswordChange {
  current_password?: string | undefined
  new_password?: string | undefined
  confirm_password?: string | undefined
}

/** Characters as people count them, so that an emoji is one and not two. */
const lengthOf = (password: string): number => [...password].length

/**
 * The first rule that a change of password breaks, in the order of the specification (section 5), or null.
 * Whether the current password is right, and whether the new one is too common, only the server can say.
 */
export function passwordChangeError(change: PasswordChange): ErrorCode | null {
  const { current_password: current, new_password: next, confirm_password: confirmation } = change
  if (!current) return 'CURRENT_PASSWORD_REQUIRED'
  if (!next) return 'NEW_PASSWORD_REQUIRED'
  if (lengthOf(next) < PASSWORD_MIN_LENGTH) return 'NEW_PASSWORD_TOO_SHORT'
  if (lengthOf(next) > PASSWORD_MAX_LENGTH) return 'NEW_PASSWORD_TOO_LONG'
  if (next !== confirmation) return 'NEW_PASSWORD_MISMATCH'
  if (next === current) return 'NEW_PASSWORD_SAME'
  return null
}

/** Why a password is too short or too long to be stored, in the hosted service's words; null if it is neither. */
export function passwordLengthError(password: string): string | null {
  const length = lengthOf(password)
  if (length < PASSWORD_MIN_LENGTH) return `Password should be at least ${PASSWORD_MIN_LENGTH} characters.`
  if (length > PASSWORD_MAX_LENGTH) return `Password should be at most ${PASSWORD_MAX_LENGTH} characters.`
  return null
}
