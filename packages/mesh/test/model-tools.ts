import { createMemorySource } from '../src/byte-source.ts'
import { type ModelSummary, readModel } from '../src/read-model.ts'
import type { Rejection } from '../src/types.ts'

/**
 * Reads a whole model of any format. If it is refused, `positions` contains the triangles that were read
 * before that.
 */
export async function readWhole(
  bytes: Uint8Array,
): Promise<{ verdict: ModelSummary | Rejection; positions: Float32Array<ArrayBuffer> }> {
  const blocks: Float32Array[] = []
  const verdict = await readModel(createMemorySource(bytes), (block, count) => {
    blocks.push(block.slice(0, 9 * count))
  })
  const positions = new Float32Array(blocks.reduce((sum, block) => sum + block.length, 0))
  let at = 0
  for (const block of blocks) {
    positions.set(block, at)
    at += block.length
  }
  return { verdict, positions }
}
