import type { PrintJob } from '@pegasus/contracts/print-queue/jobs'
import { deletePrintJob, restorePrintJob } from '@pegasus/contracts/print-queue/job-changes'
import {
  cancelPrintJob,
  completeQueuedJob,
  failQueuedJob,
  holdPrintJob,
  requeuePrintJob,
  startPrintJob,
} from '@pegasus/contracts/print-queue/steps'
import type { CallOf } from '@pegasus/contracts/endpoint'
import { requeueMode } from '@pegasus/contracts/statuses'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type ToastAction, toast } from '@/components/ui/overlays/toast-store.ts'
import { callApi } from '@/lib/http/api.ts'
import { errorMessage } from '@/lib/http/api-error.ts'
import { formatCount } from '@/lib/format/format.ts'
import { QUEUE_MUTATION, refreshQueue, showAhead } from '../shown-jobs.ts'

type BodyOf<E extends Parameters<typeof callApi>[0]> = NonNullable<CallOf<E>['body']>
export type StartBody = BodyOf<typeof startPrintJob>
export type CompleteBody = BodyOf<typeof completeQueuedJob>
export type FailBody = BodyOf<typeof failQueuedJob>
export type ReasonBody = BodyOf<typeof holdPrintJob>

interface Step {
  /** The job as it is seen. */
  job: PrintJob
  send: () => Promise<PrintJob | null>
  /** As it will be; null where it goes, or where another comes in its place. */
  ahead: PrintJob | null
  /** What is said once it is done. */
  title: (after: PrintJob | null) => string
  /** The way back, or on, beside what is said. */
  next?: (after: PrintJob | null) => ToastAction | null
  /** Whether a failure is told by whoever asked for the step, such as a dialog that stays open. */
  isTold?: boolean
}

const nameOf = (job: PrintJob): string => `“${job.inventory_item_name}”`

/**
 * What people do with a job: seen at once, taken back where the server refuses, and with Undo where it can be undone.
 * Those that end a job for good answer a promise, for the dialog that they were decided in.
 */
