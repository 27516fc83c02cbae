import { DAY_MS, HOUR_MS, addMs } from './clock.ts'
import { AppError } from './errors/app-error.ts'

/** The assumed length of a day. A clock change can make a day longer than 24 hours, by at most two hours. */
const LONGEST_DAY_MS = DAY_MS + 2 * HOUR_MS

export interface Period {
  /** Dates such as `2026-11-21`, oldest first. The last date is the day of `now`. */
  dates: string[]
  /** A time before the first day begins. Rows from this time on are read and assigned to days. */
  start: Date
}

/** Returns the last `days` calendar days in a time zone, or null for an unknown zone. */
export function daysOfPeriod(now: Date, days: number, timeZone: string): Period | null {
  const today = dateIn(now, timeZone)
  if (today === null) return null
  // Count dates by the calendar instead of by hours, because a day can have 23 or 25 hours.
  const last = Date.parse(`${today}T00:00:00Z`)
  const dates = Array.from({ length: days }, (_, index) =>
    new Date(last - (days - 1 - index) * DAY_MS).toISOString().slice(0, 10),
  )
  return { dates, start: addMs(now, -days * LONGEST_DAY_MS) }
}

/** Returns the hour (0 to 23) of a time in a time zone, or null for an unknown zone. */
export function hourIn(moment: Date, timeZone: string): number | null {
  if (dateIn(moment, timeZone) === null) return null
  const format = new Intl.DateTimeFormat('en-US', { timeZone, hour: '2-digit', hourCycle: 'h23' })
  return Number(format.format(moment))
}

/** Returns the date of a time in a time zone, such as `2026-11-23`, or null for an unknown zone. */
export function dateIn(moment: Date, timeZone: string): string | null {
  // PostgreSQL reads offsets such as `+02:00` with the opposite sign.
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

/** The requested period of a report, including its first and last day. The default is the twelve months up to today. */
export interface AskedPeriod {
  from?: string | undefined
  to?: string | undefined
  timeZone: string
}

/** The period of a report, including its first and last day. */
export interface ReportPeriod {
  from: string
  to: string
  timeZone: string
}

const MONTHS_BY_DEFAULT = 12

/** Returns the first day of the month that is eleven months before the month of `day`. */
function yearBefore(day: string): string {
  const date = new Date(`${day}T00:00:00Z`)
  const first = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - MONTHS_BY_DEFAULT + 1, 1))
  return first.toISOString().slice(0, 10)
}

const refuse = (path: string, message: string): never => {
  throw new AppError('INVALID_INPUT', { text: message, errors: [{ path, message }] })
}

/**
 * Returns the period of a report. Throws INVALID_INPUT for an unknown time zone, or a period that ends before
 * it begins.
 */
export function reportPeriodOf({ from: asked, to: end, timeZone }: AskedPeriod, now: Date): ReportPeriod {
  const today = dateIn(now, timeZone) ?? refuse('time_zone', 'time_zone is not a known time zone')
  const to = end ?? today
  const from = asked ?? yearBefore(to)
  if (from > to) refuse('from', 'from is after to')
  return { from, to, timeZone }
}
