/** Percentages, minutes and grams have two decimals at most; so they become whole numbers. */
export const hundredths = (value: number): bigint => BigInt(Math.round(value * 100))

/** 100 % as `hundredths` has it. */
export const WHOLE = 10_000n

/** To the nearest whole, halves away from nothing. The denominator is positive. */
export function divideRounded(numerator: bigint, denominator: bigint): bigint {
  const isNegative = numerator < 0n
  const size = isNegative ? -numerator : numerator
  const rounded = (2n * size + denominator) / (2n * denominator)
  return isNegative ? -rounded : rounded
}

/** A part of a whole in percent, with two decimals; null of nothing. */
export const percentOf = (part: number, whole: number): number | null =>
  whole === 0 ? null : Number(divideRounded(BigInt(part) * WHOLE, BigInt(whole))) / 100
