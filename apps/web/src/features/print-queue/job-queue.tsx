import { hasRole } from '@pegasus/contracts/roles'
import type { PrintJob } from '@pegasus/contracts/print-queue/jobs'
import { useEffect, useRef } from 'react'
import { type ComponentProps, type ReactNode } from 'react'
import { DataTable } from '@/components/data-table.tsx'
import { Kbd } from '@/components/ui/display/kbd.tsx'
import { useCurrentUser } from '@/lib/session/session.ts'
import { JobActions, type JobMoves } from './job-actions.tsx'
import { JobRow, jobColumns } from './job-row.tsx'
import { PositionCell } from './ordering/position-cell.tsx'
import { stepTarget } from './ordering/queue-order.ts'
import { useJobDrag } from './ordering/use-job-drag.ts'
import { useReorder } from './ordering/use-reorder.ts'
import { rich, t } from '@/lib/i18n/messages.ts'

export const ROW_HEIGHT = 72
export const PHONE_ROW_HEIGHT = 168

interface JobQueueProps {
  rows: readonly PrintJob[]
  /** Number of all jobs in the list; −1 if unknown. */
  total: number
  nowMs: number
  /** True if the rows are in printing order, so that they can be moved. */
  isQueue: boolean
  /** Text of the heading, for example with the number of waiting jobs. */
  heading: ReactNode
  addressOf: (id: string) => string
  paging: Pick<ComponentProps<typeof DataTable>, 'isStale' | 'hasMore' | 'onMore'>
  /** True if some jobs are not loaded yet. */
  isCut: boolean
}

/** Print jobs as a table. The rows of the queue can be reordered. */
export function JobQueue(props: JobQueueProps) {
  const { rows, total, nowMs, isQueue, heading, addressOf, paging, isCut } = props
  const canChange = hasRole(useCurrentUser().role, 'staff')
  const move = useReorder(rows)
  const keepFocus = useKeepFocus(rows)
  const canMove = canChange && isQueue
  const jobOf = (id: string) => rows.find((job) => job.id === id)
  const dragging = useJobDrag({
    ids: rows.map(({ id }) => id),
    hasMore: isCut,
    onDrop: (id, to) => {
      const job = jobOf(id)
      if (job) move(job, to)
    },
  })
  const movesOf = (job: PrintJob): JobMoves => {
    const by = (step: 'up' | 'down') => {
      const to = canMove ? stepTarget(rows, job.id, step, isCut) : null
      return to
        ? () => {
            keepFocus(job.id)
            move(job, to)
          }
        : undefined
    }
    return { up: by('up'), down: by('down') }
  }
  const actions = canChange ? (job: PrintJob) => <JobActions job={job} moves={movesOf(job)} /> : undefined
  return (
    <section>
      <div className="mb-2 flex items-center gap-2">
        <h2 className="font-semibold">{heading}</h2>
        {canMove && rows.length > 1 ? (
          <p className="ms-auto text-label text-ink-3 phone:hidden">
            {rich('drag, or {kbd} on the handle to reorder', { kbd: <Kbd>↑ ↓</Kbd> })}
          </p>
        ) : null}
      </div>
      <DataTable
        {...paging}
        label={isQueue ? t('Waiting print jobs') : t('Print jobs')}
        columns={jobColumns({
          nowMs,
          isQueue,
          addressOf,
          actions,
          position: canMove
            ? (job, index) => (
                <PositionCell
                  job={job}
                  index={index}
                  isLast={index === rows.length - 1}
                  moves={movesOf(job)}
                  dragging={dragging}
                />
              )
            : undefined,
        })}
        rows={rows}
        total={total}
        rowHeight={ROW_HEIGHT}
        phoneRow={(job) => <JobRow job={job} nowMs={nowMs} to={addressOf(job.id)} actions={actions?.(job)} />}
        phoneRowHeight={PHONE_ROW_HEIGHT}
      />
    </section>
  )
}

/** Returns a function that keeps the focus on a job's drag handle when the job is moved by keyboard. */
function useKeepFocus(rows: readonly PrintJob[]): (id: string) => void {
  const wanted = useRef<string | null>(null)
  const order = rows.map(({ id }) => id).join()
  useEffect(() => {
    const id = wanted.current
    wanted.current = null
    if (id) document.querySelector<HTMLElement>(`[data-grip="${CSS.escape(id)}"]`)?.focus()
  }, [order])
  return (id) => {
    wanted.current = id
  }
}
