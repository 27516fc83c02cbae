import { gramsToMeters } from '@pegasus/contracts/filament/filament-weight'
import type { Spool } from '@pegasus/contracts/filament/spools'
import { formatAgo, formatCount, formatGrams } from '@/lib/format/format.ts'
import { DAY_MS } from '@/lib/format/durations.ts'
import { keepOrder } from '@/lib/i18n/languages.ts'
import { t } from '@/lib/i18n/messages.ts'

/** Returns the remaining share from 0 to 1. It is 1 for a weight above the full weight. */
export const shareLeft = ({ remaining_grams, weight_grams }: Spool): number =>
  weight_grams > 0 ? Math.min(1, Math.max(0, remaining_grams / weight_grams)) : 0

/** Formats the remaining length: `≈ 28 m`. */
export const lengthLeft = (spool: Spool): string =>
  keepOrder(`≈ ${formatCount(Math.round(gramsToMeters(spool.remaining_grams, spool)))} m`)

/** Returns the note that matters most when choosing a spool: which jobs need it, or whether it is dry. */
export function spoolNote(spool: Spool, nowMs: number): string {
  const { queued_jobs, queued_grams, dried_at, drying_interval_days, last_used_at, opened_at, status } = spool
  // A job whose plates are printed needs no more filament.
  if (queued_jobs > 0 && Math.round(queued_grams) > 0)
    return t(
      '{queued_jobs, plural, one {# job} other {# jobs}} {queued_jobs, plural, one {needs} other {need}} {queued_grams}',
      { queued_jobs, queued_grams: formatGrams(queued_grams) },
    )
  if (status === 'empty')
    return last_used_at
      ? t('Last used {last_used_at}', { last_used_at: formatAgo(last_used_at, nowMs) })
      : t('Nothing left')
  if (drying_interval_days && (!dried_at || nowMs - Date.parse(dried_at) > drying_interval_days * DAY_MS))
    return dried_at
      ? t('Needs drying, last {dried_at}', { dried_at: formatAgo(dried_at, nowMs) })
      : t('Needs drying')
  if (dried_at) return t('Dried {dried_at}', { dried_at: formatAgo(dried_at, nowMs) })
  if (!opened_at && !last_used_at && shareLeft(spool) === 1) return t('Sealed')
  return t('Not needed by the queue')
}

/**
 * Returns the title and the caption of a spool. The title is the color, because people look for the color on
 * the shelf.
 */
export function spoolNames({ color, name, brand }: Spool): { title: string; caption: string } {
  const title = color || name
  return { title, caption: [brand, name === title ? null : name].filter(Boolean).join(' ') }
}
