import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { PASSWORD_MAX_LENGTH, PASSWORD_MIN_LENGTH } from '@pegasus/contracts/auth/password-rules'
import { dictionary } from '@zxcvbn-ts/language-common'
import { COMMON_PASSWORDS_FILE, COMMON_PASSWORD_COUNT, commonPasswordHash } from './common-passwords.ts'

/**
 * Returns the sorted hashes of the `count` most common passwords. Each list is sorted by frequency, most common first.
 * The passwords of the first list come before those of the second.
 */
export function hashCommonPasswords(lists: readonly (readonly string[])[], count: number): Buffer {
  const hashes = new Map<string, Buffer>()
  for (const word of lists.flat()) {
    if (hashes.size === count) break
    const { length } = [...word]
    if (length < PASSWORD_MIN_LENGTH || length > PASSWORD_MAX_LENGTH) continue
    const bytes = commonPasswordHash(word)
    hashes.set(bytes.toString('hex'), bytes)
  }
  return Buffer.concat([...hashes.values()].sort(Buffer.compare))
}

/**
 * Writes a new list of common passwords and returns its path. The passwords come from the dictionary of zxcvbn-ts, and
 * then from a text file with one password per line. Throws if these contain too few passwords.
 */
export function generateCommonPasswords(textFile: string): string {
  const words = readFileSync(textFile, 'utf8').split(/\r?\n/)
  const hashes = hashCommonPasswords([dictionary['passwords-common'], words], COMMON_PASSWORD_COUNT)
  const count = hashes.length / commonPasswordHash('').length
  if (count < COMMON_PASSWORD_COUNT) throw new Error(`${textFile}: only ${count} passwords in both lists`)
  writeFileSync(COMMON_PASSWORDS_FILE, hashes)
  return fileURLToPath(COMMON_PASSWORDS_FILE)
}
