import type { ProductionRow } from '@pegasus/contracts/print-queue/production-report'
import { formatGrams, formatMinutes, formatPercent } from '@/lib/format/format.ts'

/** `+6 %`; null if one of the values is unknown, or if nothing was planned. */
export function differenceText(planned: number | null, actual: number | null): string | null {
  if (planned === null || actual === null || planned === 0) return null
  const share = Math.round((100 * (actual - planned)) / planned)
  return `${share > 0 ? '+' : ''}${share} %`
}

export const yieldText = ({ yield: share }: ProductionRow): string | null =>
  share === null ? null : formatPercent(share)

function compare(
  planned: number | null,
  actual: number | null,
  format: (value: number) => string,
): string | null {
  if (planned === null || actual === null) return null
  const texts = [format(actual), `planned ${format(planned)}`, differenceText(planned, actual)]
  return texts.filter((text) => text !== null).join(', ')
}

/** `85 g, planned 80 g, +6 %`; null if one of the weights is unknown. */
export const gramsText = ({ planned_grams: planned, used_grams: used }: ProductionRow): string | null =>
  compare(planned, used, formatGrams)

/** `1 h 50 min, planned 1 h 40 min, +10 %`; null if one of the times is unknown. */
export const minutesText = ({
  planned_minutes: planned,
  print_minutes: actual,
}: ProductionRow): string | null => compare(planned, actual, formatMinutes)
