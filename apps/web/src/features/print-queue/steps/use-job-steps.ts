import type { PrintJob } from '@pegasus/contracts/print-queue/jobs'
import { deletePrintJob, restorePrintJob } from '@pegasus/contracts/print-queue/job-changes'
import { mergePrintJobs, splitPrintJob } from '@pegasus/contracts/print-queue/split-and-merge'
import {
  cancelPrintJob,
  completeQueuedJob,
  failQueuedJob,
  holdPrintJob,
  pausePrintJob,
  requeuePrintJob,
  resumePrintJob,
  startPrintJob,
  undoCompletion,
} from '@pegasus/contracts/print-queue/steps'
import type { Plate } from '@pegasus/contracts/print-queue/plates'
import type { CallOf } from '@pegasus/contracts/endpoint'
import { TRASH_DAYS } from '@pegasus/contracts/fields'
import { requeueMode } from '@pegasus/contracts/statuses'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { toastError } from '@/components/toast-error.ts'
import { type ToastAction, toast } from '@/components/ui/overlays/toast-store.ts'
import { callApi } from '@/lib/http/api.ts'
import { useRetriedSend } from '@/lib/http/use-retry-key.ts'
import { canLoadNow, findUnsuppliedPlate, unsuppliedText } from '@/components/production/unsupplied-grams.ts'
import { formatCount } from '@/lib/format/format.ts'
import { QUEUE_MUTATION, refreshQueue, showOptimisticJob } from '../optimistic-queue.ts'
import { withLoading } from '../print-queue-address.ts'
import { asFailed, asFinished, asStarted, statusAfterPlate } from './optimistic-job.ts'
import { t } from '@/lib/i18n/messages.ts'

type BodyOf<E extends Parameters<typeof callApi>[0]> = NonNullable<CallOf<E>['body']>
export type StartBody = BodyOf<typeof startPrintJob>
export type CompleteBody = BodyOf<typeof completeQueuedJob>
export type FailBody = BodyOf<typeof failQueuedJob>
export type ReasonBody = BodyOf<typeof holdPrintJob>

interface Step {
  /** The job before the step. */
  job: PrintJob
  send: () => Promise<PrintJob | null>
  /** The expected state after the step; null if the job disappears from the lists. */
  expected: PrintJob | null
  /** Returns the text of the toast that is shown after success. */
  title: (after: PrintJob | null) => string
  /** Returns the button in the toast, such as Undo; null for no button. */
  next?: (after: PrintJob | null) => ToastAction | null
  /** Returns a second button, next to Undo. */
  other?: (after: PrintJob | null) => ToastAction | null
  /** True if the caller shows failures itself, like a dialog that stays open. */
  isErrorHandled?: boolean
}

/** Returns the job as it waits in the queue again. */
const asRequeued = (job: PrintJob): PrintJob => ({
  ...job,
  status: 'pending',
  hold_reason: null,
  progress: 0,
  started_at: null,
})

const nameOf = (job: PrintJob): string => `“${job.inventory_item_name}”`

/**
 * The steps of a job. Each step shows its expected result immediately, and reverts it if the server refuses.
 * The toast offers Undo if that is possible. `startOn`, `hold`, `requeue`, `complete`, `fail` and `cancel` return a
 * promise for the dialogs that wait for them.
 */
