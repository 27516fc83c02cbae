import type { PrintJob } from '@pegasus/contracts/print-queue/jobs'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { Detail, DetailList } from '@/components/kit/detail-list.tsx'
import { EntityCards, EntityOverview, OverviewState } from '@/components/kit/entity-overview.tsx'
import { EntityPage, OverviewSkeleton } from '@/components/kit/entity-page.tsx'
import { CostComparison } from '@/components/production/cost-comparison.tsx'
import { PriorityBadge, StatusBadge } from '@/components/ui/display/badge.tsx'
import { ColorDot } from '@/components/ui/display/color-dot.tsx'
import { PartPicture } from '@/components/ui/display/part-picture.tsx'
import {
  formatCount,
  formatDate,
  formatDateTime,
  formatExpected,
  formatGrams,
  formatMinutes,
  formatMoney,
  formatPercent,
} from '@/lib/format/format.ts'
import { useNow } from '@/lib/browser/use-now.ts'
import { JobActions } from './job-actions.tsx'
import { JobHistory } from './job-history.tsx'
import { JobPlates } from './job-plates.tsx'
import { MatchesCard } from './matching/matches-card.tsx'
import { JobProgress } from './job-progress.tsx'
import { filamentOf, jobNote, nextStepOf, shareDone } from './job-state.ts'
import type { JobAddresses } from './print-queue-address.ts'
import { usesOf } from './plate-uses.ts'
import { jobPlatesQuery, jobQuery } from './print-queue.queries.ts'
import { PlatesNote } from './steps/plates-note.tsx'
import { t } from '@/lib/i18n/messages.ts'

interface JobPageProps {
  id: string
  /** Address of the queue with its filter. */
  backTo: string
  jobAddress: (id: string) => string
  addresses: JobAddresses
}

/** The page of a print job: part, filament, status and history. */
export function JobPage({ id, backTo, jobAddress, addresses }: JobPageProps) {
  return (
    <EntityPage
      query={useQuery(jobQuery(id))}
      list={{ to: backTo, name: t('Print Queue'), one: 'print job' }}
      name={({ label_code }) => label_code}
      title={(job) => <bdi>{job.inventory_item_name}</bdi>}
      badges={(job) => (
        <>
          <StatusBadge status={job.status} />
          <PriorityBadge priority={job.priority} />
        </>
      )}
      actions={(job, leave) => <JobActions job={job} size="md" onRemove={leave} />}
      hasButtons={(job) => nextStepOf(job) !== null}
      skeleton={<OverviewSkeleton />}
    >
      {(job) => (
        <>
          <JobDetails job={job} jobAddress={jobAddress} addresses={addresses} />
          <EntityCards>
            <MatchesCard job={job} addresses={addresses} />
            <JobPlates job={job} />
            <JobHistory job={job} jobAddress={jobAddress} />
          </EntityCards>
        </>
      )}
    </EntityPage>
  )
}

type JobDetailsProps = Pick<JobPageProps, 'jobAddress' | 'addresses'> & { job: PrintJob }

