import type { DueRecipient } from './deliveries.queries.ts'

/**
 * Returns the time of day in a time zone, such as `22:00`. If this version of Node does not know the zone, returns the
 * time in UTC.
 */
function timeIn(timeZone: string, now: Date): string {
  const format = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const
  try {
    return new Intl.DateTimeFormat('en-GB', { ...format, timeZone }).format(now)
  } catch {
    return new Intl.DateTimeFormat('en-GB', { ...format, timeZone: 'UTC' }).format(now)
  }
}

/**
 * Returns whether it is outside a recipient's quiet hours. The server computes this instead of the database, which
 * knows a different list of time zones and throws for an unknown one.
 */
export function isAwake(recipient: Omit<DueRecipient, 'id'>, now: Date): boolean {
  const { quiet_from: from, quiet_until: until, time_zone: zone } = recipient
  if (from === null || until === null || from === until) return true
  const time = timeIn(zone, now)
  return from < until ? time < from || time >= until : time < from && time >= until
}
