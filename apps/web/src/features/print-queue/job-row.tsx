import type { PrintJob } from '@pegasus/contracts/print-queue/jobs'
import { Ban, Check, CircleX, Clock, type LucideIcon, Pause, Printer, RotateCw, Spool } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { Column } from '@/components/data-table.tsx'
import { PriorityBadge, StatusBadge } from '@/components/ui/display/badge.tsx'
import { ColorDot } from '@/components/ui/display/color-dot.tsx'
import { PartPicture } from '@/components/ui/display/part-picture.tsx'
import { cx } from '@/lib/class-names.ts'
import { formatCount, formatDue, formatGrams, formatMinutes } from '@/lib/format/format.ts'
import { isUnfinished } from './optimistic-queue.ts'
import { JobProgress } from './job-progress.tsx'
import { filamentOf, type JobNoteKind, jobNote } from './job-state.ts'
import { PriorityCell } from './priority-cell.tsx'
import { t } from '@/lib/i18n/messages.ts'

const NOTE_ICONS: Record<JobNoteKind, LucideIcon> = {
  running: Printer,
  hold: Pause,
  spool: Spool,
  retry: RotateCw,
  waiting: Clock,
  done: Check,
  failed: CircleX,
  cancelled: Ban,
}

interface ColumnOptions {
  nowMs: number
  /** True if the jobs are in printing order. */
  isQueue: boolean
  addressOf: (id: string) => string
  /** Renders the position with its drag handle. If undefined, the row shows only the number. */
  position?: ((job: PrintJob, index: number) => ReactNode) | undefined
  /** Renders the actions of a job; undefined if the user cannot change jobs. */
  actions?: ((job: PrintJob) => ReactNode) | undefined
}

export const jobColumns = ({
  nowMs,
  isQueue,
  addressOf,
  position,
  actions,
}: ColumnOptions): readonly Column<PrintJob>[] => [
  ...(isQueue
    ? [
        {
          id: 'position',
          head: '#',
          track: position ? '50px' : '28px',
          isNumber: true,
          cell:
            position ??
            ((_: PrintJob, index: number) => <span className="text-ink-3">{formatCount(index + 1)}</span>),
        },
      ]
    : []),
  {
    id: 'job',
    head: t('Job'),
    track: 'minmax(180px,2fr)',
    cell: (job) => (
      <div className="flex items-center gap-3">
        <PartPicture src={job.stl_thumbnail_path} tint={job.color_hex} className="size-14" />
        <div className="min-w-0">
          <JobName job={job} to={addressOf(job.id)} />
          <span className="mt-0.5 block">
            <StatusBadge status={job.status} />
          </span>
        </div>
      </div>
    ),
  },
  {
    id: 'quantity',
    head: t('Qty'),
    track: '56px',
    isNumber: true,
    cell: (job) => <span className="font-semibold">{formatCount(job.quantity)}</span>,
  },
  {
    id: 'priority',
    head: t('Priority'),
    track: '52px',
    // `actions` is undefined if the user cannot change jobs.
    cell: (job) =>
      actions && isUnfinished(job.status) ? (
        <PriorityCell job={job} />
      ) : (
        <PriorityBadge priority={job.priority} />
      ),
  },
  {
    id: 'filament',
    head: t('Filament'),
    track: 'minmax(0,1fr)',
    from: 1100,
    cell: (job) => (
      <span className="flex items-center gap-1.5 text-caption text-ink-2">
        {filamentOf(job) ? (
          <>
            <ColorDot hex={job.color_hex} />
            <bdi className="truncate" title={filamentOf(job)}>
              {filamentOf(job)}
            </bdi>
          </>
        ) : (
          <span className="text-ink-3">{t('any')}</span>
        )}
      </span>
    ),
  },
  {
    id: 'needs',
    head: t('Needs'),
    track: '88px',
    isNumber: true,
    from: 860,
    cell: (job) => (
      <>
        <span className="block font-medium">
          {job.estimated_grams === null ? '' : formatGrams(job.estimated_grams)}
        </span>
        <span className="block text-caption whitespace-nowrap text-ink-3">
          {job.estimated_minutes === null ? '' : formatMinutes(job.estimated_minutes)}
        </span>
      </>
    ),
  },
  {
    id: 'due',
    head: t('Due'),
    track: '92px',
    from: 960,
    cell: (job) => <Due job={job} nowMs={nowMs} />,
  },
  {
    id: 'why',
    head: isQueue ? t('Why it waits') : t('Result'),
    track: 'minmax(0,1.5fr)',
    from: 700,
    cell: (job) => <Why job={job} nowMs={nowMs} />,
  },
  ...(actions ? [{ id: 'actions', head: t('Actions'), track: '132px', isNumber: true, cell: actions }] : []),
]

