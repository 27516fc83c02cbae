import * as z from 'zod/mini'

const MAX_LENGTH = 500
const INVISIBLE_ENDS = /^[\s\p{Cc}\p{Cf}]+|[\s\p{Cc}\p{Cf}]+$/gu

/** Matches a text of visible characters and ordinary spaces. */
const VISIBLE = /^(?: |[^\p{C}\p{Z}])+$/u

/** The message if a key does not suit the kind of printer. */
export const KEY_REFUSAL =
  'The key contains a character that no printer accepts, such as an invisible one or a long dash. Please copy the key again.'

/** The `state_reason` of a printer that has refused its key. */
export const WRONG_KEY = 'The printer refused the key. Enter the key again.'

/** Returns whether a header of HTTP can carry this key: visible characters of Latin-1, and spaces. */
export const isHeaderKey = (text: string): boolean => /^[\x20-\x7e\u00a1-\u00ac\u00ae-\u00ff]*$/.test(text)

/**
 * Splits a key of the form `user:password`, with which PrusaLink signs in (HTTP digest authentication). Returns null
 * for any other key. The request contains the user as text, but only a hash of the password, so the password may
 * contain any visible characters.
 */
export function readDigestLogin(key: string): { user: string; password: string } | null {
  const [, user, password] = /^([^:]+):(.+)$/s.exec(key) ?? []
  if (user === undefined || password === undefined) return null
  return isHeaderKey(user) && VISIBLE.test(password) ? { user, password } : null
}

/**
 * The key of a printer in an edit. Invisible characters at its ends are removed, because people paste them with the key.
 * Null and an empty string clear the key. If it is missing, the key stays unchanged.
 */
export const printerKey = z.optional(
  z.nullable(
    z.pipe(
      z.string('Key must be text').check(
        z.overwrite((text) => text.replace(INVISIBLE_ENDS, '')),
        z.maxLength(MAX_LENGTH, `Key can have at most ${MAX_LENGTH} characters`),
        z.refine((text) => isHeaderKey(text) || readDigestLogin(text) !== null, KEY_REFUSAL),
      ),
      z.transform((text) => text || null),
    ),
  ),
)
