import { MINUTE_MS } from '../../../platform/clock.ts'

/** The clock of a shop may differ from ours by this time. */
export const SHOP_CLOCK_OFFSET_MS = 10 * MINUTE_MS
