import type { TriangleSink } from '../types.ts'

/** A needle without area must not become as wide as the part. */
const MAX_GROWTH = 6
/** Triangles that just cover the area leave gaps where they lie unevenly. */
const OVERLAP = 1.6

/** Picks triangles for a picture as they are read; memory depends on how many are wanted alone. */
type TriangleSampler = { sink: TriangleSink; positions(): Float32Array<ArrayBuffer> }

/**
 * Picks about `wanted` triangles out of any number by area: a large one always, of small ones every few, grown
 * about its middle to the area of those that it stands for, so that the surface stays closed to the eye.
 * `surfaceArea` is that of the whole mesh, from an earlier pass.
 */
export function createTriangleSampler(surfaceArea: number, wanted: number): TriangleSampler {
  const share = surfaceArea / wanted
  const kept = new Float32Array(9 * (wanted + 1))
  let length = 0
  let credit = 0

  function keep(block: Float32Array, at: number, growth: number) {
    for (let axis = 0; axis < 3; axis++) {
      const a = block[at + axis]!
      const b = block[at + axis + 3]!
      const c = block[at + axis + 6]!
      const middle = (a + b + c) / 3
      kept[length + axis] = middle + growth * (a - middle)
      kept[length + axis + 3] = middle + growth * (b - middle)
      kept[length + axis + 6] = middle + growth * (c - middle)
    }
    length += 9
  }

  return {
    sink(block, count) {
      // In a variable of this call, which stays in a register; one of the whole sampler is written to memory each time.
      let owed = credit
      for (let at = 0; at < 9 * count; at += 9) {
        const area = triangleArea(block, at)
        owed += area
        if (owed < share || length === kept.length) continue
        owed %= share
        keep(block, at, area < share ? Math.min(MAX_GROWTH, OVERLAP * Math.sqrt(share / area)) : 1)
      }
      credit = owed
    },
    positions: () => kept.subarray(0, length),
  }
}

/** Of the triangle whose nine floats begin at `at`. */
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
