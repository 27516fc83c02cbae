import type { SpoolEntry } from '@pegasus/contracts/filament/ledger'
import { formatGrams } from '@/lib/format/format.ts'
import { keepOrder } from '@/lib/i18n/languages.ts'
import { t } from '@/lib/i18n/messages.ts'

/** Formats a change with its sign: `+100 g`, `−31 g`, `0 g`. */
export const formatSigned = (grams: number): string =>
  keepOrder(`${grams < 0 ? '−' : grams > 0 ? '+' : ''}${formatGrams(Math.abs(grams))}`)

/**
 * Says that a print needed more filament than the spool still had. The text does not say that the amount was reported,
 * because it may be estimated.
 */
function shortText(needed: number, taken: number): string {
  const weights = { needed: formatGrams(needed), taken: formatGrams(taken) }
  return taken === 0
    ? t('{needed} needed, but the spool was empty', weights)
    : t('{needed} needed, but only {taken} were left', weights)
}

/** Returns the details of an entry behind its title. Null if there are none. */
export function detailOf({
  gross_grams,
  length_mm,
  reported_grams,
  delta_grams,
}: Pick<SpoolEntry, 'gross_grams' | 'length_mm' | 'reported_grams' | 'delta_grams'>): string | null {
  if (gross_grams !== null) return t('{gross_grams} on the scale', { gross_grams: formatGrams(gross_grams) })
  const length = length_mm === null ? null : `${(length_mm / 1000).toFixed(1)} m`
  const short = reported_grams === null ? null : shortText(reported_grams, -delta_grams)
  return [length, short].filter(Boolean).join(', ') || null
}
