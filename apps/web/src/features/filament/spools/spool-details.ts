import { gramsToMeters } from '@pegasus/contracts/filament/filament-weight'
import type { Spool } from '@pegasus/contracts/filament/spools'
import { formatAgo, formatCount, formatGrams, formatNumberOf } from '@/lib/format/format.ts'
import { DAY_MS } from '@/lib/format/durations.ts'

/** Returns the remaining share from 0 to 1. It is 1 for a weight above the full weight. */
export const shareLeft = ({ remaining_grams, weight_grams }: Spool): number =>
  weight_grams > 0 ? Math.min(1, Math.max(0, remaining_grams / weight_grams)) : 0

/** Formats the remaining length: `≈ 28 m`. */
export const lengthLeft = (spool: Spool): string =>
  `≈ ${formatCount(Math.round(gramsToMeters(spool.remaining_grams, spool)))} m`

/** Returns the note that matters most when choosing a spool: which jobs need it, or whether it is dry. */
export function spoolNote(spool: Spool, nowMs: number): string {
  const { queued_jobs, queued_grams, dried_at, drying_interval_days, last_used_at, opened_at, status } = spool
  if (queued_jobs > 0)
    return `${formatNumberOf(queued_jobs, 'job')} ${queued_jobs === 1 ? 'needs' : 'need'} ${formatGrams(queued_grams)}`
  if (status === 'empty') return last_used_at ? `Last used ${formatAgo(last_used_at, nowMs)}` : 'Nothing left'
  if (drying_interval_days && (!dried_at || nowMs - Date.parse(dried_at) > drying_interval_days * DAY_MS))
    return dried_at ? `Needs drying, last ${formatAgo(dried_at, nowMs)}` : 'Needs drying'
  if (dried_at) return `Dried ${formatAgo(dried_at, nowMs)}`
  if (!opened_at && !last_used_at && shareLeft(spool) === 1) return 'Sealed'
  return 'Not needed by the queue'
}

/**
 * Returns the title and the caption of a spool. The title is the color, because people look for the color on
 * the shelf.
 */
export function spoolNames({ color, name, brand }: Spool): { title: string; caption: string } {
  const title = color || name
  return { title, caption: [brand, name === title ? null : name].filter(Boolean).join(' ') }
}