export function useJobSteps() {
  const client = useQueryClient()
  const step = useMutation({
    ...QUEUE_MUTATION,
    mutationFn: ({ send }: Step) => send(),
    onMutate: async ({ job, ahead }: Step) => ({
      takeBack: await showAhead(client, ahead ?? job, ahead === null),
    }),
    onSuccess: (after, { title, next }) => {
      const action = next?.(after)
      toast({ title: title(after), ...(action && { action }) })
    },
    onError: (error, { isTold }, context) => {
      context?.takeBack()
      if (!isTold) toast({ title: errorMessage(error, 'That did not work. Please try again.') })
    },
    // A step may take from a spool, and put pieces into stock.
    onSettled: () => refreshQueue(client, ['filament', 'inventory']),
  })
  const run = (next: Step): void => step.mutate(next)
  const undoBy = (redo: () => void): ToastAction => ({ label: 'Undo', onSelect: redo })
  const againBy = (job: PrintJob, label = 'Queue again'): ToastAction => ({
    label,
    onSelect: () => requeue(job),
  })
  const startedNow = (job: PrintJob): PrintJob => ({
    ...job,
    status: 'in_progress',
    started_at: new Date().toISOString(),
    progress: 0,
  })
  const over = (job: PrintJob, status: 'completed' | 'failed' | 'cancelled'): PrintJob => ({
    ...job,
    status,
    finished_at: new Date().toISOString(),
  })

  const startStep = (job: PrintJob, body: StartBody = {}): Step => ({
    job,
    send: () => callApi(startPrintJob, { params: { id: job.id }, body }),
    ahead: startedNow({ ...job, printer: body.printer ?? job.printer }),
    title: () => `${nameOf(job)} started`,
    next: () => undoBy(() => requeue({ ...job, status: 'in_progress' })),
  })
  const holdStep = (job: PrintJob, body: ReasonBody): Step => ({
    job,
    send: () => callApi(holdPrintJob, { params: { id: job.id }, body }),
    ahead: { ...job, status: 'on_hold', hold_reason: body.reason ?? null },
    title: () => `${nameOf(job)} is on hold`,
    // How far a running job was is not known any more once it is on hold.
    next: () =>
      job.status === 'pending'
        ? undoBy(() => requeue({ ...job, status: 'on_hold' }))
        : againBy(job, 'Requeue'),
  })

  function requeue(job: PrintJob): void {
    const send = () => callApi(requeuePrintJob, { params: { id: job.id } })
    if (requeueMode(job) === 'itself') {
      const wasRunning = job.status === 'in_progress'
      run({
        job,
        send,
        ahead: { ...job, status: 'pending', hold_reason: null, progress: 0, started_at: null },
        title: () => `${nameOf(job)} is back in the queue`,
        next: () =>
          undoBy(() =>
            run(
              wasRunning
                ? startStep(job, { printer: job.printer })
                : holdStep(job, { reason: job.hold_reason }),
            ),
          ),
      })
    } else
      run({
        job,
        send,
        ahead: job,
        title: (after) => `${nameOf(job)} queued again, attempt ${after?.attempt ?? job.attempt + 1}`,
        next: (after) => after && undoBy(() => remove(after)),
      })
  }

  function restore(job: PrintJob): void {
    run({
      job,
      send: () => callApi(restorePrintJob, { params: { id: job.id } }),
      ahead: job,
      title: () => `${nameOf(job)} is back`,
    })
  }

  function remove(job: PrintJob): void {
    run({
      job,
      send: async () => {
        await callApi(deletePrintJob, { params: { id: job.id } })
        return null
      },
      ahead: null,
      title: () => `${nameOf(job)} is in the bin for 30 days`,
      next: () => undoBy(() => restore(job)),
    })
  }

  return {
    start: (job: PrintJob) => run(startStep(job)),
    requeue,
    remove,
    restore,
    startOn: (job: PrintJob, body: StartBody) => step.mutateAsync({ ...startStep(job, body), isTold: true }),
    hold: (job: PrintJob, body: ReasonBody) => step.mutateAsync({ ...holdStep(job, body), isTold: true }),
    complete: (job: PrintJob, body: CompleteBody) => {
      const rejected = body.rejected_quantity ?? 0
      const good = body.good_quantity ?? job.quantity - rejected
      return step.mutateAsync({
        job,
        send: () => callApi(completeQueuedJob, { params: { id: job.id }, body }),
        ahead: { ...over(job, 'completed'), good_quantity: good, rejected_quantity: rejected },
        title: () => completedWords(job, good, rejected),
        next: (after) =>
          after && rejected > 0 ? againBy(after, `Queue ${formatCount(rejected)} again`) : null,
        isTold: true,
      })
    },
    fail: (job: PrintJob, body: FailBody) =>
      step.mutateAsync({
        job,
        send: () => callApi(failQueuedJob, { params: { id: job.id }, body }),
        ahead: { ...over(job, 'failed'), failure_reason: body.reason },
        title: () => `${nameOf(job)} failed: ${body.reason}`,
        next: (after) => after && againBy(after),
        isTold: true,
      }),
    cancel: (job: PrintJob, body: ReasonBody) =>
      step.mutateAsync({
        job,
        send: () => callApi(cancelPrintJob, { params: { id: job.id }, body }),
        ahead: over(job, 'cancelled'),
        title: () => `${nameOf(job)} cancelled`,
        next: (after) => after && againBy(after),
        isTold: true,
      }),
  }
}

/** `“Wall hook”: 6 good, 1 rejected. 6 into stock`; a model's pieces belong to no item. */
function completedWords(job: PrintJob, good: number, rejected: number): string {
  const counts =
    rejected > 0
      ? `${formatCount(good)} good, ${formatCount(rejected)} rejected`
      : `${formatCount(good)} good`
  const stock = job.inventory_item_id && good > 0 ? `, ${formatCount(good)} into stock` : ''
  return `${nameOf(job)} completed: ${counts}${stock}`
}
