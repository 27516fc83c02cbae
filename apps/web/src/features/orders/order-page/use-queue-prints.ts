import type { CallOf } from '@pegasus/contracts/endpoint'
import { makeOrderPlan } from '@pegasus/contracts/orders/order-plan'
import type { Order } from '@pegasus/contracts/orders/orders'
import { CANCEL_REASONS } from '@pegasus/contracts/print-queue/cancel-reasons'
import type { PrintJob } from '@pegasus/contracts/print-queue/jobs'
import { cancelPrintJob } from '@pegasus/contracts/print-queue/steps'
import { useMutation } from '@tanstack/react-query'
import { toastError } from '@/components/toast-error.ts'
import { toast } from '@/components/ui/overlays/toast-store.ts'
import { callApi } from '@/lib/http/api.ts'
import { t } from '@/lib/i18n/messages.ts'
import { useOrderRefresh } from '../use-order-refresh.ts'

const UNDONE: CallOf<typeof cancelPrintJob>['body'] = {
  reason: CANCEL_REASONS.undone,
  only_if_not_started: true,
}

/**
 * Returns the mutation that queues prints for the missing pieces of an order. It shows its result in a toast with Undo,
 * which cancels the jobs.
 */
export function useQueuePrints() {
  const refresh = useOrderRefresh()
  const undo = useMutation({
    mutationFn: async (jobs: readonly PrintJob[]) => {
      const results = await Promise.allSettled(
        jobs.map(({ id }) => callApi(cancelPrintJob, { params: { id }, body: UNDONE })),
      )
      const refused = results.find((result) => result.status === 'rejected')
      if (refused) throw refused.reason
      toast({
        title: t('{done, plural, one {# print job} other {# print jobs}} cancelled', { done: jobs.length }),
      })
    },
    // The server refuses to cancel a job that has started in the meantime, and says so.
    onError: toastError,
    onSettled: () => void refresh('prints'),
  })
  return useMutation({
    mutationFn: ({ id }: Pick<Order, 'id' | 'order_number'>) => callApi(makeOrderPlan, { params: { id } }),
    onSuccess: ({ jobs }, { order_number: number }) =>
      toast({
        title:
          jobs.length === 0
            ? t('{number} needs no more prints', { number })
            : t('Queued {plates, plural, one {# plate} other {# plates}} for {number}', {
                plates: jobs.reduce((sum, { plates }) => sum + plates, 0),
                number,
              }),
        ...(jobs.length > 0 && { action: { label: t('Undo'), onSelect: () => undo.mutate(jobs) } }),
      }),
    onError: toastError,
    onSettled: () => void refresh('prints'),
  })
}