export const JobName = ({ job, to }: { job: PrintJob; to: string }) => (
  <Link to={to} className="line-clamp-2 text-start leading-[18px] font-medium hover:underline">
    <bdi title={job.inventory_item_name}>{job.inventory_item_name}</bdi>
  </Link>
)

function Due({ job: { due_at, finished_at }, nowMs }: { job: PrintJob; nowMs: number }) {
  if (!due_at) return <span className="text-caption text-ink-3">{t('none')}</span>
  const isLate = !finished_at && Date.parse(due_at) < nowMs
  return (
    <span
      className={cx(
        'block text-caption whitespace-nowrap',
        isLate ? 'font-semibold text-red-ink' : 'text-ink-2',
      )}
    >
      {formatDue(due_at, nowMs)}
      {isLate ? <span className="sr-only">, {t('overdue')}</span> : null}
    </span>
  )
}

function Why({ job, nowMs }: { job: PrintJob; nowMs: number }) {
  const { kind, text, detail } = jobNote(job, nowMs)
  const Icon = NOTE_ICONS[kind]
  const order = job.order_number ? t('Order {order_number}', { order_number: job.order_number }) : null
  return (
    <div className="flex items-start gap-2.5">
      <Icon size={16} strokeWidth={1.75} className="mt-0.5 shrink-0 text-ink-3" aria-hidden />
      <div className="min-w-0">
        <bdi className="line-clamp-2" title={text}>
          {text}
        </bdi>
        {kind === 'running' ? <JobProgress job={job} nowMs={nowMs} className="mt-1 w-40 max-w-full" /> : null}
        {order ? <bdi className="block truncate text-caption text-ink-3">{order}</bdi> : null}
        {detail ? <bdi className="block truncate text-caption text-ink-3">{detail}</bdi> : null}
      </div>
    </div>
  )
}

interface JobRowProps {
  job: PrintJob
  nowMs: number
  to: string
  actions?: ReactNode
}

/** A job in the list on a phone. */
export function JobRow({ job, nowMs, to, actions }: JobRowProps) {
  const { text } = jobNote(job, nowMs)
  return (
    <div className="flex items-start gap-3 px-4 py-2.5">
      <PartPicture src={job.stl_thumbnail_path} tint={job.color_hex} className="size-18" />
      <div className="min-w-0 flex-1">
        <JobName job={job} to={to} />
        <bdi className="mt-0.5 line-clamp-2 text-caption text-ink-2">{text}</bdi>
        {job.status === 'in_progress' ? <JobProgress job={job} nowMs={nowMs} className="my-1" /> : null}
        <div className="mt-1 flex flex-wrap items-center gap-x-2 gap-y-1 text-caption text-ink-3">
          <StatusBadge status={job.status} />
          <span className="flex min-w-0 items-center gap-1.5">
            <ColorDot hex={job.color_hex} />
            <bdi className="truncate">{filamentOf(job) || t('any filament')}</bdi>
          </span>
          {job.order_number ? (
            <bdi>{t('Order {order_number}', { order_number: job.order_number })}</bdi>
          ) : null}
          {job.due_at ? <Due job={job} nowMs={nowMs} /> : null}
        </div>
        {actions ? <div className="mt-2 flex">{actions}</div> : null}
      </div>
      <div className="flex flex-col items-end gap-1.5">
        <PriorityBadge priority={job.priority} />
        <span className="text-label whitespace-nowrap text-ink-2">× {formatCount(job.quantity)}</span>
      </div>
    </div>
  )
}
