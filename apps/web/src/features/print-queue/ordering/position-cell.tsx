import type { PrintJob } from '@pegasus/contracts/print-queue/jobs'
import { GripVertical } from 'lucide-react'
import { cx } from '@/lib/class-names.ts'
import { formatCount } from '@/lib/format/format.ts'
import type { JobMoves } from '../job-actions.tsx'
import type { JobDrag } from './use-job-drag.ts'
import { t } from '@/lib/i18n/messages.ts'

interface PositionCellProps {
  job: PrintJob
  index: number
  isLast: boolean
  moves: JobMoves
  dragging: JobDrag
}

/** The position of a job, and the drag handle that moves it with the pointer or the arrow keys. */
export function PositionCell({ job, index, isLast, moves, dragging }: PositionCellProps) {
  const { drag, gripProps } = dragging
  const target = drag?.id === job.id ? null : drag?.target
  return (
    <span className="flex items-center justify-end gap-1">
      {drag?.id === job.id ? (
        <i className="pointer-events-none absolute inset-0 bg-accent-soft opacity-55" aria-hidden />
      ) : null}
      {target?.beforeId === job.id ? <DropLine className="-top-px" /> : null}
      {target && target.beforeId === null && isLast ? <DropLine className="-bottom-px" /> : null}
      <button
        type="button"
        data-grip={job.id}
        aria-label={t('Move {inventory_item_name}', { inventory_item_name: job.inventory_item_name })}
        title={t('Drag, or press ↑ ↓')}
        {...gripProps(job.id)}
        onKeyDown={(event) => {
          const move = { ArrowUp: moves.up, ArrowDown: moves.down }[event.key]
          if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return
          event.preventDefault()
          move?.()
        }}
        className={cx(
          'relative grid h-8 w-6 shrink-0 touch-none place-items-center rounded-control text-ink-3 hover:text-ink',
          drag ? 'cursor-grabbing' : 'cursor-grab',
        )}
      >
        <GripVertical size={16} strokeWidth={1.75} aria-hidden />
      </button>
      <span className="min-w-4 text-end text-ink-3">{formatCount(index + 1)}</span>
    </span>
  )
}

const DropLine = ({ className }: { className: string }) => (
  <i className={cx('pointer-events-none absolute inset-x-0 z-10 h-0.5 bg-accent', className)} aria-hidden />
)
