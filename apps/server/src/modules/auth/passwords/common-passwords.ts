import { normalizePassword } from '@pegasus/contracts/auth/password-rules'
import { dictionary } from '@zxcvbn-ts/language-common'

/** The number of most common passwords that are refused. Only passwords of an allowed length are counted. */
const COMMON_COUNT = 3000
const COMMON_MIN_LENGTH = 6

let commonPasswords: ReadonlySet<string> | null = null

/** Whether a password is among the most common ones, in upper or lower case. */
export function isCommonPassword(password: string): boolean {
  commonPasswords ??= new Set(
    dictionary['passwords-common'].filter((word) => word.length >= COMMON_MIN_LENGTH).slice(0, COMMON_COUNT),
  )
  return commonPasswords.has(normalizePassword(password).toLowerCase())
}
