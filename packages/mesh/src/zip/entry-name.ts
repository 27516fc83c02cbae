import { RejectionError } from '../rejection-error.ts'
import { MAX_NAME_BYTES } from './limits.ts'

/**
 * Decodes the name of an entry. The name is read as UTF-8 if it is valid UTF-8, because many programs forget
 * to mark UTF-8, and as Latin-1 otherwise. Throws RejectionError for names that leave their folder. Our code
 * writes no files by such names, but another program that unpacks the archive would.
 */
export function decodeEntryName(bytes: Uint8Array): string {
  if (bytes.length === 0 || bytes.length > MAX_NAME_BYTES) {
    throw new RejectionError(
      'bad-archive',
      `The archive contains a file ${bytes.length === 0 ? 'without a name' : 'with a name that is too long'}. ${PACK_AGAIN}`,
    )
  }
  const name = decodeText(bytes)
  if (isUnsafe(name)) {
    throw new RejectionError(
      'unsafe-archive',
      `The archive contains a file named "${printableName(name)}", which points outside of the archive or is not a valid name. ${PACK_AGAIN}`,
    )
  }
  return name
}

const PACK_AGAIN = 'Pack it again with another program, from files you trust.'

function decodeText(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return new TextDecoder('latin1').decode(bytes)
  }
}

/**
 * Returns whether a name is unsafe: `../x`, `/x`, `C:x`, `\x`, or a name with control characters such as NUL,
 * at which other programs end the name.
 */
function isUnsafe(name: string): boolean {
  if (name.startsWith('/') || name.includes('\\') || /^[a-z]:/i.test(name)) return true
  if (/\p{Cc}/u.test(name)) return true
  return name.split('/').some((segment) => segment === '..')
}

/**
 * Makes a name safe for use in a sentence by replacing characters that move or hide text. Long names are
 * shortened.
 */
export function printableName(name: string): string {
  const shown = name.replace(/[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/gu, '?')
  return shown.length > 80 ? `${shown.slice(0, 79)}…` : shown
}
