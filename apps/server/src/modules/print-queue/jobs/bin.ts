import { DAY_MS, addMs } from '../../../platform/clock.ts'

const BIN_KEEPS_MS = 30 * DAY_MS

/** What got into the bin after this moment is still there; what is older is out of reach for good. */
export const trashCutoff = (now: Date): Date => addMs(now, -BIN_KEEPS_MS)
