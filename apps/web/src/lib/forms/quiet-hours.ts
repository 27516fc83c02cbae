import { isTimeZone, type QuietHours } from '@pegasus/contracts/channels/channels'
import { t } from '@/lib/i18n/messages.ts'

/** The form fields of quiet hours. */
export const QUIET_LABELS = {
  quiet_from: t('Quiet from'),
  quiet_until: t('Quiet until'),
  time_zone: t('Time zone'),
} as const
export type QuietField = keyof typeof QUIET_LABELS
type QuietForm = Record<QuietField, string>

/** The zone of this browser; UTC if the browser has only an abbreviation. */
const ownTimeZone = (): string => {
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions()
  return isTimeZone(timeZone) ? timeZone : 'UTC'
}

/** Returns the form of quiet hours; null means that there are none. */
export const quietForm = (quiet: QuietHours | null): QuietForm => ({
  quiet_from: quiet?.from ?? '',
  quiet_until: quiet?.until ?? '',
  time_zone: quiet?.time_zone ?? ownTimeZone(),
})

/** Returns the quiet hours of a form; null if both times are empty. */
export const quietHoursOf = ({ quiet_from: from, quiet_until: until, time_zone }: QuietForm) =>
  from === '' && until === '' ? null : { from, until, time_zone }

const QUIET_ERROR = t('Enter both times, or neither.')

/** Returns an error if only one time of the quiet hours is filled in; otherwise null. */
export function quietError({ quiet_from: from, quiet_until: until }: QuietForm) {
  if ((from === '') === (until === '')) return null
  return from === '' ? { quiet_from: QUIET_ERROR } : { quiet_until: QUIET_ERROR }
}
