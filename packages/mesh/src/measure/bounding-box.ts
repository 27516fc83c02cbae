/** The smallest box around all points so far. It is inverted and infinite before the first point. */
export type BoundingBox = {
  /** The coordinates x, y, z. */
  readonly min: Float64Array
  readonly max: Float64Array
  /** Includes `count` triangles of nine finite floats each. */
  grow(block: Float32Array, count: number): void
}

/** A box without points: the minimum of x, y and z, followed by the maximum. */
export const EMPTY_BOX: readonly number[] = [Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity]

export function createBoundingBox(): BoundingBox {
  const box = Float64Array.from(EMPTY_BOX)
  return {
    min: box.subarray(0, 3),
    max: box.subarray(3),
    grow: (block, count) => growBox(box, 0, block, 0, count * 9),
  }
}

/**
 * Extends one box by the vertices from index `from` to `to` in `vertices`. The box consists of the six numbers from
 * index `at` on in `boxes`. NaN is skipped.
 */
export function growBox(boxes: Float64Array, at: number, vertices: Float32Array, from: number, to: number) {
  // V8 keeps local variables in registers during the loop.
  let minX = boxes[at]!
  let minY = boxes[at + 1]!
  let minZ = boxes[at + 2]!
  let maxX = boxes[at + 3]!
  let maxY = boxes[at + 4]!
  let maxZ = boxes[at + 5]!
  for (let i = from; i < to; i += 3) {
    const x = vertices[i]!
    const y = vertices[i + 1]!
    const z = vertices[i + 2]!
    if (x < minX) minX = x
    if (x > maxX) maxX = x
    if (y < minY) minY = y
    if (y > maxY) maxY = y
    if (z < minZ) minZ = z
    if (z > maxZ) maxZ = z
  }
  boxes.set([minX, minY, minZ, maxX, maxY, maxZ], at)
}
