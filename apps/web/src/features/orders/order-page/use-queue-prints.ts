import { makeOrderPlan } from '@pegasus/contracts/orders/order-plan'
import type { Order } from '@pegasus/contracts/orders/orders'
import { useMutation } from '@tanstack/react-query'
import { toastError } from '@/components/toast-error.ts'
import { toast } from '@/components/ui/overlays/toast-store.ts'
import { callApi } from '@/lib/http/api.ts'
import { t } from '@/lib/i18n/messages.ts'
import { useOrderRefresh } from '../use-order-refresh.ts'

/** Returns the mutation that queues prints for the missing pieces of an order. It shows its result in a toast. */
export function useQueuePrints() {
  const refresh = useOrderRefresh()
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
      }),
    onError: toastError,
    onSettled: () => void refresh('prints'),
  })
}
