import type { TriangleSink } from './types.ts'

/** Creates a sink that keeps all triangles, nine floats each. `most` is their maximum number. */
export function createTriangleCollector(most: number) {
  const positions = new Float32Array(9 * most)
  let length = 0
  const sink: TriangleSink = (block, count) => {
    positions.set(block.subarray(0, 9 * count), length)
    length += 9 * count
  }
  return { sink, positions: () => positions.subarray(0, length) }
}
