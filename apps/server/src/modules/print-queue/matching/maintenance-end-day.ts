import { DAY_MS, HOUR_MS } from '../../../platform/clock.ts'

/** Time zones differ from UTC by at most 12 hours to the west and 14 hours to the east. */
const [FARTHEST_BEHIND_MS, FARTHEST_AHEAD_MS] = [12 * HOUR_MS, 14 * HOUR_MS]
const DAY_LENGTH = 'yyyy-mm-dd'.length

/** Returns whether a time (in milliseconds since 1970) is on this day in any time zone. */
function canBeOn(day: string, moment: number): boolean {
  const start = Date.parse(day)
  return moment + FARTHEST_AHEAD_MS >= start && moment - FARTHEST_BEHIND_MS < start + DAY_MS
}

/**
 * Returns the day (`2026-11-27`) on which a maintenance ends, in the time zone of the person who entered it. `until` is
 * the end as stored. `written` is the end as the person entered it, with the offset from UTC.
 *
 * Older versions of the server stored only the day in `written`, or change `until` without changing `written`. If
 * `written` does not belong to `until`, the result is the day of `until` in UTC.
 */
export function maintenanceEndDay(until: string, written: string | null): string {
  const end = Date.parse(until)
  const isOwn =
    written !== null && (written.length === DAY_LENGTH ? canBeOn(written, end) : Date.parse(written) === end)
  return (isOwn ? written : new Date(end).toISOString()).slice(0, DAY_LENGTH)
}
