import type { PrintJob } from '@pegasus/contracts/print-queue/jobs'
import { reorderPrintQueue, updatePrintJob } from '@pegasus/contracts/print-queue/job-changes'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { toastError } from '@/components/toast-error.ts'
import { toast } from '@/components/ui/overlays/toast-store.ts'
import { callApi, ifMatch } from '@/lib/http/api.ts'
import { QUEUE_MUTATION, refreshQueue, showOptimisticOrder } from '../optimistic-queue.ts'
import { moveJob, targetOf, type Target } from './queue-order.ts'
import { t } from '@/lib/i18n/messages.ts'

interface Move {
  job: PrintJob
  to: Target
  /** The previous position, for Undo. */
  from: Target
}

const send = (id: string, { beforeId }: Target) =>
  callApi(reorderPrintQueue, { body: { id, before_id: beforeId } })

/**
 * Undoes a move. Because a move can change the priority, this restores the old priority first and then the
 * position.
 */
async function moveBack({ job, from }: Move): Promise<PrintJob> {
  const moved = await send(job.id, from)
  if (moved.priority === job.priority) return moved
  await callApi(updatePrintJob, {
    params: { id: job.id },
    body: { priority: job.priority },
    headers: ifMatch(moved.revision),
  })
  return send(job.id, from)
}

/**
 * Returns a function that moves a job in the queue. The move shows immediately, and the toast offers Undo.
 */
export function useReorder(queue: readonly PrintJob[]) {
  const client = useQueryClient()
  const refresh = () => refreshQueue(client)
  const undo = useMutation({
    ...QUEUE_MUTATION,
    mutationFn: moveBack,
    onError: toastError,
    onSettled: refresh,
  })
  const reorder = useMutation({
    ...QUEUE_MUTATION,
    mutationFn: ({ job, to }: Move) => send(job.id, to),
    onMutate: async ({ job, to }) => ({
      revert: await showOptimisticOrder(client, (jobs) => moveJob(jobs, job.id, to)),
    }),
    onSuccess: (moved, move) => {
      const name = moved.inventory_item_name
      const isOther = moved.priority !== move.job.priority
      toast({
        title: isOther
          ? t('“{name}” moved, P{before} → P{after}', {
              name,
              before: move.job.priority,
              after: moved.priority,
            })
          : t('“{name}” moved', { name }),
        action: { label: t('Undo'), onSelect: () => undo.mutate(move) },
      })
    },
    onError: (error, _, context) => {
      context?.revert()
      toastError(error)
    },
    onSettled: refresh,
  })
  return (job: PrintJob, to: Target) => {
    if (to.beforeId !== job.id) reorder.mutate({ job, to, from: targetOf(queue, job.id) })
  }
}
