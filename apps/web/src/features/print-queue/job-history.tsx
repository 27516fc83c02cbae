import type { PrintJob, PrintJobStep } from '@pegasus/contracts/print-queue/jobs'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { QueryError } from '@/components/query-error.tsx'
import { StatusBadge } from '@/components/ui/display/badge.tsx'
import { Card } from '@/components/ui/display/card.tsx'
import { SkeletonLines } from '@/components/ui/feedback/skeleton.tsx'
import { formatCount, formatDateTime } from '@/lib/format/format.ts'
import { jobHistoryQuery } from './print-queue.queries.ts'
import { t } from '@/lib/i18n/messages.ts'
import { serverText } from '@/lib/i18n/server-texts.ts'
import { joinFacts } from '@/lib/i18n/join-words.ts'

interface JobHistoryProps {
  job: PrintJob
  jobAddress: (id: string) => string
}

/** The status changes of a job, newest first. A split or a merge has a link to the other job. */
export function JobHistory({ job, jobAddress }: JobHistoryProps) {
  const history = useQuery(jobHistoryQuery(job.id))
  const { data, isPending } = history
  return (
    <Card title={t('History')}>
      {isPending ? <SkeletonLines label={t('Loading the history')} /> : null}
      <QueryError message={t('The history could not be loaded.')} query={history} className="m-3" />
      <ol className="divide-y divide-line" aria-label={t('History')}>
        {data?.map((step) => (
          <Step key={step.id} step={step} jobAddress={jobAddress} />
        ))}
      </ol>
    </Card>
  )
}

const countsOf = ({ good_quantity: good, rejected_quantity: rejected }: PrintJobStep): string | null => {
  if (good === null && !rejected) return null
  const parts = [
    t('{good} good', { good: formatCount(good ?? 0) }),
    rejected ? t('{rejected} rejected', { rejected: formatCount(rejected) }) : null,
  ]
  return parts.filter(Boolean).join(', ')
}

function Step({ step, jobAddress }: Pick<JobHistoryProps, 'jobAddress'> & { step: PrintJobStep }) {
  const counts = countsOf(step)
  return (
    <li className="flex items-start gap-4 px-4 py-2.5 phone:flex-wrap phone:gap-y-1">
      <span className="w-28 shrink-0">
        <StatusBadge status={step.to_status} />
      </span>
      <div className="min-w-0 flex-1">
        <p className="wrap-anywhere" dir="auto">
          {joinFacts([step.from_status === null ? t('Queued') : null, counts, serverText(step.reason ?? '')])}
        </p>
        {step.other_job_id ? (
          <Link to={jobAddress(step.other_job_id)} className="link text-caption">
            {t('See {other_job_code}', { other_job_code: step.other_job_code ?? t('the other job') })}
          </Link>
        ) : null}
        <p className="text-caption text-ink-3">
          <time dateTime={step.created_at}>{formatDateTime(step.created_at)}</time> ·{' '}
          <bdi>{step.actor.name}</bdi>
        </p>
      </div>
    </li>
  )
}