export function useJobSteps() {
  const client = useQueryClient()
  const [, setParams] = useSearchParams()
  const step = useMutation({
    ...QUEUE_MUTATION,
    mutationFn: ({ send }: Step) => send(),
    onMutate: async ({ job, expected }: Step) => ({
      revert: await showOptimisticJob(client, expected ?? job, expected === null),
    }),
    onSuccess: (after, { title, next, other }) => {
      const [action, otherAction] = [next?.(after), other?.(after)]
      toast({ title: title(after), ...(action && { action }), ...(otherAction && { otherAction }) })
    },
    onError: (error, { isErrorHandled }, context) => {
      context?.revert()
      if (!isErrorHandled) toastError(error)
    },
    // A step can record filament use on a spool and add pieces to stock.
    onSettled: () => refreshQueue(client, ['filament', 'inventory', 'printers']),
  })
  const run = (next: Step): void => step.mutate(next)
  const sendStart = useRetriedSend(({ id, body }: { id: string; body: StartBody }, headers) =>
    callApi(startPrintJob, { params: { id }, body, headers }),
  )
  const undoAction = (redo: () => void): ToastAction => ({ label: t('Undo'), onSelect: redo })
  const requeueAction = (job: PrintJob, label = t('Queue again')): ToastAction => ({
    label,
    onSelect: () => requeue(job),
  })
  const startStep = (job: PrintJob, body: StartBody = {}): Step => {
    let unsupplied: Plate | null = null
    return {
      job,
      send: async () => {
        const after = await sendStart({ id: job.id, body })
        unsupplied = await findUnsuppliedPlate(job.id)
        return after
      },
      expected: asStarted({ ...job, printer: body.printer ?? job.printer }),
      title: () => {
        const title = body.printer
          ? t('{job} started on {printer}', { job: nameOf(job), printer: body.printer })
          : t('{job} started', { job: nameOf(job) })
        return unsupplied ? `${title}. ${unsuppliedText(unsupplied)}` : title
      },
      next: () => undoAction(() => requeue({ ...job, status: 'in_progress' }, body)),
      other: () => {
        const printerId = unsupplied && canLoadNow(unsupplied) ? unsupplied.printer_id : null
        return printerId === null
          ? null
          : { label: t('Load a spool'), onSelect: () => setParams((now) => withLoading(now, printerId)) }
      },
    }
  }
  const holdStep = (job: PrintJob, body: ReasonBody): Step => ({
    job,
    send: () => callApi(holdPrintJob, { params: { id: job.id }, body }),
    expected: { ...job, status: 'on_hold', hold_reason: body.reason ?? null },
    title: () => t('{job} is on hold', { job: nameOf(job) }),
    // Holding a running job discards its progress, which Undo could not restore.
    next: () =>
      job.status === 'pending'
        ? undoAction(() => requeue({ ...job, status: 'on_hold' }))
        : requeueAction(job, t('Requeue')),
  })

  /**
   * Puts a job back into the queue. If this undoes a start, `undone` is that start, and the spools are restored too.
   */
  function requeue(job: PrintJob, undone?: StartBody): void {
    const body = undone && { undo_start: true }
    const send = () => callApi(requeuePrintJob, { params: { id: job.id }, ...(body && { body }) })
    if (requeueMode(job) === 'itself') {
      const wasRunning = job.status === 'in_progress'
      run({
        job,
        send,
        expected: asRequeued(job),
        title: () => t('{job} is back in the queue', { job: nameOf(job) }),
        next: () =>
          undoAction(() =>
            run(
              wasRunning
                ? startStep(job, undone ?? { printer: job.printer })
                : holdStep(job, { reason: job.hold_reason }),
            ),
          ),
      })
    } else
      run({
        job,
        send,
        expected: job,
        title: (after) =>
          t('{job} queued again, attempt {attempt}', {
            job: nameOf(job),
            attempt: after?.attempt ?? job.attempt + 1,
          }),
        next: (after) => after && undoAction(() => remove(after)),
      })
  }

  /** Undoes the last completion of a job or of one of its plates. */
  function undo(job: PrintJob): void {
    run({
      job,
      send: () => callApi(undoCompletion, { params: { id: job.id } }),
      // Show no change until the response, because only the server has the values to restore.
      expected: job,
      title: (after) =>
        after?.status === 'pending'
          ? t('{job} is waiting again; stock and filament are as before', { job: nameOf(job) })
          : t('{job} is printing again; stock and filament are as before', { job: nameOf(job) }),
    })
  }

  /** Pauses or resumes a plate. A network printer executes this itself, a moment later. */
  function pause(job: PrintJob, plate: { id: string; number: number }, command: 'pause' | 'resume'): void {
    const { number } = plate
    const [endpoint, title, back] =
      command === 'pause'
        ? ([
            pausePrintJob,
            t('Plate {number} of {job} is paused', { number, job: nameOf(job) }),
            'resume',
          ] as const)
        : ([
            resumePrintJob,
            t('Plate {number} of {job} is printing again', { number, job: nameOf(job) }),
            'pause',
          ] as const)
    run({
      job,
      send: () => callApi(endpoint, { params: { id: job.id }, body: { plate_id: plate.id } }),
      expected: job,
      title: () => title,
      next: () => undoAction(() => pause(job, plate, back)),
    })
  }

  function restore(job: PrintJob): void {
    run({
      job,
      send: () => callApi(restorePrintJob, { params: { id: job.id } }),
      expected: job,
      title: () => t('{job} is back', { job: nameOf(job) }),
    })
  }

  function remove(job: PrintJob): void {
    run({
      job,
      send: async () => {
        await callApi(deletePrintJob, { params: { id: job.id } })
        return null
      },
      expected: null,
      title: () => t('{job} is in the trash for {TRASH_DAYS} days', { job: nameOf(job), TRASH_DAYS }),
      next: () => undoAction(() => restore(job)),
    })
  }

  /** Stops the print of a job and puts the job back into the queue, with the filament and time that the print used. */
  const stopStep = (job: PrintJob, body: ReasonBody): Step => ({
    job,
    send: () => callApi(requeuePrintJob, { params: { id: job.id }, body }),
    expected: asRequeued(job),
    title: () => t('{job} is back in the queue', { job: nameOf(job) }),
  })

  return {
    start: (job: PrintJob, body?: StartBody) => run(startStep(job, body)),
    requeueNow: requeue,
    requeue: (job: PrintJob, body: ReasonBody) =>
      step.mutateAsync({ ...stopStep(job, body), isErrorHandled: true }),
    undo,
    pause,
    remove,
    restore,
    startOn: (job: PrintJob, body: StartBody) =>
      step.mutateAsync({ ...startStep(job, body), isErrorHandled: true }),
    hold: (job: PrintJob, body: ReasonBody) =>
      step.mutateAsync({ ...holdStep(job, body), isErrorHandled: true }),
    /** `others` is the number of other plates of the job that are running. */
    complete: (
      job: PrintJob,
      body: CompleteBody,
      { others, headers }: { others: number; headers: Record<string, string> },
    ) => {
      const { good_quantity: good = 0, rejected_quantity: rejected = 0 } = body
      const status = statusAfterPlate(job, good, others)
      const counts = {
        good_quantity: job.good_quantity + good,
        rejected_quantity: job.rejected_quantity + rejected,
      }
      return step.mutateAsync({
        job,
        send: () => callApi(completeQueuedJob, { params: { id: job.id }, body, headers }),
        expected: {
          ...(status === 'completed' ? asFinished(job, status) : { ...job, status }),
          ...counts,
        },
        title: (after) => describeCompleted(job, { good, rejected, status: after?.status ?? status }),
        // A divided job prints its rejected pieces again automatically.
        next: (after) => after && undoAction(() => undo(after)),
        other: (after) =>
          after && requeueMode(after) === 'next_attempt'
            ? requeueAction(
                after,
                t('Queue {quantity} again', { quantity: formatCount(after.quantity - after.good_quantity) }),
              )
            : null,
        isErrorHandled: true,
      })
    },
    /** `others` is the number of other plates of the job that are running. */
    fail: (job: PrintJob, body: FailBody, { others }: { others: number }) =>
      step.mutateAsync({
        job,
        send: () => callApi(failQueuedJob, { params: { id: job.id }, body }),
        expected: asFailed(job, body.reason, others),
        title: (after) => describeFailed(job, { reason: body.reason, after }),
        // A divided job continues automatically.
        next: (after) =>
          after?.status === 'failed'
            ? requeueAction(after)
            : after?.status === 'on_hold'
              ? requeueAction(after, t('Requeue'))
              : null,
        isErrorHandled: true,
      }),
    split: (job: PrintJob, quantity: number, headers: Record<string, string>) =>
      step.mutateAsync({
        job,
        send: () => callApi(splitPrintJob, { params: { id: job.id }, body: { quantity }, headers }),
        expected: {
          ...job,
          quantity: job.quantity - quantity,
          missing_quantity: job.missing_quantity - quantity,
        },
        title: (after) =>
          t('{quantity, plural, one {# piece} other {# pieces}} of {job} split off as {label_code}', {
            quantity,
            job: nameOf(job),
            label_code: after?.label_code,
          }),
        isErrorHandled: true,
      }),
    merge: (job: PrintJob, other: PrintJob) =>
      step.mutateAsync({
        job,
        send: () => callApi(mergePrintJobs, { params: { id: job.id }, body: { job_id: other.id } }),
        expected: {
          ...job,
          quantity: job.quantity + other.missing_quantity,
          missing_quantity: job.missing_quantity + other.missing_quantity,
        },
        title: () =>
          t(
            '{missing_quantity, plural, one {# piece} other {# pieces}} of {label_code} added to {label_code2}',
            {
              missing_quantity: other.missing_quantity,
              label_code: other.label_code,
              label_code2: job.label_code,
            },
          ),
        isErrorHandled: true,
      }),
    cancel: (job: PrintJob, body: ReasonBody) =>
      step.mutateAsync({
        job,
        send: () => callApi(cancelPrintJob, { params: { id: job.id }, body }),
        expected: asFinished(job, 'cancelled'),
        title: () => t('{job} cancelled', { job: nameOf(job) }),
        next: (after) => after && requeueAction(after),
        isErrorHandled: true,
      }),
  }
}

