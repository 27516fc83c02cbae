import { makeOrderPlan } from '@pegasus/contracts/orders/order-plan'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { toastError } from '@/components/toast-error.ts'
import { toast } from '@/components/ui/overlays/toast-store.ts'
import { callApi } from '@/lib/http/api.ts'
import { t } from '@/lib/i18n/messages.ts'
import { ORDERS_KEY } from '../orders.queries.ts'

/** Returns the mutation that queues prints for the missing pieces of the order with an id. It shows its result in a toast. */
export function useQueuePrints() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => callApi(makeOrderPlan, { params: { id } }),
    onSuccess: ({ jobs }) =>
      toast({
        title:
          jobs.length === 0
            ? t('There is nothing to print')
            : t('Queued {jobs, plural, one {# print} other {# prints}}', { jobs: jobs.length }),
      }),
    onError: toastError,
    onSettled: () => {
      for (const key of [ORDERS_KEY, 'print-queue', 'stats'])
        void client.invalidateQueries({ queryKey: [key] })
    },
  })
}
