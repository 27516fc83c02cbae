import type { PrintJob } from '@pegasus/contracts/print-queue/jobs'
import { ColorDot } from '@/components/ui/display/color-dot.tsx'
import type { ReactNode } from 'react'
import { PriorityBadge } from '@/components/ui/display/badge.tsx'
import { PartPicture } from '@/components/ui/display/part-picture.tsx'
import { Skeleton, SkeletonGroup, SkeletonText } from '@/components/ui/feedback/skeleton.tsx'
import { formatCount, formatPercent, formatTime } from '@/lib/format/format.ts'
import { JobProgress } from './job-progress.tsx'
import { JobName } from './job-row.tsx'
import { doneAtMs, filamentOf, runningText, shareDone } from './job-state.ts'
import { t } from '@/lib/i18n/messages.ts'
import { joinFacts } from '@/lib/i18n/join-words.ts'

const GRID = 'mb-4 grid grid-cols-[repeat(auto-fill,minmax(280px,1fr))] gap-4 phone:gap-3'

interface RunningJobsProps {
  jobs: readonly PrintJob[]
  nowMs: number
  addressOf: (id: string) => string
  actions?: ((job: PrintJob) => ReactNode) | undefined
}

/** Shows the running jobs as cards. */
export const RunningJobs = ({ jobs, nowMs, addressOf, actions }: RunningJobsProps) =>
  jobs.length === 0 ? null : (
    <ul className={GRID} aria-label={t('Printing now')}>
      {jobs.map((job) => (
        <RunningJob
          key={job.id}
          job={job}
          nowMs={nowMs}
          to={addressOf(job.id)}
          actions={actions?.(job) ?? null}
        />
      ))}
    </ul>
  )

interface RunningJobProps {
  job: PrintJob
  nowMs: number
  to: string
  actions: ReactNode
}

function RunningJob({ job, nowMs, to, actions }: RunningJobProps) {
  const doneAt = doneAtMs(job, nowMs)
  const share = shareDone(job, nowMs)
  return (
    <li className="flex flex-col rounded-card border border-line bg-surface p-3 pb-2.5">
      <div className="mb-3 flex gap-3">
        <PartPicture src={job.stl_thumbnail_path} tint={job.color_hex} className="size-18" />
        <div className="min-w-0 flex-1">
          <div className="flex items-start gap-2">
            <bdi className="min-w-0 flex-1 truncate text-caption text-ink-3">
              {job.printer ?? t('No printer given')}
            </bdi>
            <PriorityBadge priority={job.priority} />
          </div>
          <JobName job={job} to={to} />
          <span className="mt-1 flex items-center gap-1.5 text-caption text-ink-2">
            <ColorDot hex={job.color_hex} />
            <bdi className="truncate">
              {joinFacts([
                t('{good_quantity} of {quantity} good', {
                  good_quantity: formatCount(job.good_quantity),
                  quantity: formatCount(job.quantity),
                }),
                filamentOf(job),
              ])}
            </bdi>
          </span>
        </div>
      </div>
      <JobProgress job={job} nowMs={nowMs} className="mt-auto" />
      <div className="mt-2 flex min-h-7 items-center gap-2">
        {share === null ? null : <span className="font-semibold">{formatPercent(share)}</span>}
        <span className="min-w-0 flex-1 truncate text-label text-ink-3">
          {runningText(job, nowMs)}
          {doneAt !== null && doneAt > nowMs && !job.is_printed ? (
            <span className="block text-caption">{t('until {doneAt}', { doneAt: formatTime(doneAt) })}</span>
          ) : null}
        </span>
        {actions}
      </div>
    </li>
  )
}

export const RunningJobsSkeleton = () => (
  <SkeletonGroup label={t('Loading the running jobs')} className={GRID}>
    {Array.from({ length: 4 }, (_, index) => (
      <div key={index} className="rounded-card border border-line bg-surface p-3 pb-2.5">
        <div className="flex gap-3">
          <Skeleton className="size-18 rounded-control!" />
          <SkeletonText bars={['mt-1 h-2.5 w-1/3', 'mt-2.5 h-3 w-4/5', 'mt-2.5 h-2.5 w-1/2']} />
        </div>
        <Skeleton className="mt-3 h-1 w-full" />
        <Skeleton className="my-3 h-3 w-1/2" />
      </div>
    ))}
  </SkeletonGroup>
)
