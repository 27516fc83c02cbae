import { DAY_MS, addMs } from '../../../platform/clock.ts'

const BIN_KEEPS_MS = 30 * DAY_MS

/** Jobs deleted after this moment can be restored; older ones cannot. */
export const trashCutoff = (now: Date): Date => addMs(now, -BIN_KEEPS_MS)
