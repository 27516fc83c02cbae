/** Days in the form of a date field, `2026-11-21`, in local time. Empty if there is none. */

const twoDigits = (number: number): string => String(number).padStart(2, '0')

export function dayOf(moment: string | null): string {
  if (!moment) return ''
  const date = new Date(moment)
  const year = String(date.getFullYear()).padStart(4, '0')
  return `${year}-${twoDigits(date.getMonth() + 1)}-${twoDigits(date.getDate())}`
}

const momentOf = (day: string, time: string): string | null => {
  const date = new Date(`${day}T${time}`)
  // An incomplete day is sent as it is, so that the server's rule reports it.
  return day === '' ? null : Number.isNaN(date.getTime()) ? day : date.toISOString()
}

/** For an event on a day at an unknown time: its noon, which is the same day in most time zones. */
export const noonOf = (day: string): string | null => momentOf(day, '12:00')

/** For a due day: its last minute. */
export const endOf = (day: string): string | null => momentOf(day, '23:59')
