import { normalizePassword } from '@pegasus/contracts/auth/password-rules'
import { dictionary } from '@zxcvbn-ts/language-common'

/** How many common passwords are refused. The list contains only passwords of an allowed length. */
const COMMON_COUNT = 3000
const COMMON_MIN_LENGTH = 6

let commonPasswords: ReadonlySet<string> | null = null

/** Returns whether a password is one of the most common passwords, ignoring case. */
export function isCommonPassword(password: string): boolean {
  commonPasswords ??= new Set(
    dictionary['passwords-common'].filter((word) => word.length >= COMMON_MIN_LENGTH).slice(0, COMMON_COUNT),
  )
  return commonPasswords.has(normalizePassword(password).toLowerCase())
}
