/** `BENCH_FULL=1` measures longer and with larger files, for published figures. */
export const IS_FULL = process.env['BENCH_FULL'] === '1'
/**
 * `BENCH_TRIAL=1` runs everything briefly with little data. This only shows that the bench works; the figures
 * mean nothing.
 */
export const IS_TRIAL = process.env['BENCH_TRIAL'] === '1'

/**
 * The length of a measurement window in milliseconds, and the number of windows whose median counts. Many short windows
 * make other load affect all contenders equally.
 */
export const WINDOW_MS = IS_TRIAL ? 50 : IS_FULL ? 2000 : 600
export const PASSES = IS_TRIAL ? 1 : IS_FULL ? 7 : 4

export const MODEL_COUNT = IS_TRIAL ? 2000 : 100_000
export const MANY_MODELS = IS_TRIAL ? 2000 : 1_000_000
export const ITEM_COUNT = IS_TRIAL ? 2000 : 100_000
export const ORDER_COUNT = IS_TRIAL ? 2000 : 100_000
export const PAGE_SIZE = 50
