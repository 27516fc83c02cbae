import { BLOCK_TRIANGLES, type TriangleSink } from './types.ts'

/** Collects single triangles into the blocks that a sink takes. */
export type TriangleBlock = {
  /** Where the next triangle goes: nine floats from `offset` of `values`. Call `added` once they are written. */
  readonly values: Float32Array<ArrayBuffer>
  offset: number
  added(): void
  flush(): void
}

/** `flush` at the end: what is left of the last block is handed over only then. */
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