/** Describes a failure. The server puts a job on hold after the last of its attempts. */
function describeFailed(
  job: PrintJob,
  { reason, after }: { reason: string; after: PrintJob | null },
): string {
  if (after?.status === 'on_hold')
    return t('{job} is on hold: {hold_reason}', {
      job: nameOf(job),
      hold_reason: after.hold_reason ?? reason,
    })
  return after?.status === 'failed'
    ? t('{job} failed: {reason}', { job: nameOf(job), reason })
    : t('A plate of {job} failed: {reason}', { job: nameOf(job), reason })
}

/**
 * Describes the result: `“Wall hook” completed: 6 good, 1 rejected, 6 into stock`. Pieces of a model without an item do
 * not go into stock.
 */
function describeCompleted(
  job: PrintJob,
  { good, rejected, status }: { good: number; rejected: number; status: PrintJob['status'] },
): string {
  const counts =
    rejected > 0
      ? t('{good} good, {rejected} rejected', { good: formatCount(good), rejected: formatCount(rejected) })
      : t('{good} good', { good: formatCount(good) })
  const result =
    job.inventory_item_id && good > 0
      ? t('{counts}, {good} into stock', { counts, good: formatCount(good) })
      : counts
  return status === 'completed'
    ? t('{job} completed: {result}', { job: nameOf(job), result })
    : t('A plate of {job} is done: {result}', { job: nameOf(job), result })
}
