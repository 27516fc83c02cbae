/** Days as a date field has them, `2026-11-21`, in local time. Empty where there is none. */

const twoDigits = (number: number): string => String(number).padStart(2, '0')

export function dayOf(moment: string | null): string {
  if (!moment) return ''
  const date = new Date(moment)
  const year = String(date.getFullYear()).padStart(4, '0')
  return `${year}-${twoDigits(date.getMonth() + 1)}-${twoDigits(date.getDate())}`
}

const momentOf = (day: string, time: string): string | null => {
  const date = new Date(`${day}T${time}`)
  // What is half typed is sent as it is, for the server's rule to say what is wrong with it.
  return day === '' ? null : Number.isNaN(date.getTime()) ? day : date.toISOString()
}

/** Something that happened on a day, nobody knows when: its noon, which is the same day far around. */
export const noonOf = (day: string): string | null => momentOf(day, '12:00')

/** By when something has to be there: the last minute of the day. */
export const endOf = (day: string): string | null => momentOf(day, '23:59')
