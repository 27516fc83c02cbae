import { BLOCK_TRIANGLES, type TriangleSink } from './types.ts'

/** Collects single triangles into blocks for a sink. */
export type TriangleBlock = {
  /** The place of the next triangle: nine floats from `offset` of `values`. Call `added` after writing them. */
  readonly values: Float32Array<ArrayBuffer>
  offset: number
  added(): void
  flush(): void
}

/** Call `flush` at the end, which passes the rest of the last block on. */
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
