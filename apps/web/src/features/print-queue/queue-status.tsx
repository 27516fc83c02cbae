import type { PrintJob } from '@pegasus/contracts/print-queue/jobs'
import { useQuery } from '@tanstack/react-query'
import { SummaryCard, SummaryRowSkeleton } from '@/components/kit/summary-card.tsx'
import { PriorityBadge, StatusBadge } from '@/components/ui/display/badge.tsx'
import { PartPicture } from '@/components/ui/display/part-picture.tsx'
import { Skeleton } from '@/components/ui/feedback/skeleton.tsx'
import { formatCount, formatPercent } from '@/lib/format/format.ts'
import { useNow } from '@/lib/browser/use-now.ts'
import { JobProgress } from './job-progress.tsx'
import { jobNote, shareDone } from './job-state.ts'
import { firstJobsQuery } from './print-queue.queries.ts'
import { joinFacts } from '@/lib/i18n/join-words.ts'
import { t } from '@/lib/i18n/messages.ts'

const SHOWN = 5
const ROW =
  'grid min-h-[54px] grid-cols-[40px_minmax(0,1fr)_52px_104px_30px] items-center gap-3 px-4 phone:min-h-[76px] phone:py-2 phone:grid-cols-[56px_minmax(0,1fr)_30px] phone:px-3.5'

export function QueueStatus({ queueAddress }: { queueAddress: string }) {
  const nowMs = useNow()
  return (
    <SummaryCard
      title={t('Print Queue Status')}
      link={{ to: queueAddress, label: t('Open queue') }}
      query={useQuery(firstJobsQuery(SHOWN))}
      name={t('print queue')}
      count={SHOWN}
      heightClass="min-h-[274px] phone:min-h-[384px]"
      skeletonRow={SKELETON_ROW}
      empty={{
        title: t('The print queue is empty'),
        text: t('The next print jobs are listed here by priority, with their status.'),
      }}
    >
      {(job) => <JobLine key={job.id} job={job} nowMs={nowMs} />}
    </SummaryCard>
  )
}

function JobLine({ job, nowMs }: { job: PrintJob; nowMs: number }) {
  const { text, detail } = jobNote(job, nowMs)
  const isRunning = job.status === 'in_progress'
  const share = isRunning ? shareDone(job, nowMs) : null
  const quantity = `× ${formatCount(job.quantity)}`
  return (
    <li className={ROW}>
      <PartPicture src={job.stl_thumbnail_path} tint={job.color_hex} className="size-10 phone:size-14" />
      <div className="min-w-0">
        <bdi className="block truncate font-medium" title={job.inventory_item_name}>
          {job.inventory_item_name}
        </bdi>
        <div className="flex items-center gap-2.5 text-caption text-ink-3 phone:flex-wrap phone:gap-y-0.5">
          {isRunning ? (
            <JobProgress job={job} nowMs={nowMs} className="w-24 shrink-0 phone:mt-1.5 phone:w-full" />
          ) : null}
          <span className="shrink-0 sm:hidden">
            <StatusBadge status={job.status} />
          </span>
          {/* On a phone the text has a line of its own, because the status leaves it too little room. */}
          <span className="min-w-0 flex-1 truncate phone:order-1 phone:basis-full">
            {joinFacts([share === null ? null : formatPercent(share), text])}
            {isRunning && detail ? (
              <span className="phone:hidden">
                {' · '}
                <bdi>{detail}</bdi>
              </span>
            ) : null}
          </span>
          <span className="ms-auto sm:hidden">{quantity}</span>
        </div>
      </div>
      <span className="text-end whitespace-nowrap text-ink-2 phone:hidden">{quantity}</span>
      <span className="phone:hidden">
        <StatusBadge status={job.status} />
      </span>
      <PriorityBadge priority={job.priority} />
    </li>
  )
}

const SKELETON_ROW = (
  <SummaryRowSkeleton className={ROW} pictureClass="size-10 phone:size-14">
    <Skeleton className="ms-auto h-3 w-8 phone:hidden" />
    <Skeleton className="h-5 w-20 phone:hidden" />
    <Skeleton className="h-5 w-7" />
  </SummaryRowSkeleton>
)
