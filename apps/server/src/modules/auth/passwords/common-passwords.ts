import { normalizePassword } from '@pegasus/contracts/auth/password-rules'
import { dictionary } from '@zxcvbn-ts/language-common'

/** So many of the most used passwords are refused, counted among those long enough to be set at all. */
const COMMON_COUNT = 3000
const COMMON_MIN_LENGTH = 6

let commonPasswords: ReadonlySet<string> | null = null

/** Whether a password is among the most used ones, in any case. */
export function isCommonPassword(password: string): boolean {
  commonPasswords ??= new Set(
    dictionary['passwords-common'].filter((word) => word.length >= COMMON_MIN_LENGTH).slice(0, COMMON_COUNT),
  )
  return commonPasswords.has(normalizePassword(password).toLowerCase())
}
