import { identifyBinary, identifyText, rejectForeign } from '../foreign-files.ts'
import { plural, type Rejection, reject, type StlEncoding } from '../types.ts'

/** Number of bytes at the beginning of a file that decide its format. */
export const SNIFFED_BYTES = 1024
export const PREAMBLE_BYTES = 84

/**
 * Detects the encoding of an STL from its first `SNIFFED_BYTES` bytes (fewer only if the file is shorter), or returns
 * the reason why it is not an STL. The word "solid" at the beginning proves nothing, because many CAD programs also
 * write it into binary files. A binary file has control bytes in its first 84 bytes, because the highest byte of any
 * count below 16.7 million is zero. A text has no such bytes.
 */
export function sniffStl(prefix: Uint8Array): StlEncoding | Rejection {
  if (prefix.length === 0) return reject('empty-file', 'The file is empty. Export or upload it again.')
  const foreign = recognizeForeign(prefix)
  if (foreign) return foreign
  const textStart = skipBlank(prefix)
  const startsSolid = startsWith(prefix, textStart, 'solid') && isBlankOrEnd(prefix, textStart + 5)
  if (hasControlByte(prefix, Math.min(prefix.length, PREAMBLE_BYTES))) {
    if (prefix.length >= PREAMBLE_BYTES) return 'binary'
    return startsSolid ? 'ascii' : reject('too-short', tooShort(prefix.length))
  }
  if (startsSolid)
    return isAsciiBody(prefix, textStart) || !hasControlByte(prefix, prefix.length) ? 'ascii' : 'binary'
  if (textStart === prefix.length && prefix.length < SNIFFED_BYTES) {
    return reject('empty-file', 'The file contains only blank space. Export or upload it again.')
  }
  // Even a binary file with a text header and a count of 16.7 million or more contains zero bytes, in its normals and
  // attribute bytes.
  if (prefix.length >= PREAMBLE_BYTES && hasControlByte(prefix, prefix.length)) return 'binary'
  const text = readText(prefix, textStart)
  if (text?.startsWith('<')) return rejectForeign(identifyText(text))
  if (prefix.length < PREAMBLE_BYTES) return reject('too-short', tooShort(prefix.length))
  // Bytes that are not valid text may be a binary file that happens to have no control byte.
  return text === null ? 'binary' : rejectForeign(identifyText(text))
}

function recognizeForeign(prefix: Uint8Array): Rejection | null {
  const matches = (bytes: number[]) => bytes.every((byte, i) => prefix[i] === byte)
  if (isZip(prefix)) {
    return reject(
      'is-archive',
      'This is a ZIP or 3MF archive, not an STL. Rename a 3MF to .3mf, or unpack the archive first.',
    )
  }
  if (
    matches([0xff, 0xfe]) ||
    matches([0xfe, 0xff]) ||
    matches([0x73, 0, 0x6f, 0]) ||
    matches([0, 0x73, 0, 0x6f])
  ) {
    return reject(
      'is-utf16',
      'The file is text in UTF-16, which slicers cannot read. Save it as plain text (UTF-8), or export binary STL.',
    )
  }
  const what = identifyBinary(prefix)
  return what === null ? null : rejectForeign(what)
}

/** Returns whether a file begins like a ZIP, which may be empty. */
export function isZip(prefix: Uint8Array): boolean {
  const [p, k, a, b] = prefix
  return p === 0x50 && k === 0x4b && ((a === 3 && b === 4) || (a === 5 && b === 6))
}

function tooShort(sizeBytes: number): string {
  return `The file is only ${plural(sizeBytes, 'byte')} long, too short for an STL. Export or upload it again.`
}

/** Returns whether the first line is followed by "facet", "endsolid" or another "solid", as in every ASCII STL. */
function isAsciiBody(prefix: Uint8Array, textStart: number): boolean {
  let at = textStart
  while (at < prefix.length && prefix[at] !== 0x0a && prefix[at] !== 0x0d) at++
  while (at < prefix.length && prefix[at]! <= 0x20) at++
  return ['facet', 'endsolid', 'solid'].some(
    (word) => startsWith(prefix, at, word) && isBlankOrEnd(prefix, at + word.length),
  )
}

/** Skips a UTF-8 byte order mark and white space. */
export function skipBlank(prefix: Uint8Array): number {
  let at = prefix[0] === 0xef && prefix[1] === 0xbb && prefix[2] === 0xbf ? 3 : 0
  while (at < prefix.length && isBlank(prefix[at]!)) at++
  return at
}

function startsWith(prefix: Uint8Array, at: number, word: string): boolean {
  for (let i = 0; i < word.length; i++)
    if (((prefix[at + i] ?? 0) | 0x20) !== word.charCodeAt(i)) return false
  return true
}

function isBlank(byte: number): boolean {
  return byte === 0x20 || (byte >= 0x09 && byte <= 0x0d)
}

function isBlankOrEnd(prefix: Uint8Array, at: number): boolean {
  return at >= prefix.length || isBlank(prefix[at]!)
}

function hasControlByte(prefix: Uint8Array, end: number): boolean {
  for (let at = 0; at < end; at++) if (prefix[at]! < 0x20 && !isBlank(prefix[at]!)) return true
  return false
}

/** Decodes the bytes as text. Returns null if they are not text. The last character may be cut off. */
export function readText(prefix: Uint8Array, start: number): string | null {
  if (hasControlByte(prefix, prefix.length)) return null
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(prefix.subarray(start), { stream: true })
  } catch {
    return null
  }
}
