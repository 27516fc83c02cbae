import type { ProductionRow } from '@pegasus/contracts/print-queue/production-report'
import { formatGrams, formatMinutes, formatPercent } from '@/lib/format/format.ts'

/** `+6 %` */
function difference(planned: number, actual: number): string {
  if (planned === 0) return ''
  const share = Math.round((100 * (actual - planned)) / planned)
  return `, ${share > 0 ? '+' : ''}${share} %`
}

export const yieldText = ({ yield: share }: ProductionRow): string | null =>
  share === null ? null : formatPercent(share)

/** `85 g, planned 80 g, +6 %`; null if one of the weights is unknown. */
export const gramsText = ({ planned_grams: planned, used_grams: used }: ProductionRow): string | null =>
  planned === null || used === null
    ? null
    : `${formatGrams(used)}, planned ${formatGrams(planned)}${difference(planned, used)}`

/** `1 h 50 min, planned 1 h 40 min, +10 %`; null if one of the times is unknown. */
export const minutesText = ({
  planned_minutes: planned,
  print_minutes: actual,
}: ProductionRow): string | null =>
  planned === null || actual === null
    ? null
    : `${formatMinutes(actual)}, planned ${formatMinutes(planned)}${difference(planned, actual)}`
