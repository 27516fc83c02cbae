import * as z from 'zod/mini'

const MAX_LENGTH = 500
const INVISIBLE_ENDS = /^[\s\p{Cc}\p{Cf}]+|[\s\p{Cc}\p{Cf}]+$/gu

/**
 * Returns whether a printer can get this text as its key: visible characters that a header of HTTP can carry (Latin-1),
 * and spaces.
 */
export const isPrinterKey = (text: string): boolean => /^[\x20-\x7e\u00a1-\u00ac\u00ae-\u00ff]*$/.test(text)

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
        z.refine(
          isPrinterKey,
          'The key contains a character that no printer accepts, such as an invisible one or a long dash. Please copy the key again.',
        ),
      ),
      z.transform((text) => text || null),
    ),
  ),
)
