/** `BENCH_FULL=1` measures longer and with larger files: for figures to be written down. */
export const IS_FULL = process.env['BENCH_FULL'] === '1'

/** One window of load, and how many the median is taken from: many short ones meet the same disturbances alike. */
export const WINDOW_MS = IS_FULL ? 2000 : 600
export const PASSES = IS_FULL ? 7 : 4

export const MODEL_COUNT = 100_000
export const ITEM_COUNT = 100_000
export const PAGE_SIZE = 50
