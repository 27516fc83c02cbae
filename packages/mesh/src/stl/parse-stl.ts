import { createStlReader } from './stl-reader.ts'
import type { MeshWarning, Rejection, StlEncoding } from '../types.ts'
import { RECORD_BYTES } from './stl-binary.ts'

export type ParsedStl = {
  ok: true
  encoding: StlEncoding
  /**
   * Nine floats per triangle: three corners of x, y, z, in file units. The array owns its buffer, so it can be
   * transferred to another thread.
   */
  positions: Float32Array<ArrayBuffer>
  /** Number of `solid` blocks in an ASCII file. It is 1 for a binary file. */
  solids: number
  warnings: MeshWarning[]
}

/** About the length of a short ASCII facet as programs write it. A buffer of this estimated size rarely has to grow. */
const ASCII_BYTES_PER_TRIANGLE = 160

/** Reads a whole STL file in either encoding. The result is the same as that of `createStlInspector`. Never throws. */
export function parseStl(bytes: Uint8Array): ParsedStl | Rejection {
  // The size of the buffer follows from the size of the file, never from the count in the header.
  let positions = new Float32Array(0)
  let length = 0
  const reader = createStlReader((block, count) => {
    const needed = length + count * 9
    if (needed > positions.length) {
      const perTriangle = length === 0 && isLikelyBinary(bytes) ? RECORD_BYTES : ASCII_BYTES_PER_TRIANGLE
      const guess = Math.floor(bytes.length / perTriangle) * 9
      const grown = new Float32Array(Math.max(needed, length === 0 ? guess : 2 * positions.length))
      grown.set(positions.subarray(0, length))
      positions = grown
    }
    positions.set(block.subarray(0, count * 9), length)
    length = needed
  })
  reader.push(bytes)
  const verdict = reader.finish()
  if (!verdict.ok) return verdict
  const { encoding, solids, warnings } = verdict
  return {
    ok: true,
    encoding,
    positions: length < positions.length ? positions.slice(0, length) : positions,
    solids,
    warnings,
  }
}

/**
 * Returns whether a file is probably binary. In a binary file, the highest byte of the triangle count is nearly always
 * zero. This is only a hint for the size of the buffer.
 */
function isLikelyBinary(bytes: Uint8Array): boolean {
  return bytes[83] === 0
}
