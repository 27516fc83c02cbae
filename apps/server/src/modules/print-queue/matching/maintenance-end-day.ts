import { DAY_MS, HOUR_MS } from '../../../platform/clock.ts'

/** The time zones of the earth reach from 12 hours behind UTC to 14 hours before it. */
const [FARTHEST_BEHIND_MS, FARTHEST_AHEAD_MS] = [12 * HOUR_MS, 14 * HOUR_MS]
const DAY_LENGTH = 'yyyy-mm-dd'.length

/** Returns whether a moment can be on this day in any time zone. */
function canBeOn(day: string, moment: number): boolean {
  const start = Date.parse(day)
  return moment + FARTHEST_AHEAD_MS >= start && moment - FARTHEST_BEHIND_MS < start + DAY_MS
}

/**
 * Returns the day (`2026-11-27`) on which a person wants a maintenance to end, in the time zone of the person. `until` is
 * the end. `written` is the end as the person wrote it, with the offset from UTC.
 *
 * Older versions of the server have stored only the day in `written`, or change `until` without it. If `written` does not
 * belong to `until`, returns the day of `until` in UTC.
 */
export function maintenanceEndDay(until: string, written: string | null): string {
  const end = Date.parse(until)
  const isOwn =
    written !== null && (written.length === DAY_LENGTH ? canBeOn(written, end) : Date.parse(written) === end)
  return (isOwn ? written : new Date(end).toISOString()).slice(0, DAY_LENGTH)
}
