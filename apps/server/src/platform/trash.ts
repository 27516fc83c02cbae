import { TRASH_DAYS } from '@pegasus/contracts/fields'
import { DAY_MS, addMs } from './clock.ts'

/** How long a deleted record can be restored. */
export const TRASH_RETENTION_MS = TRASH_DAYS * DAY_MS

/** Records deleted after this moment can be restored; older ones cannot. */
export const trashCutoff = (now: Date): Date => addMs(now, -TRASH_RETENTION_MS)
