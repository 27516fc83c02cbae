import type { PrintJob } from '@pegasus/contracts/print-queue/jobs'
import { reorderPrintQueue, updatePrintJob } from '@pegasus/contracts/print-queue/job-changes'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { toast } from '@/components/ui/overlays/toast-store.ts'
import { callApi } from '@/lib/http/api.ts'
import { errorMessage } from '@/lib/http/api-error.ts'
import { QUEUE_MUTATION, refreshQueue, showOrderAhead } from '../shown-jobs.ts'
import { moveJob, positionOf, type Target } from './queue-order.ts'

interface Move {
  job: PrintJob
  to: Target
  /** Where it stood, and with what priority. */
  from: Target
}

const send = (id: string, { beforeId }: Target) =>
  callApi(reorderPrintQueue, { body: { id, before_id: beforeId } })

/** A move takes the priority of its new neighbours where it has to, and so does not bring the old one back by itself. */
async function moveBack({ job, from }: Move): Promise<PrintJob> {
  const moved = await send(job.id, from)
  if (moved.priority === job.priority) return moved
  await callApi(updatePrintJob, {
    params: { id: job.id },
    body: { priority: job.priority },
    headers: { 'If-Match': `"${moved.revision}"` },
  })
  return send(job.id, from)
}

/** Moves a job of the queue, at once, with the way back beside what is said. */
export function useReorder(queue: readonly PrintJob[]) {
  const client = useQueryClient()
  const refresh = () => refreshQueue(client)
  const undo = useMutation({
    ...QUEUE_MUTATION,
    mutationFn: moveBack,
    onError: (error) => toast({ title: errorMessage(error, 'That did not work. Please try again.') }),
    onSettled: refresh,
  })
  const reorder = useMutation({
    ...QUEUE_MUTATION,
    mutationFn: ({ job, to }: Move) => send(job.id, to),
    onMutate: async ({ job, to }) => ({
      takeBack: await showOrderAhead(client, (jobs) => moveJob(jobs, job.id, to)),
    }),
    onSuccess: (moved, move) => {
      const isOther = moved.priority !== move.job.priority
      toast({
        title: `“${moved.inventory_item_name}” moved${isOther ? `, P${move.job.priority} → P${moved.priority}` : ''}`,
        action: { label: 'Undo', onSelect: () => undo.mutate(move) },
      })
    },
    onError: (error, _, context) => {
      context?.takeBack()
      toast({ title: errorMessage(error, 'That did not work. Please try again.') })
    },
    onSettled: refresh,
  })
  return (job: PrintJob, to: Target) => {
    if (to.beforeId !== job.id) reorder.mutate({ job, to, from: positionOf(queue, job.id) })
  }
}
