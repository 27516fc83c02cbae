import type { PrintJob } from '@pegasus/contracts/print-queue/jobs'
import { useQuery } from '@tanstack/react-query'
import { ArrowLeft, SearchX } from 'lucide-react'
import { type ReactNode, useLayoutEffect } from 'react'
import { Link, useNavigate } from 'react-router'
import { PriorityBadge, StatusBadge } from '@/components/ui/display/badge.tsx'
import { buttonClass } from '@/components/ui/actions/button.tsx'
import { Card } from '@/components/ui/display/card.tsx'
import { ColorDot } from '@/components/ui/display/color-dot.tsx'
import { EmptyState } from '@/components/ui/feedback/empty-state.tsx'
import { ErrorState } from '@/components/ui/feedback/error-state.tsx'
import { PartPicture } from '@/components/ui/display/part-picture.tsx'
import { Skeleton, SkeletonGroup } from '@/components/ui/feedback/skeleton.tsx'
import { ApiError } from '@/lib/http/api-error.ts'
import { formatCount, formatDate, formatDateTime, formatGrams, formatMinutes } from '@/lib/format/format.ts'
import { usePageTitle } from '@/lib/format/page-title.ts'
import { useNow } from '@/lib/browser/use-now.ts'
import { JobActions } from './job-actions.tsx'
import { JobHistory } from './job-history.tsx'
import { JobProgress } from './job-progress.tsx'
import { filamentOf, jobNote } from './job-state.ts'
import { jobQuery } from './print-queue.queries.ts'

/** Where the things are that a job is about. */
export interface JobAddresses {
  spool: (id: string) => string
  model: (id: string) => string
  order: (id: string) => string
  item: (id: string) => string
}

interface JobPageProps {
  id: string
  /** The queue as it was left. */
  backTo: string
  jobAddress: (id: string) => string
  addresses: JobAddresses
}

/** One job: what it prints and of what, why it is where it is, and what became of it. */
export function JobPage({ id, backTo, jobAddress, addresses }: JobPageProps) {
  const navigate = useNavigate()
  const { data: job, isPending, error, refetch, isFetching } = useQuery(jobQuery(id))
  // The address changes only in its query, so the browser would stay where the list was scrolled to.
  useLayoutEffect(() => {
    window.scrollTo(0, 0)
  }, [])
  usePageTitle(job?.label_code)
  if (error instanceof ApiError && error.status === 404) return <NotFound backTo={backTo} />
  return (
    <>
      <div className="-mt-1 mb-3.5 flex flex-wrap items-center gap-x-2 gap-y-1.5">
        <Link to={backTo} className={`${buttonClass({ variant: 'ghost', size: 'sm' })} -ml-2`}>
          <ArrowLeft size={16} strokeWidth={1.75} aria-hidden />
          Print Queue
        </Link>
        {job ? (
          <>
            <h1 className="min-w-0 text-page font-[620] wrap-anywhere phone:order-1 phone:w-full">
              <bdi>{job.inventory_item_name}</bdi>
            </h1>
            <StatusBadge status={job.status} />
            <PriorityBadge priority={job.priority} />
            <div className="ml-auto">
              <JobActions
                job={job}
                size="md"
                // First the way out, at once: a page of a job that is gone would ask for it in vain.
                onRemove={() => void navigate(backTo, { replace: true, flushSync: true })}
              />
            </div>
          </>
        ) : null}
      </div>
      {error ? (
        <ErrorState
          message={job ? 'The print job could not be refreshed.' : 'The print job could not be loaded.'}
          detail={error.message}
          onRetry={() => void refetch()}
          isRetrying={isFetching}
          className="mb-4"
        />
      ) : null}
      {isPending ? <Loading /> : null}
      {job ? (
        <div className={COLUMNS}>
          <JobHistory job={job} />
          <Facts job={job} jobAddress={jobAddress} addresses={addresses} />
        </div>
      ) : null}
    </>
  )
}

const COLUMNS =
  'grid grid-cols-[minmax(0,1fr)] items-start gap-4 lg:grid-cols-[minmax(0,1fr)_372px] phone:[&>:last-child]:order-first'

type FactsProps = Pick<JobPageProps, 'jobAddress' | 'addresses'> & { job: PrintJob }

