import { DAY_MS, HOUR_MS, addMs } from '../../../platform/clock.ts'

/** How long a session lasts without a refresh. In any case it ends after `ABSOLUTE_MS`. */
export const IDLE_MS = 14 * DAY_MS
export const ABSOLUTE_MS = 90 * DAY_MS

export const ACCESS_TOKEN_MS = HOUR_MS

/** The columns of a session that determine its end. */
interface Life {
  created_at: string
  refreshed_at: string
  ends_at: string | null
}

/** Returns the latest time at which a session can end, even if it is refreshed regularly. */
export function endOf({ created_at: createdAt, ends_at: endsAt }: Life): Date {
  const end = addMs(new Date(createdAt), ABSOLUTE_MS)
  return endsAt !== null && new Date(endsAt) < end ? new Date(endsAt) : end
}

export const hasExpired = (session: Life, now: Date): boolean =>
  endOf(session) <= now || addMs(new Date(session.refreshed_at), IDLE_MS) <= now
