/** `BENCH_FULL=1` measures longer and with larger files, for published figures. */
export const IS_FULL = process.env['BENCH_FULL'] === '1'

/**
 * The length of one window, and the number of windows for the median. Many short windows meet the same disturbances.
 */
export const WINDOW_MS = IS_FULL ? 2000 : 600
export const PASSES = IS_FULL ? 7 : 4

export const MODEL_COUNT = 100_000
export const ITEM_COUNT = 100_000
export const PAGE_SIZE = 50
