import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { normalizePassword } from '@pegasus/contracts/auth/password-rules'

/** How many common passwords are refused. The list contains only passwords of an allowed length. */
export const COMMON_PASSWORD_COUNT = 100_000

/**
 * How many bytes of each hash the list contains. About one in eleven million uncommon passwords begins with the same
 * bytes as a common one, and is refused too.
 */
const HASH_BYTES = 5

/** The file with the sorted hashes. `npm run generate:passwords` writes it. */
export const COMMON_PASSWORDS_FILE = new URL('./common-passwords.bin', import.meta.url)

/** Returns the part of a password's hash that the list contains. Ignores case. */
export const commonPasswordHash = (password: string): Buffer =>
  hash('sha256', normalizePassword(password).toLowerCase(), 'buffer').subarray(0, HASH_BYTES)

let sortedHashes: Buffer | null = null

/** Returns whether a password is one of the 100,000 most common passwords, ignoring case. */
export function isCommonPassword(password: string): boolean {
  sortedHashes ??= readFileSync(COMMON_PASSWORDS_FILE)
  const sought = commonPasswordHash(password)
  let [low, high] = [0, sortedHashes.length / HASH_BYTES - 1]
  while (low <= high) {
    const middle = Math.floor((low + high) / 2)
    const order = sortedHashes.compare(sought, 0, HASH_BYTES, middle * HASH_BYTES, (middle + 1) * HASH_BYTES)
    if (order === 0) return true
    if (order < 0) low = middle + 1
    else high = middle - 1
  }
  return false
}
