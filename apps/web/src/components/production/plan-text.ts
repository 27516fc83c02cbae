import { formatCount } from '@/lib/format/format.ts'
import { t } from '@/lib/i18n/messages.ts'

/** The figures of a plan for missing pieces. */
interface PlanFigures {
  shipped?: number
  on_shelf: number
  queued: number
  missing: number
  pieces_per_plate: number | null
  plates: number
  expected_rejects: number
  surplus: number
  /** Number of pieces that are planned now, if one print job cannot have all missing pieces. */
  now?: number
  /** Number of queued pieces beyond the needed ones. */
  extra_queued?: number
}

/**
 * Writes a plan as a calculation: `10 ordered − 3 on the shelf = 7 → 2 plates of 4 → 1 to stock`. Subtracted terms of
 * zero are left out. The server writes the same in English (`sentence`).
 *
 * @param wanted The needed pieces, such as `10 ordered`.
 */
export function planText(wanted: string, plan: PlanFigures): string {
  const { missing, now, plates, expected_rejects: rejects, surplus, extra_queued: extra = 0 } = plan
  const terms = [
    [plan.shipped ?? 0, t('shipped')],
    [plan.on_shelf, t('on the shelf')],
    [plan.queued, t('queued')],
  ] as const
  const less = terms.filter(([count]) => count > 0).map(([count, word]) => `${formatCount(count)} ${word}`)
  const sum = `${[wanted, ...less].join(' − ')} = ${formatCount(missing)}`
  if (plates === 0)
    return extra > 0
      ? t('{sum}, and {extra} more than needed are queued', { sum, extra: formatCount(extra) })
      : sum
  const spare = t('{rejects, plural, one {# expected reject} other {# expected rejects}}', { rejects })
  const steps = [
    rejects > 0 ? `${sum} + ${spare}` : sum,
    ...(now === undefined
      ? []
      : [t('{now} now, the most that a print job can have', { now: formatCount(now) })]),
    platesText(plan),
    ...(surplus > 0 ? [t('{surplus} to stock', { surplus: formatCount(surplus) })] : []),
  ]
  return steps.reduce((before, after) => t('{before} → {after}', { before, after }))
}

const platesText = ({ plates, pieces_per_plate: pieces }: PlanFigures): string =>
  pieces === null
    ? t('{plates, plural, one {# plate} other {# plates}}', { plates })
    : t('{plates, plural, one {# plate} other {# plates}} of {pieces}', {
        plates,
        pieces: formatCount(pieces),
      })
