import { dayOf } from '@/lib/format/local-day.ts'
import { t } from '@/lib/i18n/messages.ts'

/** Returns a warning for a complete due day before today, such as `2026-11-21`. */
export const dueHint = (day: string): string | undefined =>
  /^\d{4}-/.test(day) && day < dayOf(new Date().toISOString())
    ? t('This day is in the past: the order will be overdue.')
    : undefined
