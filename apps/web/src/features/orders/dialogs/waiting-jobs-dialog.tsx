import { type PrintJob, getPrintJob } from '@pegasus/contracts/print-queue/jobs'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { QueryError } from '@/components/query-error.tsx'
import { Button } from '@/components/ui/actions/button.tsx'
import { Skeleton } from '@/components/ui/feedback/skeleton.tsx'
import { Dialog } from '@/components/ui/overlays/dialog.tsx'
import { toast } from '@/components/ui/overlays/toast-store.ts'
import { formatCount } from '@/lib/format/format.ts'
import { callApi } from '@/lib/http/api.ts'
import { ApiError, errorMessage } from '@/lib/http/api-error.ts'
import { cancelWaitingJob } from '../cancel-waiting-job.ts'
import { useOrderRefresh } from '../use-order-refresh.ts'
import { t } from '@/lib/i18n/messages.ts'

/** Maximum number of jobs that the dialog names. Other jobs are only counted. */
const MAX_NAMED = 20

const namedJobsQuery = (ids: readonly string[]) => ({
  queryKey: ['print-queue', 'waiting', ids],
  queryFn: ({ signal }: { signal: AbortSignal }) =>
    Promise.all(ids.map((id) => callApi(getPrintJob, { params: { id }, signal }))),
})

/** A job that was not cancelled. */
interface KeptJob {
  id: string
  reason: string
  /** True if the job started in the meantime, so that another attempt is refused too. */
  isFinal: boolean
}

interface WaitingJobsDialogProps {
  /** Names the cancelled, completed or deleted orders: `PO-1`, `3 orders`. */
  what: string
  /** Ids of the print jobs that wait for their start or their next plate. */
  jobs: readonly string[]
  onClose: () => void
}

/**
 * Names the waiting print jobs of orders that need no more pieces, and offers to cancel them. The server refuses this for
 * a job that was started in the meantime, and the dialog then names the jobs that stay.
 */
export function WaitingJobsDialog({ what, jobs, onClose }: WaitingJobsDialogProps) {
  const refresh = useOrderRefresh()
  const named = useQuery(namedJobsQuery(jobs.slice(0, MAX_NAMED)))
  const [isPending, setIsPending] = useState(false)
  const [kept, setKept] = useState<readonly KeptJob[]>([])
  const keptJob = (id: string, error: unknown): KeptJob => {
    const isFinal = error instanceof ApiError && error.status === 409
    const reason = errorMessage(error, t('The print job could not be cancelled.'))
    const code = named.data?.find((job) => job.id === id)?.label_code
    // The message of a refusal already contains the job's code.
    return { id, isFinal, reason: isFinal || code === undefined ? reason : `${code}: ${reason}` }
  }
  const cancelAll = async (ids: readonly string[]) => {
    setIsPending(true)
    const results = await Promise.allSettled(ids.map(cancelWaitingJob))
    const failed = results.flatMap((result, index) =>
      result.status === 'rejected' ? [keptJob(ids[index] ?? '', result.reason)] : [],
    )
    setIsPending(false)
    const done = ids.length - failed.length
    if (done > 0)
      toast({ title: t('{done, plural, one {# print job} other {# print jobs}} cancelled', { done }) })
    void refresh('prints')
    const still = [...kept.filter(({ isFinal }) => isFinal), ...failed]
    setKept(still)
    if (still.length === 0) onClose()
  }
  if (kept.length > 0) {
    const again = kept.filter(({ isFinal }) => !isFinal).map(({ id }) => id)
    return (
      <Dialog
        isOpen
        onClose={onClose}
        size="sm"
        title={t('{kept, plural, one {# print job} other {# print jobs}} not cancelled', {
          kept: kept.length,
        })}
        footer={
          <>
            <Button variant={again.length > 0 ? 'secondary' : 'primary'} onClick={onClose}>
              {t('Close')}
            </Button>
            {again.length > 0 ? (
              <Button variant="primary" isPending={isPending} onClick={() => void cancelAll(again)}>
                {t('Try again')}
              </Button>
            ) : null}
          </>
        }
      >
        <ul className="max-h-60 overflow-y-auto">
          {kept.map(({ id, reason }) => (
            <li key={id} className="wrap-anywhere">
              {reason}
            </li>
          ))}
        </ul>
      </Dialog>
    )
  }
  const count = t('{jobs, plural, one {# print job} other {# print jobs}}', { jobs: jobs.length })
  return (
    <Dialog
      isOpen
      onClose={onClose}
      size="sm"
      title={t('Cancel {count} too?', { count })}
      footer={
        <>
          <Button onClick={onClose}>{t('Keep in the queue')}</Button>
          <Button variant="danger" isPending={isPending} onClick={() => void cancelAll(jobs)}>
            {t('Cancel {count}', { count })}
          </Button>
        </>
      }
    >
      <p className="text-ink-2">
        {t(
          '{count} for {what} {jobs, plural, one {is} other {are}} not printing. Prints in progress continue.',
          { count, what, jobs: jobs.length },
        )}
      </p>
      <div className="mt-3">
        {named.data ? <NamedJobs jobs={named.data} others={jobs.length - named.data.length} /> : null}
        {named.isPending ? <Skeleton className="h-6" /> : null}
        <QueryError message={t('The names of the print jobs could not be loaded.')} query={named} />
      </div>
    </Dialog>
  )
}

const NamedJobs = ({ jobs, others }: { jobs: readonly PrintJob[]; others: number }) => (
  <ul aria-label={t('Print jobs')} className="max-h-60 overflow-y-auto">
    {jobs.map((job) => (
      <li key={job.id} className="wrap-anywhere">
        <span className="code">{job.label_code}</span> <bdi>{job.inventory_item_name}</bdi>
        <span className="text-ink-2">: {piecesOf(job)}</span>
      </li>
    ))}
    {others > 0 ? (
      <li className="text-ink-2">
        {t('and {others, plural, one {# other print job} other {# other print jobs}}', { others })}
      </li>
    ) : null}
  </ul>
)

const piecesOf = ({ good_quantity: good, quantity }: PrintJob): string =>
  good > 0
    ? t('{good} of {quantity, plural, one {# piece} other {# pieces}} printed', {
        good: formatCount(good),
        quantity,
      })
    : t('{quantity, plural, one {# piece} other {# pieces}}', { quantity })
