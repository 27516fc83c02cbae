/** Returns round axis values that cover the range from `min` to `max`, with at most `intervals` intervals. */
export function niceTicks({
  min = 0,
  max,
  intervals = 2,
  isWhole = false,
}: {
  min?: number
  max: number
  intervals?: number
  /** True if the ticks must be whole numbers, as for counts. */
  isWhole?: boolean
}): number[] {
  const span = max - min
  if (!(span > 0)) return min === 0 ? [0, 1] : [min]
  let magnitude = 10 ** Math.floor(Math.log10(span / intervals))
  if (isWhole) magnitude = Math.max(1, magnitude)
  for (let scale = magnitude; ; scale *= 10) {
    for (const step of [scale, 2 * scale, 5 * scale]) {
      const [first, last] = [Math.floor(min / step + EPSILON), Math.ceil(max / step - EPSILON)]
      if (last - first <= intervals)
        // The steps are multiplied and not added up, because 0.1 + 0.2 is not 0.3.
        return Array.from({ length: last - first + 1 }, (_, index) => (first + index) * step)
    }
  }
}

/** 0.3 / 0.1 is 2.9999999999999996, but must be treated as 3. */
const EPSILON = 1e-9

/** Returns a function that maps values to pixels. `from` may be greater than `to`. */
export const linearScale =
  ([low, high]: readonly [number, number], [from, to]: readonly [number, number]) =>
  (value: number): number =>
    high === low ? (from + to) / 2 : from + ((value - low) / (high - low)) * (to - from)

/** Divides the space between two edges into `count` equal bands, one for each bar. */
export function bandScale(count: number, [left, right]: readonly [number, number]) {
  const step = count > 0 ? (right - left) / count : 0
  return {
    step,
    /** Returns the center of a band. */
    center: (index: number): number => left + (index + 0.5) * step,
    /** Returns the band at a pixel, or the nearest one. */
    at: (x: number): number => Math.max(0, Math.min(count - 1, Math.floor((x - left) / step))),
  }
}

const LABEL_ROOM_PX = 58
const WEEK = 7

/**
 * Returns the indexes of the steps to label on the axis: the first, then every week while there is room, and
 * always the last. Steps that are not days need a `group` other than a week.
 */
export function labelledDays(count: number, step: number, group = WEEK): number[] {
  if (count <= 1) return count === 1 ? [0] : []
  const last = count - 1
  const groups = Math.max(1, Math.ceil(LABEL_ROOM_PX / (step * group)))
  const days = []
  for (let day = 0; (last - day) * step >= LABEL_ROOM_PX; day += group * groups) days.push(day)
  return [...days, last]
}

/**
 * Returns the sums of equal periods, so that the days of a month become a smooth line with few points. The
 * oldest days may be left out.
 */
export function bucketSums(values: readonly number[], buckets: number): number[] {
  const size = Math.floor(values.length / buckets)
  if (size < 1) return [...values]
  const start = values.length - size * buckets
  return Array.from({ length: buckets }, (_, bucket) =>
    values.slice(start + bucket * size, start + (bucket + 1) * size).reduce((sum, value) => sum + value, 0),
  )
}

/**
 * Returns the earlier values of a total up to its current value, computed from the daily additions. The
 * result has one more value than there are days.
 */
export function runningTotal(added: readonly number[], total: number): number[] {
  const totals = [total]
  for (const count of added.toReversed()) totals.unshift((totals[0] ?? 0) - count)
  return totals
}
