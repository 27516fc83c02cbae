import type { CallOf } from '@pegasus/contracts/endpoint'
import { type PrintJob, getPrintJob } from '@pegasus/contracts/print-queue/jobs'
import { cancelPrintJob } from '@pegasus/contracts/print-queue/steps'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { QueryError } from '@/components/query-error.tsx'
import { Button } from '@/components/ui/actions/button.tsx'
import { Skeleton } from '@/components/ui/feedback/skeleton.tsx'
import { Dialog } from '@/components/ui/overlays/dialog.tsx'
import { toast } from '@/components/ui/overlays/toast-store.ts'
import { formatCount, formatNumberOf } from '@/lib/format/format.ts'
import { callApi } from '@/lib/http/api.ts'
import { ApiError, errorMessage } from '@/lib/http/api-error.ts'

/** Maximum number of jobs that the dialog names. Other jobs are only counted. */
const MAX_NAMED = 20

const namedJobsQuery = (ids: readonly string[]) => ({
  queryKey: ['print-queue', 'waiting', ids],
  queryFn: ({ signal }: { signal: AbortSignal }) =>
    Promise.all(ids.map((id) => callApi(getPrintJob, { params: { id }, signal }))),
})

const cancelJob = (id: string) => {
  const body: CallOf<typeof cancelPrintJob>['body'] = {
    reason: 'The order was cancelled',
    only_if_not_started: true,
  }
  return callApi(cancelPrintJob, { params: { id }, body })
}

/** A job that was not cancelled. */
interface KeptJob {
  id: string
  reason: string
  /** True if the job started in the meantime, so that another attempt is refused too. */
  isFinal: boolean
}

interface WaitingJobsDialogProps {
  /** Names the cancelled orders: `PO-1`, `3 orders`. */
  what: string
  /** Ids of the print jobs that wait for their start or their next plate. */
  jobs: readonly string[]
  onClose: () => void
}

/**
 * Names the waiting print jobs of a cancelled order, and offers to cancel them. The server refuses this for a job that
 * was started in the meantime, and the dialog then names the jobs that stay.
 */
export function WaitingJobsDialog({ what, jobs, onClose }: WaitingJobsDialogProps) {
  const client = useQueryClient()
  const named = useQuery(namedJobsQuery(jobs.slice(0, MAX_NAMED)))
  const [isPending, setIsPending] = useState(false)
  const [kept, setKept] = useState<readonly KeptJob[]>([])
  const keptJob = (id: string, error: unknown): KeptJob => {
    const isFinal = error instanceof ApiError && error.status === 409
    const reason = errorMessage(error, 'The print job could not be cancelled.')
    const code = named.data?.find((job) => job.id === id)?.label_code
    // The message of a refusal already contains the job's code.
    return { id, isFinal, reason: isFinal || code === undefined ? reason : `${code}: ${reason}` }
  }
  const cancelAll = async (ids: readonly string[]) => {
    setIsPending(true)
    const results = await Promise.allSettled(ids.map(cancelJob))
    const failed = results.flatMap((result, index) =>
      result.status === 'rejected' ? [keptJob(ids[index] ?? '', result.reason)] : [],
    )
    setIsPending(false)
    const done = ids.length - failed.length
    if (done > 0) toast({ title: `${formatNumberOf(done, 'print job')} cancelled` })
    for (const key of ['orders', 'print-queue', 'stats']) void client.invalidateQueries({ queryKey: [key] })
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
        title={`${formatNumberOf(kept.length, 'print job')} not cancelled`}
        footer={
          <>
            <Button variant={again.length > 0 ? 'secondary' : 'primary'} onClick={onClose}>
              Close
            </Button>
            {again.length > 0 ? (
              <Button variant="primary" isPending={isPending} onClick={() => void cancelAll(again)}>
                Try again
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
  const count = formatNumberOf(jobs.length, 'print job')
  return (
    <Dialog
      isOpen
      onClose={onClose}
      size="sm"
      title={`Cancel ${count} too?`}
      footer={
        <>
          <Button onClick={onClose}>Keep in the queue</Button>
          <Button variant="danger" isPending={isPending} onClick={() => void cancelAll(jobs)}>
            Cancel {count}
          </Button>
        </>
      }
    >
      <p className="text-ink-2">
        {count} for {what} {jobs.length === 1 ? 'is' : 'are'} not printing. Prints in progress continue.
      </p>
      <div className="mt-3">
        {named.data ? <NamedJobs jobs={named.data} others={jobs.length - named.data.length} /> : null}
        {named.isPending ? <Skeleton className="h-6" /> : null}
        <QueryError message="The names of the print jobs could not be loaded." query={named} />
      </div>
    </Dialog>
  )
}

const NamedJobs = ({ jobs, others }: { jobs: readonly PrintJob[]; others: number }) => (
  <ul aria-label="Print jobs" className="max-h-60 overflow-y-auto">
    {jobs.map((job) => (
      <li key={job.id} className="wrap-anywhere">
        <span className="code">{job.label_code}</span> <bdi>{job.inventory_item_name}</bdi>
        <span className="text-ink-2">: {piecesOf(job)}</span>
      </li>
    ))}
    {others > 0 ? <li className="text-ink-2">and {formatNumberOf(others, 'other print job')}</li> : null}
  </ul>
)

const piecesOf = ({ good_quantity: good, quantity }: PrintJob): string =>
  good > 0
    ? `${formatCount(good)} of ${formatNumberOf(quantity, 'piece')} printed`
    : formatNumberOf(quantity, 'piece')
