import { BLOCK_TRIANGLES, type TriangleSink } from './types.ts'

/** Collects individual triangles into blocks for a sink. */
export type TriangleBlock = {
  /** Callers write the next triangle to the nine floats of `values` from `offset` on, and then call `added`. */
  readonly values: Float32Array<ArrayBuffer>
  offset: number
  added(): void
  flush(): void
}

/**
 * Creates an empty block, which passes its triangles to `sink` whenever it is full. Callers must call `flush` at the
 * end.
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