function Facts({ job, jobAddress, addresses }: FactsProps) {
  const nowMs = useNow()
  const { text, detail } = jobNote(job, nowMs)
  const { quantity, good_quantity: good, rejected_quantity: rejected } = job
  return (
    <Card>
      <div className="flex items-center gap-4 border-b border-line p-4">
        <PartPicture src={job.stl_thumbnail_path} tint={job.color_hex} className="size-24" />
        <div className="min-w-0 flex-1">
          <p className="text-caption text-ink-3 code">{job.label_code}</p>
          <p className="text-figure font-[580]">× {formatCount(quantity)}</p>
          <bdi className="block text-left text-label text-ink-2">{text}</bdi>
          {detail ? <bdi className="block text-left text-caption text-ink-3">{detail}</bdi> : null}
          {job.status === 'in_progress' ? <JobProgress job={job} nowMs={nowMs} className="mt-1.5" /> : null}
        </div>
      </div>
      <dl className="divide-y divide-line px-4">
        <Fact name="Item">
          {job.inventory_item_id && (
            <FactLink to={addresses.item(job.inventory_item_id)}>{job.inventory_item_name}</FactLink>
          )}
        </Fact>
        <Fact name="Model">
          {job.stl_file_id && (
            <>
              <FactLink to={addresses.model(job.stl_file_id)}>{job.stl_file_title ?? 'The model'}</FactLink>
              <VersionNote job={job} />
            </>
          )}
        </Fact>
        <Fact name="Filament">
          {filamentOf(job) && (
            <span className="inline-flex items-center gap-1.5">
              <ColorDot hex={job.color_hex} />
              <bdi>{filamentOf(job)}</bdi>
            </span>
          )}
        </Fact>
        <Fact name="Spool">
          {job.filament_id && (
            <FactLink to={addresses.spool(job.filament_id)}>
              {[job.filament_label, leftWords(job)].filter(Boolean).join(', ')}
            </FactLink>
          )}
        </Fact>
        <Fact name="Needs">{needsWords(job)}</Fact>
        <Fact name="Used">{job.used_grams === null ? null : formatGrams(job.used_grams)}</Fact>
        <Fact name="Good">
          {good + rejected > 0 ? `${formatCount(good)} of ${formatCount(quantity)}` : null}
        </Fact>
        <Fact name="Rejected">{rejected > 0 ? formatCount(rejected) : null}</Fact>
        <Fact name="Printer">{job.printer ?? job.agent}</Fact>
        <Fact name="Order">
          {job.order_id && (
            <FactLink to={addresses.order(job.order_id)}>{job.order_number ?? 'Order'}</FactLink>
          )}
        </Fact>
        <Fact name="Due">{job.due_at && formatDate(job.due_at)}</Fact>
        <Fact name="Started">{job.started_at && formatDateTime(job.started_at)}</Fact>
        <Fact name="Finished">{job.finished_at && formatDateTime(job.finished_at)}</Fact>
        <Fact name="Attempt">{attemptWords(job, jobAddress)}</Fact>
        <Fact name="Notes">{job.notes && <bdi className="whitespace-pre-line">{job.notes}</bdi>}</Fact>
      </dl>
    </Card>
  )
}

const leftWords = ({ filament_remaining_grams: left }: PrintJob): string | null =>
  left === null ? null : `${formatGrams(left)} left`

function needsWords({ estimated_grams: grams, estimated_minutes: minutes }: PrintJob): string | null {
  const known = [grams === null ? null : formatGrams(grams), minutes === null ? null : formatMinutes(minutes)]
  return known.filter(Boolean).join(', ') || null
}

function attemptWords(job: PrintJob, jobAddress: (id: string) => string): ReactNode {
  const { attempt, previous_job_id: previous, next_job_id: next } = job
  if (!previous && !next) return null
  return (
    <span className="flex flex-wrap gap-x-3">
      {attempt}
      {previous ? <FactLink to={jobAddress(previous)}>{`See attempt ${attempt - 1}`}</FactLink> : null}
      {next ? <FactLink to={jobAddress(next)}>{`See attempt ${attempt + 1}`}</FactLink> : null}
    </span>
  )
}

/** Said only where the model stands for another version by now: else nobody needs to know that there are versions. */
function VersionNote({ job }: { job: PrintJob }) {
  const { stl_version_number: own, stl_current_version_number: current } = job
  if (own === null || current === null || own === current) return null
  return (
    <span className="block text-caption text-ink-3">
      {own < current
        ? `Version ${own}, there is a newer one`
        : `Version ${own}, the model is at ${current} again`}
    </span>
  )
}

const FactLink = ({ to, children }: { to: string; children: string }) => (
  <Link to={to} className="link">
    <bdi>{children}</bdi>
  </Link>
)

/** What is not known is left out. */
const Fact = ({ name, children }: { name: string; children: ReactNode }) =>
  children ? (
    <div className="flex gap-4 py-2">
      <dt className="w-28 shrink-0 text-ink-3">{name}</dt>
      <dd className="min-w-0 flex-1 wrap-anywhere">{children}</dd>
    </div>
  ) : null

const NotFound = ({ backTo }: { backTo: string }) => (
  <Card className="p-4">
    <EmptyState
      icon={<SearchX size={24} strokeWidth={1.6} aria-hidden />}
      title="Print job not found"
      titleLevel={1}
      actions={
        <Link to={backTo} className={buttonClass()}>
          Print Queue
        </Link>
      }
    >
      There is no print job at this address. It may have been deleted.
    </EmptyState>
  </Card>
)

const Loading = () => (
  <SkeletonGroup label="Loading the print job" className={COLUMNS}>
    <div className="flex flex-col gap-4 rounded-card border border-line bg-surface p-4">
      {Array.from({ length: 4 }, (_, index) => (
        <Skeleton key={index} className="h-9" />
      ))}
    </div>
    <div className="rounded-card border border-line bg-surface p-4">
      <Skeleton className="size-24 rounded-control!" />
      {Array.from({ length: 6 }, (_, index) => (
        <Skeleton key={index} className="mt-4 h-3" />
      ))}
    </div>
  </SkeletonGroup>
)
