import { cx } from '@/lib/class-names.ts'
import { formatMoney } from '@/lib/format/format.ts'
import { type CostFigures, costNote, overPlanText } from './production-texts.ts'
import { rich } from '@/lib/i18n/messages.ts'

/** Compares the actual cost of completed jobs with the planned one. Without a cost, only says whose cost is unknown. */
export function CostComparison({ figures }: { figures: CostFigures }) {
  const { cost, planned_cost: planned, compared_cost: compared } = figures
  const note = costNote(figures)
  if (cost === null)
    return note === null ? null : <span className="block text-caption text-ink-3">{note}</span>
  return (
    <>
      <span className="block">
        {rich('{compared}, planned {planned}', {
          compared: <span className="font-semibold">{formatMoney(compared ?? cost)}</span>,
          planned: planned === null ? '—' : formatMoney(planned),
        })}
      </span>
      <CostDifference planned={planned} actual={compared} />
      {note === null ? null : <span className="block text-caption text-ink-3">{note}</span>}
    </>
  )
}

interface CostDifferenceProps {
  planned: number | null
  actual: number | null
  className?: string
}

/** Says by how much the actual cost is over or under the plan. Renders nothing if one of them is unknown. */
export function CostDifference({ planned, actual, className }: CostDifferenceProps) {
  const text = overPlanText(planned, actual)
  const isOver = planned !== null && actual !== null && actual > planned
  return text === null ? null : (
    <span className={cx('block', isOver ? 'text-red-ink' : 'text-green-ink', className)}>{text}</span>
  )
}
