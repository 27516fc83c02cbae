import { RejectionError } from '../rejection-error.ts'

/**
 * An affine transform as twelve numbers in the order of the file: the three rows of the linear part, then the
 * translation in millimeters. Points are row vectors: x' = x·m[0] + y·m[3] + z·m[6] + m[9].
 */
export type Transform = readonly number[]

export const IDENTITY: Transform = [1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0]

const NUMBER = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i

/**
 * Parses the attribute `transform`. `unitMm` is the unit of its part, in millimeters. Throws RejectionError for a
 * malformed value.
 */
export function readTransform(text: string, unitMm: number): Transform {
  const words = text.trim().split(/\s+/)
  const numbers = words.map(Number)
  if (numbers.length !== 12 || !words.every((word) => NUMBER.test(word)) || !numbers.every(Number.isFinite)) {
    throw new RejectionError(
      'bad-syntax',
      'The file places a part with values that are not numbers. Export the model again.',
    )
  }
  return numbers.map((value, i) => (i < 9 ? value : value * unitMm))
}

/** Combines two transforms. The result applies `inner` first, then `outer`. */
export function combine(inner: Transform, outer: Transform): Transform {
  return inner.map((_, i) => {
    const row = i - (i % 3)
    const column = i % 3
    const sum =
      inner[row]! * outer[column]! +
      inner[row + 1]! * outer[column + 3]! +
      inner[row + 2]! * outer[column + 6]!
    return row === 9 ? sum + outer[column + 9]! : sum
  })
}

/** Returns whether a transform turns surfaces inside out. */
export function isMirroring(m: Transform): boolean {
  const [a, b, c, d, e, f, g, h, i] = m as [
    number,
    number,
    number,
    number,
    number,
    number,
    number,
    number,
    number,
  ]
  return a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g) < 0
}
