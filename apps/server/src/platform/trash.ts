import { TRASH_DAYS } from '@pegasus/contracts/fields'
import { DAY_MS, addMs } from './clock.ts'

/** The time for which a deleted record can be restored. */
export const TRASH_RETENTION_MS = TRASH_DAYS * DAY_MS

/** Returns the cutoff time: records deleted after it can be restored, older records cannot. */
export const trashCutoff = (now: Date): Date => addMs(now, -TRASH_RETENTION_MS)
