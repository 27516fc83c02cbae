import { TRASH_DAYS } from '@pegasus/contracts/fields'
import { DAY_MS } from './durations.ts'
import { t } from '@/lib/i18n/messages.ts'

/** Returns the time at which an object that was deleted at `deletedAt` is purged. */
export const removalOf = (deletedAt: string): string =>
  new Date(Date.parse(deletedAt) + TRASH_DAYS * DAY_MS).toISOString()

/**
 * Formats the time until an object is purged: `in 12 days`, `today`, or `due`. A due object waits for the
 * next cleanup, or is still used.
 */
export function daysLeft(removal: string, nowMs: number): string {
  const leftMs = Date.parse(removal) - nowMs
  if (leftMs <= 0) return t('due')
  const days = Math.round(leftMs / DAY_MS)
  return days === 0 ? t('within a day') : t('in {days, plural, one {# day} other {# days}}', { days })
}
