import { createObjDecoder } from '@pegasus/mesh/obj/obj-decoder'
import { parseStl } from '@pegasus/mesh/stl/parse-stl'
import type { ReadableFormat } from './mesh-message.ts'

/** Parses a file into nine numbers per triangle. Throws an Error with a readable message if the file is not a model. */
export function readPositions(
  bytes: Uint8Array<ArrayBuffer>,
  format: ReadableFormat,
): Float32Array<ArrayBuffer> {
  const positions = format === 'obj' ? readObj(bytes) : readStl(bytes)
  if (positions.length === 0) throw new Error('The file contains no triangles.')
  return positions
}

function readStl(bytes: Uint8Array<ArrayBuffer>): Float32Array<ArrayBuffer> {
  const parsed = parseStl(bytes)
  if (!parsed.ok) throw new Error(parsed.message)
  return parsed.positions
}

function readObj(bytes: Uint8Array<ArrayBuffer>): Float32Array<ArrayBuffer> {
  let positions = new Float32Array(9 * 1024)
  let length = 0
  const decoder = createObjDecoder((block, count) => {
    if (length + count * 9 > positions.length) {
      const grown = new Float32Array(Math.max(length + count * 9, positions.length * 2))
      grown.set(positions)
      positions = grown
    }
    positions.set(block.subarray(0, count * 9), length)
    length += count * 9
  })
  const verdict = decoder.push(bytes) ?? decoder.finish()
  if (!verdict.ok) throw new Error(verdict.message)
  return positions.slice(0, length)
}
