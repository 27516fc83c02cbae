/** Days in the format of a date field, `2026-11-21`, in local time. An empty string means no day. */

const twoDigits = (number: number): string => String(number).padStart(2, '0')

export function dayOf(moment: string | null): string {
  if (!moment) return ''
  const date = new Date(moment)
  const year = String(date.getFullYear()).padStart(4, '0')
  return `${year}-${twoDigits(date.getMonth() + 1)}-${twoDigits(date.getDate())}`
}

const momentOf = (day: string, time: string): string | null => {
  const date = new Date(`${day}T${time}`)
  // An incomplete day is sent unchanged, so that the server reports it.
  return day === '' ? null : Number.isNaN(date.getTime()) ? day : date.toISOString()
}

/** Returns noon of a day, for an event at an unknown time. Noon falls on the same day in most time zones. */
export const noonOf = (day: string): string | null => momentOf(day, '12:00')

/**
 * Returns noon of a day with the offset of the local time zone, such as `2026-11-27T12:00:00+13:00`, for a day that the
 * server names in messages. In UTC, noon in Auckland belongs to the day before.
 */
export function localNoonOf(day: string): string | null {
  const noon = noonOf(day)
  if (noon === null || noon === day) return noon
  const minutes = -new Date(noon).getTimezoneOffset()
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60]
  return `${day}T12:00:00${minutes < 0 ? '-' : '+'}${twoDigits(hours)}:${twoDigits(rest)}`
}

/** Returns the last minute of a day, for a due date. */
export const endOf = (day: string): string | null => momentOf(day, '23:59')
