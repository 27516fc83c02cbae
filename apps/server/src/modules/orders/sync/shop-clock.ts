import { MINUTE_MS } from '../../../platform/clock.ts'

/** Maximum difference between the clock of a shop and ours. */
export const SHOP_CLOCK_OFFSET_MS = 10 * MINUTE_MS
