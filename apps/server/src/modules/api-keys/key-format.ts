import { createHash, randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'

/**
 * A key has the form `pgo_<id>_<secret>_<check>`. The prefix makes a leaked key recognizable, and the id finds the row
 * of the key. The check detects a mistyped or invented key without a database query.
 */
const MARK = 'pgo_'
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const ID_LENGTH = 12
/** Number of base 62 digits for a secret of 256 bits. */
const SECRET_LENGTH = 43
/** Number of base 62 digits for a check of 32 bits. */
const CHECK_LENGTH = 6

const KEY = new RegExp(
  `^(${MARK}[0-9A-Za-z]{${ID_LENGTH}})_[0-9A-Za-z]{${SECRET_LENGTH}}_[0-9A-Za-z]{${CHECK_LENGTH}}$`,
)

/** The stored parts of a key: its beginning as plain text, and the SHA-256 of the whole key. */
export interface KeyIdentity {
  prefix: string
  hash: Buffer
}

/** Returns random digits of base 62. */
export const randomDigits = (length: number): string =>
  Array.from({ length }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')

/** Returns the CRC-32 of a text in base 62. */
function checkOf(text: string): string {
  let rest = crc32(text)
  let digits = ''
  for (let i = 0; i < CHECK_LENGTH; i += 1) {
    digits = `${ALPHABET[rest % ALPHABET.length]}${digits}`
    rest = Math.floor(rest / ALPHABET.length)
  }
  return digits
}

/** Appends the check to the mark, id and secret of a key. */
export const withCheck = (body: string): string => `${body}_${checkOf(body)}`

/** Returns the SHA-256 of a whole key. */
export const hashOf = (key: string): Buffer => createHash('sha256').update(key).digest()

/** Generates a new key. */
export function makeKey(): KeyIdentity & { key: string } {
  const prefix = `${MARK}${randomDigits(ID_LENGTH)}`
  const key = withCheck(`${prefix}_${randomDigits(SECRET_LENGTH)}`)
  return { key, prefix, hash: hashOf(key) }
}

/** Returns whether a text has the prefix of our keys. The key may be invalid. */
export const looksLikeKey = (text: string): boolean => text.startsWith(MARK)

/** Parses a key. Returns null for text that cannot be a key, for example if its check is wrong. */
export function readKey(text: string): KeyIdentity | null {
  const prefix = KEY.exec(text)?.[1]
  if (prefix === undefined) return null
  const body = text.slice(0, -CHECK_LENGTH - 1)
  return withCheck(body) === text ? { prefix, hash: hashOf(text) } : null
}

const BASIC = /^Basic +([A-Za-z0-9+/]+={0,2}) *$/i

/** Returns the key that was sent as the password of Basic authentication, or null if there is none. */
export function keyInBasic(authorization: string | undefined): string | null {
  const pair = BASIC.exec(authorization ?? '')?.[1]
  if (pair === undefined) return null
  const text = Buffer.from(pair, 'base64').toString('latin1')
  const password = text.slice(text.indexOf(':') + 1)
  return text.includes(':') && looksLikeKey(password) ? password : null
}
