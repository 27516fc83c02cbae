import { type Clock, MINUTE_MS, addMs } from '../../../platform/clock.ts'
import { AppError } from '../../../platform/errors/app-error.ts'

/** The maximum age of the sign-in or reauthentication that sensitive changes require. */
const RECENT_MS = 15 * MINUTE_MS

export const recentUntil = (authenticatedAt: Date): Date => addMs(authenticatedAt, RECENT_MS)

export const isRecent = (authenticatedAt: string, clock: Clock): boolean =>
  recentUntil(new Date(authenticatedAt)) > clock.now()

/** Throws REAUTHENTICATION_REQUIRED if the last proof of identity is too old. */
export function assertRecent(authenticatedAt: string, clock: Clock): void {
  if (!isRecent(authenticatedAt, clock)) throw new AppError('REAUTHENTICATION_REQUIRED')
}
