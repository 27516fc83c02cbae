import { DAY_MS, HOUR_MS, addMs } from '../../platform/clock.ts'

/** Days that lie within a zone's clock and could be off by a change of clocks, so one more is read than asked. */
const LONGEST_DAY_MS = DAY_MS + 2 * HOUR_MS

export interface Period {
  /** `2026-11-21`, the oldest first; the last is the day of `now`. */
  dates: string[]
  /** A moment before the first of them; what is read from here on is sorted into days afterwards. */
  start: Date
}

/** The last days of a time zone's calendar, or null where the zone is not known. */
export function daysOfPeriod(now: Date, days: number, timeZone: string): Period | null {
  const today = dateIn(now, timeZone)
  if (today === null) return null
  // Dates are counted by the calendar and not by hours: a day can have 23 or 25 of them.
  const last = Date.parse(`${today}T00:00:00Z`)
  const dates = Array.from({ length: days }, (_, index) =>
    new Date(last - (days - 1 - index) * DAY_MS).toISOString().slice(0, 10),
  )
  return { dates, start: addMs(now, -days * LONGEST_DAY_MS) }
}

function dateIn(moment: Date, timeZone: string): string | null {
  // Offsets such as +02:00 mean the opposite to PostgreSQL.
  if (!/^[A-Za-z]/.test(timeZone)) return null
  try {
    const format = new Intl.DateTimeFormat('sv-SE', {
      timeZone,
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
    })
    return format.format(moment)
  } catch {
    return null
  }
}
