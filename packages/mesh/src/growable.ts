/** Floats that arrive one after the other; their number is known only at the end. */
export type GrowableFloats = {
  length: number
  readonly values: Float32Array<ArrayBuffer>
  reserve(more: number): void
}

/** Whole numbers from 0 to 2^32 − 1 in the same way. */
export type GrowableIndices = {
  length: number
  readonly values: Uint32Array<ArrayBuffer>
  reserve(more: number): void
}

/** `reserve` before writing at `length`; `values` may be another array afterwards. */
export function createGrowableFloats(): GrowableFloats {
  let values = new Float32Array(96)
  return {
    length: 0,
    get values() {
      return values
    },
    reserve(more) {
      if (this.length + more <= values.length) return
      const grown = new Float32Array(Math.max(this.length + more, 2 * values.length))
      grown.set(values)
      values = grown
    },
  }
}

/** Like `createGrowableFloats`, for indices. */
export function createGrowableIndices(): GrowableIndices {
  let values = new Uint32Array(96)
  return {
    length: 0,
    get values() {
      return values
    },
    reserve(more) {
      if (this.length + more <= values.length) return
      const grown = new Uint32Array(Math.max(this.length + more, 2 * values.length))
      grown.set(values)
      values = grown
    },
  }
}
