import { BLOCK_TRIANGLES, type TriangleSink } from './types.ts'

/** Collects individual triangles into blocks for a sink. */
export type TriangleBlock = {
  /** The next triangle is written to the nine floats of `values` from `offset` on. Call `added` after writing them. */
  readonly values: Float32Array<ArrayBuffer>
  offset: number
  added(): void
  flush(): void
}

/**
 * Creates an empty block. Callers must call `flush` at the end, which passes on the rest of the last block.
 */
export function createTriangleBlock(sink: TriangleSink): TriangleBlock {
  const values = new Float32Array(9 * BLOCK_TRIANGLES)
  return {
    values,
    offset: 0,
    added() {
      this.offset += 9
      if (this.offset === values.length) this.flush()
    },
    flush() {
      if (this.offset > 0) sink(values, this.offset / 9)
      this.offset = 0
    },
  }
}
