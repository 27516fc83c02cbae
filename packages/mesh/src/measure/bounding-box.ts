/** The smallest box around all points so far; inverted and infinite before the first. */
export type BoundingBox = {
  /** x, y, z. */
  readonly min: Float64Array
  readonly max: Float64Array
  /** Includes `count` triangles of nine finite floats each. */
  grow(block: Float32Array, count: number): void
}

export function createBoundingBox(): BoundingBox {
  // A typed array, so that the values are plain doubles and stay in registers during the loop.
  const min = Float64Array.of(Infinity, Infinity, Infinity)
  const max = Float64Array.of(-Infinity, -Infinity, -Infinity)
  return {
    min,
    max,
    grow(block, count) {
      let minX = min[0]!
      let minY = min[1]!
      let minZ = min[2]!
      let maxX = max[0]!
      let maxY = max[1]!
      let maxZ = max[2]!
      for (let i = 0; i < count * 9; i += 3) {
        const x = block[i]!
        const y = block[i + 1]!
        const z = block[i + 2]!
        if (x < minX) minX = x
        if (x > maxX) maxX = x
        if (y < minY) minY = y
        if (y > maxY) maxY = y
        if (z < minZ) minZ = z
        if (z > maxZ) maxZ = z
      }
      min.set([minX, minY, minZ])
      max.set([maxX, maxY, maxZ])
    },
  }
}
