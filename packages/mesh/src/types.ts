/** A message about an accepted file, for the person who uploaded it. */
export type MeshWarning = { code: WarningCode; message: string }

export type WarningCode =
  | 'extra-bytes'
  | 'empty-solid'
  | 'open-edges'
  | 'non-manifold'
  | 'inverted'
  | 'degenerate'
  | 'duplicates'
  | 'volume-uncertain'
  | 'not-checked'
  | 'units-metres'
  | 'units-inches'
  | 'units-too-large'
  | 'left-out'
  | 'slicer-command'

/** The reason for a refusal. `message` is a text that a shop worker can act on. */
export type Rejection = { ok: false; code: RejectionCode; message: string }

export type RejectionCode =
  | 'empty-file'
  | 'not-a-model'
  | 'is-archive'
  | 'is-utf16'
  | 'too-short'
  | 'no-triangles'
  | 'count-mismatch'
  | 'truncated'
  | 'not-finite'
  | 'decimal-comma'
  | 'bad-syntax'
  | 'too-large'
  | 'bad-archive'
  | 'unsafe-archive'
  | 'protected'
  | 'unsafe-xml'
  | 'unsafe-structure'

export type StlEncoding = 'binary' | 'ascii'

/** The result for a structurally valid file. `solids` counts the `solid` blocks of an ASCII file. */
export type StlSummary = {
  ok: true
  encoding: StlEncoding
  triangles: number
  solids: number
  warnings: MeshWarning[]
}

/**
 * Receives a decoder's triangles: blocks of `count` triangles, nine floats each (three corners of x, y, z in
 * file units). The block is reused after the call, so the sink has to copy the values that it keeps.
 */
export type TriangleSink = (block: Float32Array, count: number) => void

/** Decodes the bytes of an STL, binary or ASCII, and returns the result. Callers need not know which of them it is. */
export type StlDecoder = ModelDecoder<StlSummary>

/** Decodes a format that is read from front to back, and returns the result. */
export type ModelDecoder<Summary> = {
  /** Reads the next bytes. Returns the reason as soon as the file is certain to be refused. */
  push(bytes: Uint8Array): Rejection | null
  finish(): Rejection | Summary
}

/** A named object in a file. The name is plain text, never markup. */
export type ModelPart = { name: string; triangles: number }

/**
 * Number of triangles in one block for a sink. With this many, the calls take little time, and the block fits into the
 * processor's cache.
 */
export const BLOCK_TRIANGLES = 1024

export function reject(code: RejectionCode, message: string): Rejection {
  return { ok: false, code, message }
}

/**
 * Formats a number: 4294967295 becomes "4,294,967,295". Numbers below ten thousand have no separator: "1417".
 */
export function formatCount(count: number): string {
  const digits = String(count)
  return digits.length < 5 ? digits : digits.replace(/\B(?=(\d{3})+$)/g, ',')
}

/** Formats a number with a noun: "1 byte", "2 bytes". */
export function plural(count: number, noun: string): string {
  return `${formatCount(count)} ${noun}${count === 1 ? '' : 's'}`
}
