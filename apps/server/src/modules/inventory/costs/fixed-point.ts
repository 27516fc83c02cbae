/** Converts percentages, minutes and grams, which have at most two decimals, to whole hundredths. */
export const hundredths = (value: number): bigint => BigInt(Math.round(value * 100))

/** The number 1, in millionths. */
export const MILLION = 1_000_000n

/** Converts a fraction, such as a share of a plate, to whole millionths. */
export const millionths = (value: number): bigint => BigInt(Math.round(value * Number(MILLION)))

/** The number 100 %, in hundredths of a percent. */
export const WHOLE = 10_000n

/** Divides and rounds to the nearest whole number, halves away from zero. The denominator must be positive. */
export function divideRounded(numerator: bigint, denominator: bigint): bigint {
  const isNegative = numerator < 0n
  const size = isNegative ? -numerator : numerator
  const rounded = (2n * size + denominator) / (2n * denominator)
  return isNegative ? -rounded : rounded
}

/** Returns a share in percent with two decimals, or null if the whole is zero. */
export const percentOf = (part: number, whole: number): number | null =>
  whole === 0 ? null : Number(divideRounded(BigInt(part) * WHOLE, BigInt(whole))) / 100
