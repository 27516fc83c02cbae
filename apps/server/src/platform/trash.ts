import { TRASH_DAYS } from '@pegasus/contracts/fields'
import { DAY_MS, addMs } from './clock.ts'

/** For how long a deleted object can be restored, in milliseconds. */
export const TRASH_RETENTION_MS = TRASH_DAYS * DAY_MS

/** Returns the time before which deleted objects can no longer be restored. */
export const trashCutoff = (now: Date): Date => addMs(now, -TRASH_RETENTION_MS)
