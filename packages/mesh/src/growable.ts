type Numbers = Float32Array<ArrayBuffer> | Uint32Array<ArrayBuffer>

/** A growing array of numbers whose final length is unknown. */
interface Growable<T extends Numbers> {
  length: number
  readonly values: T
  /** Makes space for `more` numbers. Must be called before values are written at `length`. It may replace `values`. */
  reserve(more: number): void
}

export type GrowableFloats = Growable<Float32Array<ArrayBuffer>>
/** A growing array of whole numbers from 0 to 2^32 − 1. */
export type GrowableIndices = Growable<Uint32Array<ArrayBuffer>>

const FIRST_LENGTH = 96

function createGrowable<T extends Numbers>(create: (length: number) => T): Growable<T> {
  let values = create(FIRST_LENGTH)
  return {
    length: 0,
    get values() {
      return values
    },
    reserve(more) {
      if (this.length + more <= values.length) return
      const grown = create(Math.max(this.length + more, 2 * values.length))
      grown.set(values)
      values = grown
    },
  }
}

export const createGrowableFloats = (): GrowableFloats => createGrowable((length) => new Float32Array(length))

export const createGrowableIndices = (): GrowableIndices =>
  createGrowable((length) => new Uint32Array(length))
