import { RECORD_BYTES } from './stl-binary.ts'
import { PREAMBLE_BYTES } from './stl-sniffer.ts'

/**
 * Writes a binary STL. The facet normals are calculated from the winding. `positions` has nine floats per
 * triangle; `header` has at most 80 ASCII characters.
 */
export function writeBinaryStl(positions: Float32Array, header = 'Pegasus Ops'): Uint8Array<ArrayBuffer> {
  const triangles = Math.floor(positions.length / 9)
  const bytes = new Uint8Array(PREAMBLE_BYTES + triangles * RECORD_BYTES)
  const view = new DataView(bytes.buffer)
  for (let i = 0; i < Math.min(80, header.length); i++) bytes[i] = header.charCodeAt(i)
  view.setUint32(80, triangles, true)
  for (let t = 0; t < triangles; t++) {
    const at = PREAMBLE_BYTES + t * RECORD_BYTES
    const normal = facetNormal(positions, t)
    for (let i = 0; i < 3; i++) view.setFloat32(at + 4 * i, normal[i]!, true)
    for (let i = 0; i < 9; i++) view.setFloat32(at + 12 + 4 * i, positions[9 * t + i]!, true)
  }
  return bytes
}

/** Returns the unit normal by the right-hand rule. It is zero for a triangle without area, as in slicers. */
export function facetNormal(positions: Float32Array, triangle: number): [number, number, number] {
  const at = 9 * triangle
  const edge = (corner: number, axis: number) => positions[at + 3 * corner + axis]! - positions[at + axis]!
  const x = edge(1, 1) * edge(2, 2) - edge(1, 2) * edge(2, 1)
  const y = edge(1, 2) * edge(2, 0) - edge(1, 0) * edge(2, 2)
  const z = edge(1, 0) * edge(2, 1) - edge(1, 1) * edge(2, 0)
  const length = Math.hypot(x, y, z) || 1
  return [x / length, y / length, z / length]
}