function JobDetails({ job, jobAddress, addresses }: JobDetailsProps) {
  const nowMs = useNow()
  const { text, detail } = jobNote(job, nowMs)
  const share = job.status === 'in_progress' ? shareDone(job, nowMs) : null
  // A job that was printed on several printers has used several spools. The job itself names only one printer and one
  // spool.
  const { printers, spools } = usesOf(useQuery(jobPlatesQuery(job.id)).data ?? [])
  const { quantity, good_quantity: good, rejected_quantity: rejected } = job
  return (
    <EntityOverview
      picture={
        <PartPicture
          src={job.stl_thumbnail_path}
          tint={job.color_hex}
          alt={job.inventory_item_name}
          className="size-full rounded-none!"
        />
      }
    >
      <OverviewState code={job.label_code} figure={<>× {formatCount(quantity)}</>}>
        <span className="block text-start">
          {share === null ? null : <span className="font-semibold text-ink">{formatPercent(share)} </span>}
          <bdi>{text}</bdi>
        </span>
        {detail ? <bdi className="block text-label text-ink-3">{detail}</bdi> : null}
        {job.status === 'in_progress' ? <JobProgress job={job} nowMs={nowMs} className="mt-2" /> : null}
        <PlatesNote job={job} className="mt-2" />
      </OverviewState>
      <DetailList isWide>
        <Detail name={t('Item')}>
          {job.inventory_item_id && (
            <DetailLink to={addresses.item(job.inventory_item_id)}>{job.inventory_item_name}</DetailLink>
          )}
        </Detail>
        <Detail name={t('Model')}>
          {job.stl_file_id && (
            <>
              <DetailLink to={addresses.model(job.stl_file_id)}>
                {job.stl_file_title ?? t('The model')}
              </DetailLink>
              <VersionNote job={job} />
            </>
          )}
        </Detail>
        <Detail name={t('Filament')}>
          {filamentOf(job) && (
            <span className="inline-flex items-center gap-1.5">
              <ColorDot hex={job.color_hex} />
              <bdi>{filamentOf(job)}</bdi>
            </span>
          )}
        </Detail>
        <Detail name={t('Spool')}>
          {spools.length > 1 ? (
            <UsedLinks used={spools} addressOf={addresses.spool} />
          ) : (
            job.filament_id && (
              <DetailLink to={addresses.spool(job.filament_id)}>
                {[job.filament_label, describeRemaining(job)].filter(Boolean).join(', ')}
              </DetailLink>
            )
          )}
        </Detail>
        <Detail name={t('Needs')}>{describeNeeds(job)}</Detail>
        <Detail name={t('Used')}>{job.used_grams === null ? null : formatGrams(job.used_grams)}</Detail>
        <Detail name={t('Expected rejects')}>
          {job.finished_at === null && job.expected_rejects > 0 ? formatCount(job.expected_rejects) : null}
        </Detail>
        <Detail name={t('Missing')}>
          {job.finished_at === null && (good > 0 || job.pieces_per_plate !== null)
            ? formatCount(job.missing_quantity)
            : null}
        </Detail>
        <Detail name={t('Good')}>
          {good + rejected > 0
            ? t('{good} of {quantity}', { good: formatCount(good), quantity: formatCount(quantity) })
            : null}
        </Detail>
        <Detail name={t('Rejected')}>{rejected > 0 ? formatCount(rejected) : null}</Detail>
        <Detail name={t('Cost')}>{renderCost(job)}</Detail>
        <Detail name={t('Printer')}>
          {printers.length > 1 ? (
            <UsedLinks used={printers} addressOf={addresses.printer} />
          ) : job.printer && job.printer_id ? (
            <DetailLink to={addresses.printer(job.printer_id)}>{job.printer}</DetailLink>
          ) : (
            (job.printer ?? job.agent)
          )}
        </Detail>
        <Detail name={t('Order')}>
          {job.order_id && (
            <DetailLink to={addresses.order(job.order_id)}>{job.order_number ?? t('Order')}</DetailLink>
          )}
        </Detail>
        <Detail name={t('Due')}>{job.due_at && formatDate(job.due_at)}</Detail>
        <Detail name={t('Expected')}>{formatExpected(job, job.started_at !== null)}</Detail>
        <Detail name={t('Started')}>{job.started_at && formatDateTime(job.started_at)}</Detail>
        <Detail name={t('Finished')}>{job.finished_at && formatDateTime(job.finished_at)}</Detail>
        <Detail name={t('Attempt')}>{renderAttempts(job, jobAddress)}</Detail>
        <Detail name={t('Notes')}>{job.notes}</Detail>
      </DetailList>
    </EntityOverview>
  )
}

/** Compares the actual with the planned cost. Before the job's completion, only the planned one is known. */
function renderCost(job: PrintJob): ReactNode {
  const { cost, planned_cost: planned, cost_is_measured } = job
  if (cost === null)
    return planned === null ? null : t('planned {planned}', { planned: formatMoney(planned) })
  const hasPlan = planned !== null
  const compared = {
    compared_jobs: hasPlan ? 1 : 0,
    planned_cost: planned,
    compared_cost: hasPlan ? cost : null,
    failed_jobs: 0,
    failure_cost: null,
    unknown_cost_jobs: 0,
  }
  return <CostComparison figures={{ jobs: 1, cost, cost_is_measured, ...compared }} />
}

const describeRemaining = ({ filament_remaining_grams: left }: PrintJob): string | null =>
  left === null ? null : t('{left} left', { left: formatGrams(left) })

function describeNeeds({ estimated_grams: grams, estimated_minutes: minutes }: PrintJob): string | null {
  const parts = [grams === null ? null : formatGrams(grams), minutes === null ? null : formatMinutes(minutes)]
  return parts.filter(Boolean).join(', ') || null
}

function renderAttempts(job: PrintJob, jobAddress: (id: string) => string): ReactNode {
  const { attempt, previous_job_id: previous, next_job_id: next } = job
  if (!previous && !next) return null
  return (
    <span className="flex flex-wrap gap-x-3">
      {attempt}
      {previous ? (
        <DetailLink to={jobAddress(previous)}>
          {t('See attempt {attempt}', { attempt: attempt - 1 })}
        </DetailLink>
      ) : null}
      {next ? (
        <DetailLink to={jobAddress(next)}>{t('See attempt {attempt}', { attempt: attempt + 1 })}</DetailLink>
      ) : null}
    </span>
  )
}

/** Warns if the model has a newer version than the one that the job prints. Otherwise renders nothing. */
function VersionNote({ job }: { job: PrintJob }) {
  const { stl_version_number: own, stl_current_version_number: current } = job
  if (own === null || current === null || own === current) return null
  return (
    <span className="block text-caption text-ink-3">
      {own < current
        ? t('Version {own}; a newer version exists', { own })
        : t('Version {own}; the current version of the model is {current}', { own, current })}
    </span>
  )
}

const UsedLinks = ({
  used,
  addressOf,
}: {
  used: readonly { id: string; name: string }[]
  addressOf: (id: string) => string
}) => (
  <span className="flex flex-wrap gap-x-3">
    {used.map(({ id, name }) => (
      <DetailLink key={id} to={addressOf(id)}>
        {name}
      </DetailLink>
    ))}
  </span>
)

const DetailLink = ({ to, children }: { to: string; children: string }) => (
  <Link to={to} className="link">
    <bdi>{children}</bdi>
  </Link>
)
