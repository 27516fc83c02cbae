import type { TriangleSink } from '../types.ts'

/**
 * Maximum factor by which a kept triangle is enlarged. Without it, a needle with almost no area could become as wide as
 * the part.
 */
const MAX_GROWTH = 6
/**
 * The kept triangles together have this many times the area of the surface. With just its area, they would leave gaps
 * where few triangles were kept.
 */
const OVERLAP = 1.6

/** Selects triangles for a picture while they are read. Memory depends only on the wanted number of triangles. */
type TriangleSampler = { sink: TriangleSink; positions(): Float32Array<ArrayBuffer> }

/**
 * Selects about `wanted` triangles, evenly by area. It keeps every large triangle, and one out of several small ones. A
 * kept small triangle is enlarged to about the area of those that it replaces, so that the surface looks closed.
 * `surfaceArea` is the area of the whole mesh, from an earlier pass.
 */
export function createTriangleSampler(surfaceArea: number, wanted: number): TriangleSampler {
  const share = surfaceArea / wanted
  const sampled = new Float32Array(9 * (wanted + 1))
  let length = 0
  let credit = 0

  function keep(block: Float32Array, at: number, growth: number) {
    for (let axis = 0; axis < 3; axis++) {
      const a = block[at + axis]!
      const b = block[at + axis + 3]!
      const c = block[at + axis + 6]!
      const middle = (a + b + c) / 3
      sampled[length + axis] = middle + growth * (a - middle)
      sampled[length + axis + 3] = middle + growth * (b - middle)
      sampled[length + axis + 6] = middle + growth * (c - middle)
    }
    length += 9
  }

  return {
    sink(block, count) {
      // A local variable is faster than a variable of the sampler, which would be written to memory each time.
      let owed = credit
      for (let at = 0; at < 9 * count; at += 9) {
        const area = triangleArea(block, at)
        owed += area
        if (owed < share || length === sampled.length) continue
        owed %= share
        keep(block, at, area < share ? Math.min(MAX_GROWTH, OVERLAP * Math.sqrt(share / area)) : 1)
      }
      credit = owed
    },
    positions: () => sampled.subarray(0, length),
  }
}

/** Returns the area of the triangle whose nine floats begin at `at`. */
export function triangleArea(block: Float32Array, at: number): number {
  const ux = block[at + 3]! - block[at]!
  const uy = block[at + 4]! - block[at + 1]!
  const uz = block[at + 5]! - block[at + 2]!
  const vx = block[at + 6]! - block[at]!
  const vy = block[at + 7]! - block[at + 1]!
  const vz = block[at + 8]! - block[at + 2]!
  const nx = uy * vz - uz * vy
  const ny = uz * vx - ux * vz
  const nz = ux * vy - uy * vx
  return Math.sqrt(nx * nx + ny * ny + nz * nz) / 2
}
