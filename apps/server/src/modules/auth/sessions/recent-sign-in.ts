import { type Clock, MINUTE_MS, addMs } from '../../../platform/clock.ts'
import { AppError } from '../../../platform/errors/app-error.ts'

/** Sensitive changes need a sign-in or reauthentication that is no older than this. */
const RECENT_MS = 15 * MINUTE_MS

export const recentUntil = (authenticatedAt: Date): Date => addMs(authenticatedAt, RECENT_MS)

export const isRecent = (authenticatedAt: string, clock: Clock): boolean =>
  recentUntil(new Date(authenticatedAt)) > clock.now()

/** Throws REAUTHENTICATION_REQUIRED if the person last proved their identity too long ago. */
export function assertRecent(authenticatedAt: string, clock: Clock): void {
  if (!isRecent(authenticatedAt, clock)) throw new AppError('REAUTHENTICATION_REQUIRED')
}
