import type { ProductionRow } from '@pegasus/contracts/print-queue/production-report'
import { formatGrams, formatMinutes, formatMoney, formatPercent } from '@/lib/format/format.ts'
import { keepOrder } from '@/lib/i18n/languages.ts'
import { t } from '@/lib/i18n/messages.ts'

/** `+6 %` or `−6 %`; null if one of the values is unknown, or if nothing was planned. */
export function differenceText(planned: number | null, actual: number | null): string | null {
  if (planned === null || actual === null || planned === 0) return null
  const share = Math.round((100 * (actual - planned)) / planned)
  const sign = share > 0 ? '+' : share < 0 ? '−' : ''
  return keepOrder(`${sign}${Math.abs(share)} %`)
}

export const yieldText = ({ yield: share }: ProductionRow): string | null =>
  share === null ? null : formatPercent(share)

function compare(
  planned: number | null,
  actual: number | null,
  format: (value: number) => string,
): string | null {
  if (planned === null || actual === null) return null
  const texts = [
    format(actual),
    t('planned {planned}', { planned: format(planned) }),
    differenceText(planned, actual),
  ]
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

/** `$1.40 over plan (+13 %)`, `$0.20 under plan (−2 %)` or `as planned`; null if one of the amounts is unknown. */
export function overPlanText(planned: number | null, actual: number | null): string | null {
  if (planned === null || actual === null) return null
  if (planned === actual) return t('as planned')
  const share = differenceText(planned, actual)
  const abs = formatMoney(Math.abs(actual - planned))
  const amount = actual > planned ? t('{abs} over plan', { abs }) : t('{abs} under plan', { abs })
  return share === null ? amount : `${amount} (${share})`
}

/** Says which part of the cost the plan covers, and whether it was measured; null if there is nothing to say. */
export function costNote(figures: CostFigures) {
  const { jobs, cost, compared_jobs: compared, cost_is_measured: isMeasured } = figures
  if (cost === null) return unknownText(figures)
  const notes = [
    compared > 0 && compared < jobs
      ? t('{compared} of {jobs} jobs had a plan. All {jobs} cost {cost}.', {
          compared,
          jobs,
          cost: formatMoney(cost),
        })
      : null,
    failureText(figures),
    unknownText(figures),
    isMeasured === false ? t('The cost includes estimates.') : null,
  ]
  return notes.filter(Boolean).join(' ') || null
}

/** `2 jobs without good pieces cost $3.10.`; null without such jobs. */
export const failureText = ({ failed_jobs: failed, failure_cost: cost }: CostFigures): string | null =>
  cost === null
    ? null
    : t('{failed, plural, one {# job} other {# jobs}} without good pieces cost {cost}.', {
        failed,
        cost: formatMoney(cost),
      })

/** Says how many failed jobs have no known cost; null if there are none. */
export const unknownText = ({ unknown_cost_jobs: unknown }: CostFigures): string | null =>
  unknown === 0
    ? null
    : t(
        'The cost of {unknown, plural, one {# earlier failed job} other {# earlier failed jobs}} is unknown.',
        {
          unknown,
        },
      )

/** The costs of ended jobs. */
export type CostFigures = Pick<
  ProductionRow,
  | 'jobs'
  | 'cost'
  | 'compared_jobs'
  | 'planned_cost'
  | 'compared_cost'
  | 'failed_jobs'
  | 'failure_cost'
  | 'unknown_cost_jobs'
  | 'cost_is_measured'
>
