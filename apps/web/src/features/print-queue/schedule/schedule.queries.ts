import {
  acceptSchedule,
  getSchedule,
  type Schedule,
  scheduleJob,
} from '@pegasus/contracts/print-queue/schedule'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { toastError } from '@/components/toast-error.ts'
import { toast } from '@/components/ui/overlays/toast-store.ts'
import { callApi } from '@/lib/http/api.ts'
import { apiQuery } from '@/lib/http/api-queries.ts'
import { QUEUE_KEY } from '../print-queue.queries.ts'
import { refreshQueue } from '../optimistic-queue.ts'
import { t } from '@/lib/i18n/messages.ts'

export const scheduleQuery = apiQuery([QUEUE_KEY, 'schedule'], getSchedule)

/**
 * The new position of a job. It is printed on this printer before the job `beforeId`, or last if that is
 * null.
 */
export interface Placement {
  jobId: string
  name: string
  printerId: string
  printer: string
  beforeId: string | null
}

/** Mutations of the schedule. Each returns the new schedule, which is shown without another request. */
export function useScheduleChanges() {
  const client = useQueryClient()
  const handlers = {
    onError: toastError,
    onSettled: () => refreshQueue(client, ['printers']),
  }
  const show = (next: Schedule) => client.setQueryData(scheduleQuery.queryKey, next)
  const place = useMutation({
    mutationFn: ({ jobId, printerId, beforeId }: Placement) =>
      callApi(scheduleJob, { params: { id: jobId }, body: { printer_id: printerId, before_id: beforeId } }),
    onSuccess: (next, { name, printer }) => {
      show(next)
      toast({ title: t('“{name}” waits for {printer}', { name, printer }) })
    },
    ...handlers,
  })
  const accept = useMutation({
    mutationFn: () => callApi(acceptSchedule),
    onSuccess: (next) => {
      show(next)
      toast({ title: t('The proposals are assigned') })
    },
    ...handlers,
  })
  return { place, accept }
}
