export const SECOND_MS = 1000
export const MINUTE_MS = 60 * SECOND_MS
export const DAY_MS = 24 * 60 * MINUTE_MS

/** Maximum of a share that is estimated from the elapsed time, because a print may take longer than estimated. */
const MAX_ESTIMATED_SHARE = 0.99

/** Returns the elapsed share of an estimated time, from 0 to 1. Times are in ms since 1970. */
export const elapsedShare = (startMs: number, endMs: number, nowMs: number): number =>
  Math.min(Math.max((nowMs - startMs) / (endMs - startMs), 0), MAX_ESTIMATED_SHARE)
