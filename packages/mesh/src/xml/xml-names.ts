import { RejectionError } from '../rejection-error.ts'

/**
 * Maximum number of names that are kept, so that a file with a million different names cannot fill the
 * memory.
 */
const MAX_INTERNED = 2000
const MAX_NAME_BYTES = 200

type Interned = { bytes: Uint8Array; text: string }

/** Converts the bytes of a name to a string without creating the same string repeatedly. */
export function createNameTable(): (bytes: Uint8Array, start: number, end: number) => string {
  const buckets = new Map<number, Interned>()
  const decoder = new TextDecoder()
  return (bytes, start, end) => {
    let hash = end - start
    for (let at = start; at < end; at++) hash = (Math.imul(hash, 31) + bytes[at]!) | 0
    const known = buckets.get(hash)
    if (known && isSame(known.bytes, bytes, start, end)) return known.text
    if (end - start > MAX_NAME_BYTES) {
      throw new RejectionError(
        'unsafe-xml',
        'The file contains a name that is too long. Export the model again.',
      )
    }
    const text = decoder.decode(bytes.subarray(start, end))
    if (!known && buckets.size < MAX_INTERNED) buckets.set(hash, { bytes: bytes.slice(start, end), text })
    return text
  }
}

function isSame(name: Uint8Array, bytes: Uint8Array, start: number, end: number): boolean {
  if (name.length !== end - start) return false
  for (let i = 0; i < name.length; i++) if (name[i] !== bytes[start + i]) return false
  return true
}
